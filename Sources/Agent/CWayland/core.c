// SPDX-License-Identifier: Apache-2.0

#include "tables.h"

const struct wl_interface *cwayland_registry(void) { return &wl_registry_interface; }
const struct wl_interface *cwayland_callback(void) { return &wl_callback_interface; }
const struct wl_interface *cwayland_output(void) { return &wl_output_interface; }
