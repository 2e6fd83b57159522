// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtk/gtk.h>
#include <gdk/wayland/gdkwayland.h>
#include <glib-unix.h>
