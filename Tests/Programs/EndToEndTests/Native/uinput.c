// SPDX-License-Identifier: Apache-2.0

// Preloaded into the program under test: /dev/uinput is the file ORIENTATIOND_UINPUT, to which a line is appended for each
// step of a device: `created NAME at PATH`, `switch VALUE` and `removed`. The device belongs to the process that opened it and to
// its child, the guardian: the last of them removes it. As in the kernel, writing the current position is not a step.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/uinput.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define REAL(result, name, ...) ((result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

static int device = -1;
static pid_t owner;
static int *position;
static unsigned long kinds, switches;
static char name[UINPUT_MAX_NAME_SIZE], path[64];

static void print(const char *text) {
    if (REAL(ssize_t, "write", int, const void *, size_t)(device, text, strlen(text)) < 0) abort();
}

#define OPEN(function)                                                                                                 \
    int function(const char *file, int flags, ...) {                                                                   \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        int mode = va_arg(rest, int);                                                                                  \
        va_end(rest);                                                                                                  \
        int (*real)(const char *, int, ...) = REAL(int, #function, const char *, int, ...);                            \
        if (strcmp(file, "/dev/uinput") != 0) return real(file, flags, mode);                                          \
        owner = getpid();                                                                                              \
        position = mmap(NULL, sizeof *position, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);                  \
        return device = real(getenv("ORIENTATIOND_UINPUT"), O_WRONLY | O_APPEND | O_CLOEXEC);                          \
    }
OPEN(open)
OPEN(open64)

int ioctl(int descriptor, unsigned long request, ...) {
    va_list rest;
    va_start(rest, request);
    void *value = va_arg(rest, void *);
    va_end(rest);
    if (descriptor != device || device < 0)
        return REAL(int, "ioctl", int, unsigned long, ...)(descriptor, request, value);
    char line[256];
    switch (request) {
    case UI_SET_EVBIT: kinds |= 1UL << (unsigned long)value; break;
    case UI_SET_SWBIT: switches |= 1UL << (unsigned long)value; break;
    case UI_SET_PHYS: snprintf(path, sizeof path, "%s", (char *)value); break;
    case UI_DEV_SETUP: memcpy(name, ((struct uinput_setup *)value)->name, sizeof name); break;
    case UI_DEV_CREATE:
        // Bits besides EV_SW and SW_TABLET_MODE are a fault.
        if (kinds != 1UL << EV_SW || switches != 1UL << SW_TABLET_MODE) abort();
        snprintf(line, sizeof line, "created %s at %s\n", name, path);
        print(line);
        break;
    default: abort();
    }
    return 0;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (descriptor != device || device < 0)
        return REAL(ssize_t, "write", int, const void *, size_t)(descriptor, bytes, count);
    const struct input_event *event = bytes;
    if (count != 2 * sizeof *event || event->type != EV_SW || event->code != SW_TABLET_MODE || event[1].type != EV_SYN)
        abort();
    if (event->value != *position) print(event->value ? "switch 1\n" : "switch 0\n");
    *position = event->value;
    return (ssize_t)count;
}

int close(int descriptor) {
    if (descriptor == device && device >= 0) {
        // Without a child, which would still hold the device.
        if (waitpid(-1, NULL, WNOHANG) < 0) print("removed\n");
        device = -1;
    }
    return REAL(int, "close", int)(descriptor);
}

void _exit(int status) {
    if (device >= 0 && getppid() != owner) print("removed\n");
    REAL(void, "_exit", int)(status);
    __builtin_unreachable();
}
