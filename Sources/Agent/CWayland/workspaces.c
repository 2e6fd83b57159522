// SPDX-License-Identifier: Apache-2.0

// ext-workspace-v1.

#include "tables.h"

static const struct wl_interface manager, group, workspace;

static const struct wl_message manager_events[] = {
    {"workspace_group", "n", TYPES(&group)},
    {"workspace", "n", TYPES(&workspace)},
    {"done", "", PLAIN},
    {"finished", "", PLAIN},
};
static const struct wl_interface manager = {
    "ext_workspace_manager_v1", 1, 0, NULL, COUNT(manager_events), manager_events,
};

static const struct wl_message group_requests[] = {
    {"create_workspace", "s", PLAIN},
    {"destroy", "", PLAIN},
};
static const struct wl_message group_events[] = {
    {"capabilities", "u", PLAIN},
    {"output_enter", "o", TYPES(&wl_output_interface)},
    {"output_leave", "o", TYPES(&wl_output_interface)},
    {"workspace_enter", "o", TYPES(&workspace)},
    {"workspace_leave", "o", TYPES(&workspace)},
    {"removed", "", PLAIN},
};
static const struct wl_interface group = INTERFACE("ext_workspace_group_handle_v1", 1, group_requests, group_events);

static const struct wl_message workspace_requests[] = {
    {"destroy", "", PLAIN},
};
static const struct wl_message workspace_events[] = {
    {"id", "s", PLAIN},
    {"name", "s", PLAIN},
    {"coordinates", "a", PLAIN},
    {"state", "u", PLAIN},
    {"capabilities", "u", PLAIN},
    {"removed", "", PLAIN},
};
static const struct wl_interface workspace =
    INTERFACE("ext_workspace_handle_v1", 1, workspace_requests, workspace_events);

const struct wl_interface *cwayland_workspace_manager(void) { return &manager; }
