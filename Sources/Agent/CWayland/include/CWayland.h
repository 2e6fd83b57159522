// SPDX-License-Identifier: Apache-2.0

// The interfaces of Wayland protocols, as libwayland needs them: names, signatures and opcodes. Functions, because
// libwayland compares addresses, and Swift may copy a constant.
//
// A signature is the `since` version, and one letter for each argument: i(nt), u(int), f(ixed), s(tring), o(bject),
// n(ew id); `?` precedes an argument that can be null. The opcode is the index in its table. Requests after the last one
// in use are left out; events are complete up to the version of the interface.
#pragma once

#include <wayland-util.h>

// libwayland's own.
const struct wl_interface *cwayland_registry(void);
const struct wl_interface *cwayland_callback(void);
const struct wl_interface *cwayland_output(void);

// wlr-output-management-unstable-v1
const struct wl_interface *cwayland_wlr_output_manager(void);
const struct wl_interface *cwayland_wlr_output_configuration(void);
const struct wl_interface *cwayland_wlr_output_configuration_head(void);

// wlr-foreign-toplevel-management-unstable-v1
const struct wl_interface *cwayland_wlr_toplevel_manager(void);

// ext-foreign-toplevel-list-v1
const struct wl_interface *cwayland_toplevel_list(void);

// cosmic-toplevel-info-unstable-v1
const struct wl_interface *cwayland_cosmic_toplevel_info(void);
const struct wl_interface *cwayland_cosmic_toplevel(void);

// ext-workspace-v1
const struct wl_interface *cwayland_workspace_manager(void);
