/* SPDX-License-Identifier: Apache-2.0
 *
 * The handle: which backend is tried and followed, and when.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

enum {
    /* In ms. A service that was followed for less, because it crashes on each client, does not reset the backoff. */
    PROVING_TIME = 1000,
    /* The delays double up to a maximum that grows with the outage: without a service, the processor can sleep. */
    FIRST_DELAY = 50,
    SHORTEST_MAXIMUM = 400,
    LONGEST_MAXIMUM = 10000,
};

int64_t orientation_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000) + time.tv_nsec / 1000000;
}

int64_t orientation_backoff(struct backoff *backoff) {
    int64_t wanted = backoff->outage / 64, maximum = wanted < LONGEST_MAXIMUM ? wanted : LONGEST_MAXIMUM;
    if (maximum < SHORTEST_MAXIMUM) maximum = SHORTEST_MAXIMUM;
    backoff->delay = backoff->delay ? backoff->delay * 2 : FIRST_DELAY;
    if (backoff->delay > maximum) backoff->delay = maximum;
    /* Jitter of up to a quarter spreads the attempts of many programs. */
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    int64_t delay = backoff->delay - time.tv_nsec / 1000 % (backoff->delay / 4 + 1);
    backoff->outage += delay;
    return delay;
}

void orientation_copy_text(char *target, size_t size, const char *text) {
    size_t length = strnlen(text, size - 1), last = length;
    /* Omits a last character that is not whole: the text may have been cut before. */
    while (last > 0 && (text[--last] & 0xc0) == 0x80) continue;
    unsigned char lead = length ? (unsigned char)text[last] : 0;
    if (length - last < (lead >= 0xf0 ? 4u : lead >= 0xe0 ? 3u : lead >= 0xc0 ? 2u : 1u)) length = last;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        bool is_c1 = byte == 0xc2 && i + 1 < length && (unsigned char)text[i + 1] < 0xa0;
        target[i] = byte < 0x20 || byte == 0x7f || is_c1 ? ' ' : text[i];
        if (is_c1) target[++i] = ' ';
    }
    target[length] = 0;
}

int orientation_fail(struct orientation *handle, int error, const char *format, ...) {
    char text[SENTENCE] = "; ", *end = handle->failures + strlen(handle->failures);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + 2, sizeof text - 2, format, arguments);
    va_end(arguments);
    size_t room = sizeof handle->failures - (size_t)(end - handle->failures);
    orientation_copy_text(end, room, end == handle->failures ? text + 2 : text);
    return error;
}

int orientation_watch(struct orientation *handle, int fd, uint32_t events, bool is_new) {
    struct epoll_event event = {.events = events};
    return epoll_ctl(handle->epoll, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, &event) < 0 ? -errno : 0;
}

void orientation_begin_state(const struct orientation *handle, struct orientation_state *state) {
    /* With its padding: states are compared. */
    memset(state, 0, sizeof *state);
    state->size = sizeof *state;
    state->rotation = state->locked = state->tablet_mode = -1;
    state->held = handle->state.held;
    memcpy(state->hold_reason, handle->state.hold_reason, sizeof state->hold_reason);
}

void orientation_set_state(struct orientation *handle, struct orientation_state *state) {
    state->sequence = handle->state.sequence;
    if (memcmp(state, &handle->state, sizeof *state) == 0) return;
    state->sequence++;
    memcpy(&handle->state, state, sizeof *state);
    handle->events |= ORIENTATION_CHANGED;
}

void orientation_publish(struct orientation *handle, struct orientation_state *state) {
    orientation_copy_text(state->backend, sizeof state->backend, handle->backends[handle->attempt]->name);
    if (handle->phase == TRYING) {
        handle->phase = FOLLOWING;
        handle->followed = orientation_now();
        handle->deadline = NEVER;
    }
    orientation_set_state(handle, state);
}

static bool is_connected(const struct orientation *handle) {
    return handle->phase == TRYING || handle->phase == FOLLOWING;
}

static void disconnect(struct orientation *handle) {
    if (is_connected(handle)) handle->backends[handle->attempt]->close(handle);
}

static void publish_failures(struct orientation *handle) {
    struct orientation_state state;
    orientation_begin_state(handle, &state);
    memcpy(state.backend, "none", sizeof "none");
    memcpy(state.reason, handle->failures, sizeof state.reason);
    orientation_set_state(handle, &state);
}

static void wait_for_next_round(struct orientation *handle) {
    publish_failures(handle);
    handle->phase = WAITING;
    handle->deadline = orientation_now() + orientation_backoff(&handle->backoff);
}

static void try_backends(struct orientation *handle) {
    for (; handle->attempt < handle->backend_count; handle->attempt++) {
        handle->phase = TRYING;
        handle->deadline = orientation_now() + REPLY_TIMEOUT;
        int result = handle->backends[handle->attempt]->open(handle);
        if (result == 0) return;
        disconnect(handle);
        if (handle->attempt == 0 && result != -ENOENT) handle->upgrade = orientation_now() + LONGEST_MAXIMUM;
    }
    wait_for_next_round(handle);
}

static void begin_round(struct orientation *handle) {
    disconnect(handle);
    handle->attempt = 0;
    handle->failures[0] = 0;
    try_backends(handle);
}

/* The backend failed: the next one is tried, or after a while the first one. */
static void lose(struct orientation *handle) {
    disconnect(handle);
    if (handle->phase == TRYING) {
        if (handle->attempt++ == 0) handle->upgrade = orientation_now() + LONGEST_MAXIMUM;
        try_backends(handle);
    } else if (orientation_now() - handle->followed < PROVING_TIME) {
        wait_for_next_round(handle);
    } else {
        handle->backoff = (struct backoff){0};
        begin_round(handle);
    }
}

/* Whether the daemon's socket has appeared while iio-sensor-proxy is followed. Asked only after a change: while nothing
 * changes, nothing wakes the program. */
static bool can_upgrade(const struct orientation *handle) {
    struct endpoint endpoint;
    orientation_find_daemon(handle, &endpoint);
    return handle->phase == FOLLOWING && handle->attempt > 0 && handle->events & ORIENTATION_CHANGED
        && orientation_now() >= handle->upgrade && access(endpoint.path, F_OK) == 0;
}

unsigned orientation_process(struct orientation *handle) {
    int64_t now = orientation_now();
    if (handle->phase == WAITING && now >= handle->deadline) {
        begin_round(handle);
    } else if (is_connected(handle)) {
        if (handle->phase == FOLLOWING) handle->failures[0] = 0;
        const struct backend *backend = handle->backends[handle->attempt];
        int result = backend->process(handle);
        if (result == 0 && handle->phase == TRYING && now >= handle->deadline)
            result = orientation_fail(
                handle, -ETIMEDOUT, "%s: timed out: no state within %d s", backend->name, REPLY_TIMEOUT / 1000);
        if (result < 0) lose(handle);
        else if (can_upgrade(handle)) begin_round(handle);
    }
    orientation_calls_process(handle, now);
    unsigned events = handle->events;
    handle->events = 0;
    return events;
}

int orientation_timeout(const struct orientation *handle) {
    int64_t deadline = handle->events ? 0 : orientation_calls_deadline(handle);
    if ((handle->phase == WAITING || handle->phase == TRYING) && handle->deadline < deadline) deadline = handle->deadline;
    if (is_connected(handle) && handle->backends[handle->attempt]->deadline) {
        int64_t other = handle->backends[handle->attempt]->deadline(handle);
        if (other < deadline) deadline = other;
    }
    if (deadline == NEVER) return -1;
    int64_t left = deadline - orientation_now();
    return left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

void orientation_suspend(struct orientation *handle) {
    if (handle->phase == SUSPENDED || handle->phase == ENDED) return;
    disconnect(handle);
    handle->phase = SUSPENDED;
}

void orientation_resume(struct orientation *handle) {
    if (handle->phase != SUSPENDED) return;
    handle->backoff = (struct backoff){0};
    handle->phase = WAITING;
    handle->deadline = 0;
}

/* Sets the backends to try, and the first reason. `source` is what names the backend. */
static void choose_backends(struct orientation *handle, const char *source, const char *name) {
    const struct backend *all[] = {
        &orientation_varlink,
#ifdef ORIENTATION_HAS_BUS
        &orientation_sensorproxy,
#endif
    };
    bool is_auto = strcmp(name, "auto") == 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (is_auto || strcmp(name, all[i]->name) == 0) handle->backends[handle->backend_count++] = all[i];
    if (strcmp(name, "none") == 0)
        orientation_fail(handle, 0, "no service is used: the backend is none");
    else if (!handle->backend_count)
        orientation_fail(
            handle, 0, "%s: invalid value '%.40s': must be auto, varlink, %snone", source, name,
            sizeof all / sizeof *all > 1 ? "sensorproxy, " : "");
    else
        orientation_fail(handle, 0, "no service has replied yet");
}

int orientation_open(const struct orientation_options *given, struct orientation **result) {
    struct orientation_options options = {0};
    if (result) *result = NULL;
    if (!result || (given && given->size < sizeof given->size)) return -EINVAL;
    if (given) memcpy(&options, given, given->size < sizeof options ? given->size : sizeof options);
    if (options.socket && (!options.socket[0] || strlen(options.socket) >= PATH_LIMIT)) return -EINVAL;
    struct orientation *handle = calloc(1, sizeof *handle);
    if (!handle) return -ENOMEM;
    if ((handle->epoll = epoll_create1(EPOLL_CLOEXEC)) < 0) {
        int error = -errno;
        free(handle);
        return error;
    }
    handle->monitor.fd = handle->lock.fd = handle->hold.fd = -1;
    handle->hold_deadline = NEVER;
    handle->state.held = -1;
    if (options.socket) strcpy(handle->socket, options.socket);
    const char *variable = secure_getenv("ORIENTATION_BACKEND");
    if (variable && *variable) choose_backends(handle, "ORIENTATION_BACKEND", variable);
    else choose_backends(handle, "options.backend", options.backend ? options.backend : "auto");
    publish_failures(handle);
    if (handle->backend_count) {
        handle->state.sequence = handle->events = 0;
        handle->phase = WAITING;
    }
    *result = handle;
    return 0;
}

void orientation_close(struct orientation *handle) {
    if (!handle) return;
    /* First: a child process that closes its copy of the handle changes nothing in the epoll instance, which is shared. */
    close(handle->epoll);
    handle->epoll = -1;
    disconnect(handle);
    orientation_stream_close(handle, &handle->lock);
    orientation_stream_close(handle, &handle->hold);
    free(handle);
}

int orientation_fd(const struct orientation *handle) {
    return handle->epoll;
}

short orientation_events(const struct orientation *handle) {
    return POLLIN;
}

int orientation_state(const struct orientation *handle, struct orientation_state *state) {
    size_t size = state->size;
    if (size < sizeof size) return -EINVAL;
    memset(state, 0, size);
    memcpy(state, &handle->state, size < sizeof *state ? size : sizeof *state);
    state->size = size;
    return 0;
}

const char *orientation_error(const struct orientation *handle) {
    return handle->error;
}

static const char *const poses[] = {
    "unknown", "portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight", "faceUp", "faceDown"};

const char *orientation_pose_name(enum orientation_pose pose) {
    return (size_t)pose < sizeof poses / sizeof *poses ? poses[pose] : poses[0];
}

enum orientation_pose orientation_named_pose(const char *name) {
    for (size_t i = sizeof poses / sizeof *poses; i-- > 1;)
        if (strcmp(name, poses[i]) == 0) return (enum orientation_pose)i;
    return ORIENTATION_UNKNOWN;
}

const char *orientation_edge_name(enum orientation_edge edge) {
    static const char *const edges[] = {"unknown", "top", "left", "bottom", "right"};
    return (size_t)edge < sizeof edges / sizeof *edges ? edges[edge] : edges[0];
}
