// SPDX-License-Identifier: Apache-2.0

#include <stddef.h>

#include "tables.h"

// Defined by libwayland-client.
extern const struct wl_interface wl_surface_interface;

static const struct wl_interface management, window;

static const struct wl_message management_requests[] = {
    {"show_desktop", "u", PLAIN},
    {"get_window", "nu", TYPES(&window, NULL)},
    {"get_window_by_uuid", "12ns", TYPES(&window, NULL)},
};
static const struct wl_message management_events[] = {
    {"show_desktop_changed", "u", PLAIN},
    {"window", "u", PLAIN},
    {"stacking_order_changed", "11a", PLAIN},
    {"stacking_order_uuid_changed", "12s", PLAIN},
    {"window_with_uuid", "13us", PLAIN},
    {"stacking_order_changed_2", "17", PLAIN},
};
static const struct wl_interface management = {
    "org_kde_plasma_window_management", 17, COUNT(management_requests), management_requests,
    COUNT(management_events), management_events,
};

static const struct wl_message window_requests[] = {
    {"set_state", "uu", PLAIN},
    {"set_virtual_desktop", "u", PLAIN},
    {"set_minimized_geometry", "ouuuu", TYPES(&wl_surface_interface, NULL, NULL, NULL, NULL)},
    {"unset_minimized_geometry", "o", TYPES(&wl_surface_interface)},
    {"close", "", PLAIN},
    {"request_move", "3", PLAIN},
    {"request_resize", "3", PLAIN},
    {"destroy", "4", PLAIN},
};
static const struct wl_message window_events[] = {
    {"title_changed", "s", PLAIN},
    {"app_id_changed", "s", PLAIN},
    {"state_changed", "u", PLAIN},
    {"virtual_desktop_changed", "i", PLAIN},
    {"themed_icon_name_changed", "s", PLAIN},
    {"unmapped", "", PLAIN},
    {"initial_state", "4", PLAIN},
    {"parent_window", "5?o", TYPES(&window)},
    {"geometry", "6iiuu", PLAIN},
    {"icon_changed", "7", PLAIN},
    {"pid_changed", "u", PLAIN},
    {"virtual_desktop_entered", "8s", PLAIN},
    {"virtual_desktop_left", "8s", PLAIN},
    {"application_menu", "10ss", PLAIN},
    {"activity_entered", "14s", PLAIN},
    {"activity_left", "14s", PLAIN},
    {"resource_name_changed", "16s", PLAIN},
};
static const struct wl_interface window = {
    "org_kde_plasma_window", 17, COUNT(window_requests), window_requests, COUNT(window_events), window_events,
};

const struct wl_interface *cwayland_plasma_window_management(void) { return &management; }
const struct wl_interface *cwayland_plasma_window(void) { return &window; }
