// SPDX-License-Identifier: Apache-2.0
// SDL, and the macros that Swift cannot import.
#pragma once

#define SDL_MAIN_HANDLED
#include <SDL.h>
// The types of X11 have names of InterfaceRotation.
#undef SDL_VIDEO_DRIVER_X11
#include <SDL_syswm.h>
#include <SDL2_gfxPrimitives.h>

// The connection to the Wayland compositor; null if the window is on another display server.
static inline struct wl_display *csdl_wayland_display(SDL_Window *window) {
    SDL_SysWMinfo info;
    SDL_VERSION(&info.version);
    int is_known = SDL_GetWindowWMInfo(window, &info) && info.subsystem == SDL_SYSWM_WAYLAND;
    return is_known ? info.info.wl.display : 0;
}

static const int csdl_position_undefined = SDL_WINDOWPOS_UNDEFINED;
