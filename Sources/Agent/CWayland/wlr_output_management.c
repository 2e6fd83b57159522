// SPDX-License-Identifier: Apache-2.0

#include "tables.h"

static const struct wl_interface manager, head, mode, configuration, configuration_head;

static const struct wl_message manager_requests[] = {
    {"create_configuration", "nu", TYPES(&configuration, NULL)},
};
static const struct wl_message manager_events[] = {
    {"head", "n", TYPES(&head)},
    {"done", "u", PLAIN},
    {"finished", "", PLAIN},
};
static const struct wl_interface manager = INTERFACE("zwlr_output_manager_v1", 4, manager_requests, manager_events);

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
static const struct wl_interface head = INTERFACE("zwlr_output_head_v1", 4, head_requests, head_events);

static const struct wl_message mode_requests[] = {
    {"release", "3", PLAIN},
};
static const struct wl_message mode_events[] = {
    {"size", "ii", PLAIN},
    {"refresh", "i", PLAIN},
    {"preferred", "", PLAIN},
    {"finished", "", PLAIN},
};
static const struct wl_interface mode = INTERFACE("zwlr_output_mode_v1", 3, mode_requests, mode_events);

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
static const struct wl_interface configuration =
    INTERFACE("zwlr_output_configuration_v1", 4, configuration_requests, configuration_events);

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

const struct wl_interface *cwayland_wlr_output_manager(void) { return &manager; }
const struct wl_interface *cwayland_wlr_output_configuration(void) { return &configuration; }
const struct wl_interface *cwayland_wlr_output_configuration_head(void) { return &configuration_head; }
