// SPDX-License-Identifier: Apache-2.0

#include "tables.h"

static const struct wl_interface manager, toplevel;

static const struct wl_message manager_events[] = {
    {"toplevel", "n", TYPES(&toplevel)},
    {"finished", "", PLAIN},
};
static const struct wl_interface manager = {
    "zwlr_foreign_toplevel_manager_v1", 3, 0, NULL, COUNT(manager_events), manager_events,
};

static const struct wl_message toplevel_requests[] = {
    {"set_maximized", "", PLAIN},
    {"unset_maximized", "", PLAIN},
    {"set_minimized", "", PLAIN},
    {"unset_minimized", "", PLAIN},
    {"activate", "o", TYPES(&wl_seat_interface)},
    {"close", "", PLAIN},
    {"set_rectangle", "oiiii", TYPES(&wl_surface_interface, NULL, NULL, NULL, NULL)},
    {"destroy", "", PLAIN},
};
static const struct wl_message toplevel_events[] = {
    {"title", "s", PLAIN},
    {"app_id", "s", PLAIN},
    {"output_enter", "o", TYPES(&wl_output_interface)},
    {"output_leave", "o", TYPES(&wl_output_interface)},
    {"state", "a", PLAIN},
    {"done", "", PLAIN},
    {"closed", "", PLAIN},
    {"parent", "3?o", TYPES(&toplevel)},
};
static const struct wl_interface toplevel =
    INTERFACE("zwlr_foreign_toplevel_handle_v1", 3, toplevel_requests, toplevel_events);

const struct wl_interface *cwayland_wlr_toplevel_manager(void) { return &manager; }
