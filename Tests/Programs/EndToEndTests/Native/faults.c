// SPDX-License-Identifier: Apache-2.0

// Preloaded into the program under test: makes its system calls fail, hang, or report a sleep of the machine.
//
// Before each call it reads the file ORIENTATIOND_FAULTS, which has lines such as `open /iio:device0 16`: the call, the
// end of the file's name, and the errno to return. With errno 0 the call hangs as long as the line exists.
//
// `write` fails opening an attribute for writing; `tune` does so while the device's buffer runs.
//
// A line `clock boottime 3600` adds that many seconds to CLOCK_BOOTTIME. A timer on the wall clock is the FIFO `jump`
// beside the file: writing to it has the effect of a canceled timer.
//
// A line `loop daemon 22` makes epoll_wait fail.
//
// A line `slow _raw 1` makes each read of such an attribute wait for a millisecond, as a driver waits for its bus.
//
// A line `mask /event4 1` makes EVIOCSMASK and EVIOCSCLOCKID of that node succeed; umockdev does not know them.
//
// IIO_GET_EVENT_FD_IOCTL returns the FIFO `events` beside the file; the call `ioctl` makes it fail.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/input.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define REAL(result, name, ...) ((result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

static int fault(const char *call, const char *file) {
    const char *list = getenv("ORIENTATIOND_FAULTS");
    char lines[1024], name[32], end[128];
    int code = -1, found = -1;
    if (!list || strcmp(list, file) == 0) return -1;
    // Not umockdev's functions, which keep the signal mask of their caller in a static variable: threads would exchange
    // their masks.
    int descriptor = syscall(SYS_openat, AT_FDCWD, list, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return -1;
    ssize_t count = syscall(SYS_read, descriptor, lines, sizeof lines - 1);
    syscall(SYS_close, descriptor);
    lines[count < 0 ? 0 : count] = 0;
    char *rest = lines;
    for (char *line; (line = strsep(&rest, "\n"));) {
        if (sscanf(line, "%31s %127s %d", name, end, &code) != 3 || strcmp(name, call) != 0) continue;
        size_t have = strlen(file), want = strlen(end);
        if (have >= want && strcmp(file + have - want, end) == 0) found = code;
    }
    return found;
}

// Returns 1 and sets errno if the call must fail.
static int refuses(const char *call, const char *file) {
    int code;
    while ((code = fault(call, file)) == 0) usleep(2000);
    if (code > 0) errno = code;
    return code > 0;
}

static int captured(const char *file) {
    char enable[PATH_MAX], state = 0;
    const char *slash = strrchr(file, '/');
    snprintf(enable, sizeof enable, "%.*s/buffer/enable", (int)(slash ? slash - file : 0), file);
    int descriptor = REAL(int, "open", const char *, int, ...)(enable, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return 0;
    if (read(descriptor, &state, 1) != 1) state = 0;
    close(descriptor);
    return state == '1';
}

// Returns 1 and sets errno if opening an attribute for writing must fail.
static int refuses_writing(const char *file) {
    return refuses("write", file) || (captured(file) && refuses("tune", file));
}

#define OPEN(name)                                                                                                     \
    int name(const char *file, int flags, ...) {                                                                       \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        int mode = va_arg(rest, int);                                                                                  \
        va_end(rest);                                                                                                  \
        if (refuses("open", file)) return -1;                                                                          \
        if ((flags & O_ACCMODE) == O_WRONLY && refuses_writing(file)) return -1;                                       \
        return REAL(int, #name, const char *, int, ...)(file, flags, mode);                                            \
    }
OPEN(open)
OPEN(open64)

// Writes the path of an open file.
static void read_path(int descriptor, char path[PATH_MAX]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = 0;
    // As the kernel does for a file that was removed after it was opened.
    char *mark = strstr(path, " (deleted)");
    if (mark) *mark = 0;
}

// libsystemd reads /sys with openat; from version 262 it opens each part of a path in the folder above.
static int refuses_in(int folder, const char *file) {
    char path[PATH_MAX] = "", whole[2 * PATH_MAX];
    if (file[0] != '/') read_path(folder, path);
    snprintf(whole, sizeof whole, "%s%s%s", path, *path ? "/" : "", file);
    return refuses("open", whole);
}

int openat64(int folder, const char *file, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int mode = va_arg(rest, int);
    va_end(rest);
    if (refuses_in(folder, file)) return -1;
    return REAL(int, "openat64", int, const char *, int, ...)(folder, file, flags, mode);
}

// As openat64, in a program that is built with _FORTIFY_SOURCE.
int __openat64_2(int folder, const char *file, int flags) { return openat64(folder, file, flags, 0); }

// libiio uses stdio.
#define FOPEN(name)                                                                                                    \
    FILE *name(const char *file, const char *mode) {                                                                   \
        if (mode[0] == 'w' ? refuses_writing(file) : refuses("open", file)) return NULL;                               \
        return REAL(FILE *, #name, const char *, const char *)(file, mode);                                            \
    }
FOPEN(fopen)
FOPEN(fopen64)

#define PREAD(name)                                                                                                    \
    ssize_t name(int descriptor, void *buffer, size_t count, off_t offset) {                                           \
        char file[PATH_MAX];                                                                                           \
        read_path(descriptor, file);                                                                                   \
        if (fault("slow", file) > 0) usleep(1000);                                                                     \
        if (refuses("read", file)) return -1;                                                                          \
        return REAL(ssize_t, #name, int, void *, size_t, off_t)(descriptor, buffer, count, offset);                    \
    }
PREAD(pread)
PREAD(pread64)

int epoll_wait(int descriptor, struct epoll_event *events, int count, int timeout) {
    if (refuses("loop", "daemon")) return -1;
    return REAL(int, "epoll_wait", int, struct epoll_event *, int, int)(descriptor, events, count, timeout);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = REAL(int, "clock_gettime", clockid_t, struct timespec *)(clock, time);
    int asleep = clock == CLOCK_BOOTTIME ? fault("clock", "boottime") : -1;
    if (result == 0 && asleep > 0) time->tv_sec += asleep;
    return result;
}

int timerfd_create(int clock, int flags) {
    const char *list = getenv("ORIENTATIOND_FAULTS");
    char pipe[PATH_MAX];
    if (clock == CLOCK_REALTIME && list) {
        snprintf(pipe, sizeof pipe, "%.*sjump", (int)(strlen(list) - strlen("list")), list);
        return REAL(int, "open", const char *, int, ...)(pipe, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    }
    return REAL(int, "timerfd_create", int, int)(clock, flags);
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *new, struct itimerspec *old) {
    // The FIFO has no time to set.
    if (flags & TFD_TIMER_CANCEL_ON_SET) return 0;
    return REAL(int, "timerfd_settime", int, int, const struct itimerspec *, struct itimerspec *)(
        descriptor, flags, new, old);
}

int ioctl(int descriptor, unsigned long request, ...) {
    const char *list = getenv("ORIENTATIOND_FAULTS");
    char link[64], file[PATH_MAX];
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    int masks = request == EVIOCSMASK || request == EVIOCSCLOCKID;
    if ((request != _IOR('i', 0x90, int) && !masks) || !list)
        return REAL(int, "ioctl", int, unsigned long, ...)(descriptor, request, argument);
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, file, sizeof file - 1);
    file[length < 0 ? 0 : length] = 0;
    if (masks) {
        if (fault("mask", file) > 0) return 0;
        return REAL(int, "ioctl", int, unsigned long, ...)(descriptor, request, argument);
    }
    if (refuses("ioctl", file)) return -1;
    snprintf(file, sizeof file, "%.*sevents", (int)(strlen(list) - strlen("list")), list);
    int events = REAL(int, "open", const char *, int, ...)(file, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (events < 0) return -1;
    *(int *)argument = events;
    return 0;
}
