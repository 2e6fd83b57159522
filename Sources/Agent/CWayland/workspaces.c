// SPDX-License-Identifier: Apache-2.0

// ext-workspace-v1, and KWin's virtual desktops.

#include <stddef.h>

#include "tables.h"

// Defined by libwayland-client.
extern const struct wl_interface wl_output_interface;

static const struct wl_interface manager, group, workspace, desktops, desktop;

static const struct wl_message manager_requests[] = {
    {"commit", "", PLAIN},
    {"stop", "", PLAIN},
};
static const struct wl_message manager_events[] = {
    {"workspace_group", "n", TYPES(&group)},
    {"workspace", "n", TYPES(&workspace)},
    {"done", "", PLAIN},
    {"finished", "", PLAIN},
};
static const struct wl_interface manager = {
    "ext_workspace_manager_v1", 1, COUNT(manager_requests), manager_requests, COUNT(manager_events), manager_events,
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

static const struct wl_message desktops_requests[] = {
    {"get_virtual_desktop", "ns", TYPES(&desktop, NULL)},
};
static const struct wl_message desktops_events[] = {
    {"desktop_created", "su", PLAIN},
    {"desktop_removed", "s", PLAIN},
    {"done", "", PLAIN},
    {"rows", "2u", PLAIN},
};
static const struct wl_interface desktops = {
    "org_kde_plasma_virtual_desktop_management", 4, COUNT(desktops_requests), desktops_requests,
    COUNT(desktops_events), desktops_events,
};

// It has no request that destroys it.
static const struct wl_message desktop_requests[] = {
    {"request_activate", "", PLAIN},
};
static const struct wl_message desktop_events[] = {
    {"desktop_id", "s", PLAIN},
    {"name", "s", PLAIN},
    {"activated", "", PLAIN},
    {"deactivated", "", PLAIN},
    {"done", "", PLAIN},
    {"removed", "", PLAIN},
    {"position", "3u", PLAIN},
    {"output_entered", "4s", PLAIN},
};
static const struct wl_interface desktop = {
    "org_kde_plasma_virtual_desktop", 4, COUNT(desktop_requests), desktop_requests, COUNT(desktop_events),
    desktop_events,
};

const struct wl_interface *cwayland_workspace_manager(void) { return &manager; }
const struct wl_interface *cwayland_plasma_desktops(void) { return &desktops; }
const struct wl_interface *cwayland_plasma_desktop(void) { return &desktop; }
