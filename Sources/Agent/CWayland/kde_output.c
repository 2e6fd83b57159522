// SPDX-License-Identifier: Apache-2.0

// kde-output-device-v2 and kde-output-management-v2, which refer to each other.

#include <stddef.h>

#include "tables.h"

static const struct wl_interface registry, device, mode, management, configuration;

static const struct wl_message registry_requests[] = {
    {"stop", "21", PLAIN},
};
static const struct wl_message registry_events[] = {
    {"finished", "21", PLAIN},
    {"output", "21n", TYPES(&device)},
};
static const struct wl_interface registry = {
    "kde_output_device_registry_v2", 21, COUNT(registry_requests), registry_requests,
    COUNT(registry_events), registry_events,
};

static const struct wl_message device_requests[] = {
    {"release", "21", PLAIN},
};
static const struct wl_message device_events[] = {
    {"geometry", "iiiiissi", PLAIN},
    {"current_mode", "o", TYPES(&mode)},
    {"mode", "n", TYPES(&mode)},
    {"done", "", PLAIN},
    {"scale", "f", PLAIN},
    {"edid", "s", PLAIN},
    {"enabled", "i", PLAIN},
    {"uuid", "s", PLAIN},
    {"serial_number", "s", PLAIN},
    {"eisa_id", "s", PLAIN},
    {"capabilities", "u", PLAIN},
    {"overscan", "u", PLAIN},
    {"vrr_policy", "u", PLAIN},
    {"rgb_range", "u", PLAIN},
    {"name", "2s", PLAIN},
    {"high_dynamic_range", "3u", PLAIN},
    {"sdr_brightness", "3u", PLAIN},
    {"wide_color_gamut", "3u", PLAIN},
    {"auto_rotate_policy", "4u", PLAIN},
    {"icc_profile_path", "5s", PLAIN},
    {"brightness_metadata", "6uuu", PLAIN},
    {"brightness_overrides", "6iii", PLAIN},
    {"sdr_gamut_wideness", "6u", PLAIN},
    {"color_profile_source", "7u", PLAIN},
    {"brightness", "8u", PLAIN},
    {"color_power_tradeoff", "10u", PLAIN},
    {"dimming", "11u", PLAIN},
    {"replication_source", "13s", PLAIN},
    {"ddc_ci_allowed", "14u", PLAIN},
    {"max_bits_per_color", "15u", PLAIN},
    {"max_bits_per_color_range", "15uu", PLAIN},
    {"automatic_max_bits_per_color_limit", "15u", PLAIN},
    {"edr_policy", "16u", PLAIN},
    {"sharpness", "17u", PLAIN},
    {"priority", "18u", PLAIN},
    {"auto_brightness", "20u", PLAIN},
    {"removed", "21", PLAIN},
};
static const struct wl_interface device = {
    "kde_output_device_v2", 21, COUNT(device_requests), device_requests, COUNT(device_events), device_events,
};

static const struct wl_message mode_events[] = {
    {"size", "ii", PLAIN},
    {"refresh", "i", PLAIN},
    {"preferred", "", PLAIN},
    {"removed", "", PLAIN},
    {"flags", "19u", PLAIN},
};
static const struct wl_interface mode = {
    "kde_output_device_mode_v2", 21, 0, NULL, COUNT(mode_events), mode_events,
};

static const struct wl_message management_requests[] = {
    {"create_configuration", "n", TYPES(&configuration)},
};
static const struct wl_interface management = {
    "kde_output_management_v2", 12, COUNT(management_requests), management_requests, 0, NULL,
};

static const struct wl_message configuration_requests[] = {
    {"enable", "oi", TYPES(&device, NULL)},
    {"mode", "oo", TYPES(&device, &mode)},
    {"transform", "oi", TYPES(&device, NULL)},
    {"position", "oii", TYPES(&device, NULL, NULL)},
    {"scale", "of", TYPES(&device, NULL)},
    {"apply", "", PLAIN},
    {"destroy", "", PLAIN},
};
static const struct wl_message configuration_events[] = {
    {"applied", "", PLAIN},
    {"failed", "", PLAIN},
    {"failure_reason", "12s", PLAIN},
};
static const struct wl_interface configuration = {
    "kde_output_configuration_v2", 12, COUNT(configuration_requests), configuration_requests,
    COUNT(configuration_events), configuration_events,
};

const struct wl_interface *cwayland_kde_output_device_registry(void) { return &registry; }
const struct wl_interface *cwayland_kde_output_device(void) { return &device; }
const struct wl_interface *cwayland_kde_output_management(void) { return &management; }
const struct wl_interface *cwayland_kde_output_configuration(void) { return &configuration; }
