// SPDX-License-Identifier: Apache-2.0

// Preloaded into the program under attack: emulates a kernel before 6.16, without SO_PASSRIGHTS.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/socket.h>

#define PASSRIGHTS 83

int setsockopt(int descriptor, int level, int name, const void *value, socklen_t length) {
    if (level == SOL_SOCKET && name == PASSRIGHTS) {
        errno = ENOPROTOOPT;
        return -1;
    }
    int (*real)(int, int, int, const void *, socklen_t) = dlsym(RTLD_NEXT, "setsockopt");
    return real(descriptor, level, name, value, length);
}
