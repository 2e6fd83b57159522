// SPDX-License-Identifier: Apache-2.0
// GTK, and what Swift cannot import of it: a constant whose address counts.
#pragma once

#include <gtk/gtk.h>
#include <gdk/wayland/gdkwayland.h>
#include <glib-unix.h>
#include <wayland-client.h>

// libwayland compares the address of the interface, and Swift may copy a constant.
static inline struct wl_output *cgtk_bind_output(struct wl_registry *registry, uint32_t name, uint32_t version) {
    return (struct wl_output *)wl_registry_bind(registry, name, &wl_output_interface, version);
}
