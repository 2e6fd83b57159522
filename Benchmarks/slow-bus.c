// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into the daemon: each read of an axis sleeps, as it does on hardware while the driver waits for its bus.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Six bytes on an I2C bus at 400 kHz, with the driver's own work, in microseconds.
enum { READING = 300 };

ssize_t pread(int fd, void *buffer, size_t count, off_t offset) {
    char link[64], file[PATH_MAX] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    if (readlink(link, file, sizeof file - 1) > 0 && strstr(file, "/in_accel_") && strstr(file, "_raw"))
        usleep(READING);
    return ((ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT, "pread"))(fd, buffer, count, offset);
}
