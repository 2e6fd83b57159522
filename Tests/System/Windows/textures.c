// SPDX-License-Identifier: Apache-2.0

// Preloaded into an SDL program: the first $FAILING_RENDERERS renderers cannot draw into textures.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { TARGET = 2 };  // SDL_TEXTUREACCESS_TARGET
static int renderers;

void *SDL_CreateRenderer(void *window, int index, uint32_t flags)
{
    void *(*create)(void *, int, uint32_t) = dlsym(RTLD_NEXT, "SDL_CreateRenderer");
    renderers++;
    return create(window, index, flags);
}

void *SDL_CreateTexture(void *renderer, uint32_t format, int access, int width, int height)
{
    void *(*create)(void *, uint32_t, int, int, int) = dlsym(RTLD_NEXT, "SDL_CreateTexture");
    const char *failing = getenv("FAILING_RENDERERS");
    if (access == TARGET && failing && renderers <= atoi(failing)) return NULL;
    return create(renderer, format, access, width, height);
}
