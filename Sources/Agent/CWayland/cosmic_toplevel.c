// SPDX-License-Identifier: Apache-2.0

// ext-foreign-toplevel-list-v1, and COSMIC's extension of it.

#include "tables.h"

static const struct wl_interface list, toplevel, info, cosmic_toplevel;

static const struct wl_message list_events[] = {
    {"toplevel", "n", TYPES(&toplevel)},
    {"finished", "", PLAIN},
};
static const struct wl_interface list = {
    "ext_foreign_toplevel_list_v1", 1, 0, NULL, COUNT(list_events), list_events,
};

static const struct wl_message toplevel_requests[] = {
    {"destroy", "", PLAIN},
};
static const struct wl_message toplevel_events[] = {
    {"closed", "", PLAIN},
    {"done", "", PLAIN},
    {"title", "s", PLAIN},
    {"app_id", "s", PLAIN},
    {"identifier", "s", PLAIN},
};
static const struct wl_interface toplevel =
    INTERFACE("ext_foreign_toplevel_handle_v1", 1, toplevel_requests, toplevel_events);

static const struct wl_message info_requests[] = {
    {"stop", "", PLAIN},
    {"get_cosmic_toplevel", "2no", TYPES(&cosmic_toplevel, &toplevel)},
};
static const struct wl_message info_events[] = {
    {"toplevel", "n", TYPES(&cosmic_toplevel)},
    {"finished", "", PLAIN},
    {"done", "2", PLAIN},
};
static const struct wl_interface info = INTERFACE("zcosmic_toplevel_info_v1", 2, info_requests, info_events);

static const struct wl_message cosmic_toplevel_requests[] = {
    {"destroy", "", PLAIN},
};
static const struct wl_message cosmic_toplevel_events[] = {
    {"closed", "", PLAIN},
    {"done", "", PLAIN},
    {"title", "s", PLAIN},
    {"app_id", "s", PLAIN},
    {"output_enter", "o", TYPES(&wl_output_interface)},
    {"output_leave", "o", TYPES(&wl_output_interface)},
    // Workspaces are never bound: the compositor cannot refer to one.
    {"workspace_enter", "o", PLAIN},
    {"workspace_leave", "o", PLAIN},
    {"state", "a", PLAIN},
    {"geometry", "2oiiii", TYPES(&wl_output_interface, NULL, NULL, NULL, NULL)},
};
static const struct wl_interface cosmic_toplevel =
    INTERFACE("zcosmic_toplevel_handle_v1", 2, cosmic_toplevel_requests, cosmic_toplevel_events);

const struct wl_interface *cwayland_toplevel_list(void) { return &list; }
const struct wl_interface *cwayland_cosmic_toplevel_info(void) { return &info; }
const struct wl_interface *cwayland_cosmic_toplevel(void) { return &cosmic_toplevel; }
