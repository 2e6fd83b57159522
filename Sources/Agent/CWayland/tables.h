// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "CWayland.h"

#define COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

// The interfaces of a message's arguments: one for each argument, NULL for numbers and strings.
#define TYPES(...) ((const struct wl_interface *[]){__VA_ARGS__})

// For messages with at most eight arguments, none of which is an object.
#define PLAIN TYPES(NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
