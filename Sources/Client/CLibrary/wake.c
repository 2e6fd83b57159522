/* SPDX-License-Identifier: Apache-2.0
 *
 * One descriptor for a main loop: an epoll instance with a timer and the watched descriptors.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "handle.h"

int64_t orientation_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000) + time.tv_nsec / 1000000;
}

int orientation_watch(const struct wake *wake, int fd, uint32_t events, bool is_new) {
    struct epoll_event event = {.events = events};
    return epoll_ctl(wake->epoll, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event) < 0 ? -errno : 0;
}

void orientation_unwatch(const struct wake *wake, int fd) {
    /* A child process may have a copy of the descriptor, which would stay watched. */
    if (wake->epoll >= 0) epoll_ctl(wake->epoll, EPOLL_CTL_DEL, fd, NULL);
}

int orientation_open_wake(struct wake *wake) {
    wake->armed = NEVER;
    wake->epoll = epoll_create1(EPOLL_CLOEXEC);
    wake->timer = wake->epoll < 0 ? -1 : timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    int error = wake->timer < 0 ? -errno : orientation_watch(wake, wake->timer, EPOLLIN, true);
    if (error) orientation_close_wake(wake);
    return error;
}

/* Comes before the close of what is watched: a child process that closes its copies changes nothing in the shared instance. */
void orientation_close_wake(struct wake *wake) {
    if (wake->timer >= 0) close(wake->timer);
    if (wake->epoll >= 0) close(wake->epoll);
    wake->epoll = wake->timer = -1;
}

void orientation_arm(struct wake *wake, int64_t deadline) {
    /* A timer that has fired is readable until it is set again. */
    if (deadline == wake->armed && (deadline == NEVER || deadline > orientation_now())) return;
    wake->armed = deadline;
    struct itimerspec time = {0};
    if (deadline != NEVER) {
        time.it_value.tv_sec = deadline / 1000;
        /* 0 would stop the timer. */
        time.it_value.tv_nsec = deadline ? deadline % 1000 * 1000000 : 1;
    }
    timerfd_settime(wake->timer, TFD_TIMER_ABSTIME, &time, NULL);
}
