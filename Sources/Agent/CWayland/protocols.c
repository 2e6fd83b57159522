// SPDX-License-Identifier: Apache-2.0
#include "CWayland.h"

#include <stddef.h>

// Defined by libwayland-client.
extern const struct wl_interface wl_callback_interface, wl_output_interface, wl_registry_interface, wl_seat_interface,
    wl_surface_interface;

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

// The interfaces of a message's arguments: one for each argument, NULL for numbers and strings.
#define TYPES(...) ((const struct wl_interface *[]){__VA_ARGS__})

// For messages with at most eight arguments, none of which is an object.
#define PLAIN TYPES(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)

// Defines the interface of the tables TABLE_requests and TABLE_events.
#define INTERFACE(table, name, version)                                                              \
    static const struct wl_interface table = {                                                       \
        name, version, COUNT(table##_requests), table##_requests, COUNT(table##_events), table##_events}

const struct wl_interface *cwayland_registry(void) { return &wl_registry_interface; }
const struct wl_interface *cwayland_callback(void) { return &wl_callback_interface; }
const struct wl_interface *cwayland_output(void) { return &wl_output_interface; }

static const struct wl_interface head, mode, configuration, configuration_head, wlr_toplevel, toplevel, cosmic_toplevel,
    group, workspace;

// wlr-output-management-unstable-v1

static const struct wl_message output_manager_requests[] = {
    {"create_configuration", "nu", TYPES(&configuration, NULL)},
};
static const struct wl_message output_manager_events[] = {
    {"head", "n", TYPES(&head)},
    {"done", "u", PLAIN},
    {"finished", "", PLAIN},
};
INTERFACE(output_manager, "zwlr_output_manager_v1", 4);

static const struct wl_message head_requests[] = {
    {"release", "3", PLAIN},
};
static const struct wl_message head_events[] = {
    {"name", "s", PLAIN},
    {"description", "s", PLAIN},
    {"physical_size", "ii", PLAIN},
    {"mode", "n", TYPES(&mode)},
    {"enabled", "i", PLAIN},
    {"current_mode", "o", TYPES(&mode)},
    {"position", "ii", PLAIN},
    {"transform", "i", PLAIN},
    {"scale", "f", PLAIN},
    {"finished", "", PLAIN},
    {"make", "2s", PLAIN},
    {"model", "2s", PLAIN},
    {"serial_number", "2s", PLAIN},
    {"adaptive_sync", "4u", PLAIN},
};
INTERFACE(head, "zwlr_output_head_v1", 4);

static const struct wl_message mode_requests[] = {
    {"release", "3", PLAIN},
};
static const struct wl_message mode_events[] = {
    {"size", "ii", PLAIN},
    {"refresh", "i", PLAIN},
    {"preferred", "", PLAIN},
    {"finished", "", PLAIN},
};
INTERFACE(mode, "zwlr_output_mode_v1", 3);

static const struct wl_message configuration_requests[] = {
    {"enable_head", "no", TYPES(&configuration_head, &head)},
    {"disable_head", "o", TYPES(&head)},
    {"apply", "", PLAIN},
    {"test", "", PLAIN},
    {"destroy", "", PLAIN},
};
static const struct wl_message configuration_events[] = {
    {"succeeded", "", PLAIN},
    {"failed", "", PLAIN},
    {"cancelled", "", PLAIN},
};
INTERFACE(configuration, "zwlr_output_configuration_v1", 4);

static const struct wl_message configuration_head_requests[] = {
    {"set_mode", "o", TYPES(&mode)},
    {"set_custom_mode", "iii", PLAIN},
    {"set_position", "ii", PLAIN},
    {"set_transform", "i", PLAIN},
    {"set_scale", "f", PLAIN},
};
static const struct wl_interface configuration_head = {
    "zwlr_output_configuration_head_v1", 4, COUNT(configuration_head_requests), configuration_head_requests, 0, NULL,
};

const struct wl_interface *cwayland_wlr_output_manager(void) { return &output_manager; }
const struct wl_interface *cwayland_wlr_output_configuration(void) { return &configuration; }
const struct wl_interface *cwayland_wlr_output_configuration_head(void) { return &configuration_head; }

// wlr-foreign-toplevel-management-unstable-v1

static const struct wl_message toplevel_manager_events[] = {
    {"toplevel", "n", TYPES(&wlr_toplevel)},
    {"finished", "", PLAIN},
};
static const struct wl_interface toplevel_manager = {
    "zwlr_foreign_toplevel_manager_v1", 3, 0, NULL, COUNT(toplevel_manager_events), toplevel_manager_events,
};

static const struct wl_message wlr_toplevel_requests[] = {
    {"set_maximized", "", PLAIN},
    {"unset_maximized", "", PLAIN},
    {"set_minimized", "", PLAIN},
    {"unset_minimized", "", PLAIN},
    {"activate", "o", TYPES(&wl_seat_interface)},
    {"close", "", PLAIN},
    {"set_rectangle", "oiiii", TYPES(&wl_surface_interface, NULL, NULL, NULL, NULL)},
    {"destroy", "", PLAIN},
};
static const struct wl_message wlr_toplevel_events[] = {
    {"title", "s", PLAIN},
    {"app_id", "s", PLAIN},
    {"output_enter", "o", TYPES(&wl_output_interface)},
    {"output_leave", "o", TYPES(&wl_output_interface)},
    {"state", "a", PLAIN},
    {"done", "", PLAIN},
    {"closed", "", PLAIN},
    {"parent", "3?o", TYPES(&wlr_toplevel)},
};
INTERFACE(wlr_toplevel, "zwlr_foreign_toplevel_handle_v1", 3);

const struct wl_interface *cwayland_wlr_toplevel_manager(void) { return &toplevel_manager; }

// ext-foreign-toplevel-list-v1, and COSMIC's extension of it.

static const struct wl_message toplevel_list_events[] = {
    {"toplevel", "n", TYPES(&toplevel)},
    {"finished", "", PLAIN},
};
static const struct wl_interface toplevel_list = {
    "ext_foreign_toplevel_list_v1", 1, 0, NULL, COUNT(toplevel_list_events), toplevel_list_events,
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
INTERFACE(toplevel, "ext_foreign_toplevel_handle_v1", 1);

static const struct wl_message cosmic_info_requests[] = {
    {"stop", "", PLAIN},
    {"get_cosmic_toplevel", "2no", TYPES(&cosmic_toplevel, &toplevel)},
};
static const struct wl_message cosmic_info_events[] = {
    {"toplevel", "n", TYPES(&cosmic_toplevel)},
    {"finished", "", PLAIN},
    {"done", "2", PLAIN},
};
INTERFACE(cosmic_info, "zcosmic_toplevel_info_v1", 2);

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
INTERFACE(cosmic_toplevel, "zcosmic_toplevel_handle_v1", 2);

const struct wl_interface *cwayland_toplevel_list(void) { return &toplevel_list; }
const struct wl_interface *cwayland_cosmic_toplevel_info(void) { return &cosmic_info; }
const struct wl_interface *cwayland_cosmic_toplevel(void) { return &cosmic_toplevel; }

// ext-workspace-v1

static const struct wl_message workspace_manager_events[] = {
    {"workspace_group", "n", TYPES(&group)},
    {"workspace", "n", TYPES(&workspace)},
    {"done", "", PLAIN},
    {"finished", "", PLAIN},
};
static const struct wl_interface workspace_manager = {
    "ext_workspace_manager_v1", 1, 0, NULL, COUNT(workspace_manager_events), workspace_manager_events,
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
INTERFACE(group, "ext_workspace_group_handle_v1", 1);

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
INTERFACE(workspace, "ext_workspace_handle_v1", 1);

const struct wl_interface *cwayland_workspace_manager(void) { return &workspace_manager; }
