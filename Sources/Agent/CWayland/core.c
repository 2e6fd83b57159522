// SPDX-License-Identifier: Apache-2.0

#include "CWayland.h"

// Defined by libwayland-client.
extern const struct wl_interface wl_registry_interface, wl_callback_interface, wl_output_interface;

const struct wl_interface *cwayland_registry(void) { return &wl_registry_interface; }
const struct wl_interface *cwayland_callback(void) { return &wl_callback_interface; }
const struct wl_interface *cwayland_output(void) { return &wl_output_interface; }
