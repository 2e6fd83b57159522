// SPDX-License-Identifier: Apache-2.0
// libwayland, and a constant whose address counts: Swift may copy it.
#pragma once

#include <wayland-client.h>

static inline struct wl_output *bind_output(struct wl_registry *registry, uint32_t name, uint32_t version) {
    return (struct wl_output *)wl_registry_bind(registry, name, &wl_output_interface, version);
}

static inline void release_output(struct wl_output *output) {
    if (wl_output_get_version(output) >= WL_OUTPUT_RELEASE_SINCE_VERSION)
        wl_output_release(output);
    else
        wl_output_destroy(output);
}
