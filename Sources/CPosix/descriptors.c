// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
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

// The state shared by the two threads of one call; owned by the caller, which joins the other thread.
struct handover {
    const int *descriptors;
    size_t count;
    pid_t thread;
    int isUnshared;
    sem_t isReady;
    sem_t mayEnd;
};

static void wait_for(sem_t *semaphore) {
    while (sem_wait(semaphore) < 0 && errno == EINTR) {
    }
}

static void *hold(void *argument) {
    struct handover *handover = argument;
    handover->thread = (pid_t)syscall(SYS_gettid);
    handover->isUnshared = unshare(CLONE_FILES) == 0;
#ifdef SYS_close_range
    // Keep only these descriptors: copies of other files would delay the release of their locks and their end of file.
    if (handover->isUnshared) {
        unsigned first = 0;
        for (size_t i = 0; i < handover->count; first = (unsigned)handover->descriptors[i++] + 1)
            if ((unsigned)handover->descriptors[i] > first)
                syscall(SYS_close_range, first, (unsigned)handover->descriptors[i] - 1, 0);
        syscall(SYS_close_range, first, ~0U, 0);
    }
#endif
    sem_post(&handover->isReady);
    wait_for(&handover->mayEnd);
    return NULL;
}

static int by_number(const void *one, const void *other) { return *(const int *)one - *(const int *)other; }

// Held from copying the descriptor table until the originals are closed. Otherwise a second caller could close its
// sockets while the first thread holds copies of them: the first caller would then drop the last reference, and block.
static pthread_mutex_t copying = PTHREAD_MUTEX_INITIALIZER;

static void close_all(const int *descriptors, size_t count) {
    for (size_t i = 0; i < count; i++)
        close(descriptors[i]);
}

// Ends a thread that runs `hold`. pthread_join returns before the kernel drops the thread's descriptors, which can take
// long: this waits until the id of the thread disappears.
static void end(pthread_t thread, struct handover *handover) {
    sem_post(&handover->mayEnd);
    pthread_join(thread, NULL);
    struct timespec pause = {.tv_nsec = 100 * 1000};
    while (handover->isUnshared && syscall(SYS_tgkill, getpid(), handover->thread, 0) == 0) {
        nanosleep(&pause, NULL);
        if (pause.tv_nsec < 100 * 1000 * 1000)
            pause.tv_nsec *= 2;
    }
}

// Closes the descriptors while a thread holds copies of them; if no thread can be created, without copies. Returns -1,
// and closes nothing, if unshare failed: close may then block, and the mutex must not be held meanwhile.
static int close_with_copies(const int *descriptors, size_t count) {
    struct handover handover = {.descriptors = descriptors, .count = count};
    pthread_t thread;
    sem_init(&handover.isReady, 0, 0);
    sem_init(&handover.mayEnd, 0, 0);
    pthread_mutex_lock(&copying);
    int hasThread = pthread_create(&thread, NULL, hold, &handover) == 0;
    if (hasThread)
        wait_for(&handover.isReady);
    int mayClose = !hasThread || handover.isUnshared;
    if (mayClose)
        close_all(descriptors, count);
    pthread_mutex_unlock(&copying);
    if (hasThread)
        end(thread, &handover);
    sem_destroy(&handover.isReady);
    sem_destroy(&handover.mayEnd);
    return mayClose ? 0 : -1;
}

void cposix_close_without_linger(int *descriptors, size_t count, int mayUnshare) {
    qsort(descriptors, count, sizeof *descriptors, by_number);
    if (!mayUnshare || close_with_copies(descriptors, count) < 0)
        close_all(descriptors, count);
}
