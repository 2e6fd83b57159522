// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

int cposix_refuse_descriptors(int socket) {
    int off = 0;
    return setsockopt(socket, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof off);
}

int cposix_refuses_descriptors(int socket) {
    int passes = 1;
    socklen_t size = sizeof passes;
    return getsockopt(socket, SOL_SOCKET, SO_PASSRIGHTS, &passes, &size) == 0 && !passes;
}

ssize_t cposix_peek(int socket, void *buffer, size_t size, int *hasDescriptors) {
    struct iovec bytes = {.iov_base = buffer, .iov_len = size};
    struct msghdr message = {.msg_iov = &bytes, .msg_iovlen = 1};
    ssize_t count = recvmsg(socket, &message, MSG_PEEK | MSG_DONTWAIT);
    *hasDescriptors = count >= 0 && message.msg_flags & MSG_CTRUNC;
    return count;
}

static int by_number(const void *one, const void *other) { return *(const int *)one - *(const int *)other; }

static void close_all(const int *descriptors, size_t count) {
    for (size_t i = 0; i < count; i++)
        close(descriptors[i]);
}

void cposix_close_others(const int *kept, size_t count) {
#ifdef SYS_close_range
    unsigned first = 0;
    for (size_t i = 0; i < count; first = (unsigned)kept[i++] + 1)
        if ((unsigned)kept[i] > first)
            syscall(SYS_close_range, first, (unsigned)kept[i] - 1, 0);
    syscall(SYS_close_range, first, ~0U, 0);
#else
    (void)kept, (void)count;
#endif
}

// Creates a process that holds copies of the descriptors until it is killed. Only system calls are made in it: other
// threads may hold locks. Without an exit signal, the program's own waits and its handler of SIGCHLD do not see it.
static pid_t make_holder(const int *descriptors, size_t count) {
    pid_t parent = getpid();
    pid_t process = (pid_t)syscall(SYS_clone, 0, 0, 0, 0, 0);
    if (process != 0)
        return process;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    cposix_close_others(descriptors, count);
    for (;;)
        pause();
}

// Held from copying the descriptor table until the originals are closed. Otherwise a second caller could close its
// sockets while the first process holds copies of them: the first caller would then drop the last reference, and block.
static pthread_mutex_t copying = PTHREAD_MUTEX_INITIALIZER;

void cposix_close_without_linger(int *descriptors, size_t count, int mayCopy) {
    qsort(descriptors, count, sizeof *descriptors, by_number);
    pid_t holder = -1;
    if (mayCopy) {
        pthread_mutex_lock(&copying);
        holder = make_holder(descriptors, count);
        if (holder > 0)
            close_all(descriptors, count);
        pthread_mutex_unlock(&copying);
    }
    // Without copies close may block, and the mutex must not be held.
    if (holder < 0) {
        close_all(descriptors, count);
        return;
    }
    kill(holder, SIGKILL);
    while (waitpid(holder, NULL, __WALL) < 0 && errno == EINTR) {
    }
}

// From linux/iio/events.h, which not every system has.
#define IIO_GET_EVENT_FD _IOR('i', 0x90, int)

int cposix_iio_event_descriptor(int node) {
    int events = -1;
    if (ioctl(node, IIO_GET_EVENT_FD, &events) < 0)
        return -1;
    // The kernel opens it with O_CLOEXEC.
    int flags = fcntl(events, F_GETFL);
    if (flags >= 0 && fcntl(events, F_SETFL, flags | O_NONBLOCK) == 0)
        return events;
    int code = errno;
    close(events);
    errno = code;
    return -1;
}
