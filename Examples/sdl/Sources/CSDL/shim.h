// SPDX-License-Identifier: Apache-2.0
// SDL, and the macros that Swift cannot import.
#pragma once

#define SDL_MAIN_HANDLED
#include <SDL.h>
#include <SDL2_gfxPrimitives.h>

static const int csdl_position_undefined = SDL_WINDOWPOS_UNDEFINED;
