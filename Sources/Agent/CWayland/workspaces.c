// SPDX-License-Identifier: Apache-2.0

// ext-workspace-v1.

#include <stddef.h>

#include "tables.h"

// Defined by libwayland-client.
extern const struct wl_interface wl_output_interface;

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
static const struct wl_interface group = {
    "ext_workspace_group_handle_v1", 1, COUNT(group_requests), group_requests, COUNT(group_events), group_events,
};

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
static const struct wl_interface workspace = {
    "ext_workspace_handle_v1", 1, COUNT(workspace_requests), workspace_requests, COUNT(workspace_events),
    workspace_events,
};

const struct wl_interface *cwayland_workspace_manager(void) { return &manager; }
