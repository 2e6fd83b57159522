// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stddef.h>

#include "CWayland.h"

// Defined by libwayland-client.
extern const struct wl_interface wl_callback_interface, wl_output_interface, wl_registry_interface, wl_seat_interface,
    wl_surface_interface;

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

// The interfaces of a message's arguments: one for each argument, NULL for numbers and strings.
#define TYPES(...) ((const struct wl_interface *[]){__VA_ARGS__})

// For messages with at most eight arguments, none of which is an object.
#define PLAIN TYPES(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)

#define INTERFACE(name, version, requests, events) \
    {name, version, COUNT(requests), requests, COUNT(events), events}
