/* SPDX-License-Identifier: Apache-2.0
 *
 * The handle: performs what the state machines decide.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "handle.h"

static const struct backend *const all_backends[] = {
    &orientation_varlink,
#ifdef ORIENTATION_HAS_BUS
    &orientation_sensorproxy,
#endif
};
enum { BACKENDS = sizeof all_backends / sizeof *all_backends };

/* Returns the backend that is tried or followed; null without one. */
static const struct backend *current(const struct orientation *handle) {
    const struct follower *follower = &handle->follower;
    return follower->phase == TRYING || follower->phase == FOLLOWING ? handle->backends[follower->attempt] : NULL;
}

/* Sets the time at which the descriptor becomes readable. */
static void arm(const struct orientation *handle) {
    const struct holder *holder = &handle->holder;
    const int64_t times[] = {
        handle->follower.deadline, handle->monitor.wake_up, handle->probe.wake_up, handle->bus_deadline, handle->request.wake_up,
        holder->follower.deadline, holder->call.wake_up, holder->search, handle->alarm};
    int64_t first = handle->has_more || handle->events ? 0 : NEVER;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        if (times[i] < first) first = times[i];
    /* 0 would stop the timer. */
    struct itimerspec time = {.it_value = {.tv_sec = first / 1000, .tv_nsec = first ? first % 1000 * 1000000 : 1}};
    if (first == NEVER) memset(&time, 0, sizeof time);
    timerfd_settime(handle->timer, TFD_TIMER_ABSTIME, &time, NULL);
}

static void notify(struct orientation *handle, struct orientation_update update) {
    if (handle->setup.update) handle->setup.update(handle->setup.context, &update);
}

/* Notifies of the last reply to a call; with a failure, of a loss and the reply that says so. */
static void notify_of_call(
    struct orientation *handle, const struct orientation_call *call, const struct orientation_failure *failure
) {
    notify(handle, (struct orientation_update){
        .service = call->service, .process = call->process, .reply = call->reply ? call->buffer : NULL,
        .length = call->reply ? call->reply - 1 : 0, .failure = failure});
}

static void mark_change(struct orientation *handle) {
    handle->state.sequence++;
    handle->events |= ORIENTATION_CHANGED;
}

/* Sets a state of a backend, which knows nothing of holds. */
static void publish(struct orientation *handle, const char *backend, struct orientation_state *state) {
    orientation_copy_text(state->backend, sizeof state->backend, backend);
    state->held = handle->state.held;
    memcpy(state->hold_reason, handle->state.hold_reason, sizeof state->hold_reason);
    state->sequence = handle->state.sequence;
    if (memcmp(state, &handle->state, sizeof *state) == 0) return;
    memcpy(&handle->state, state, sizeof *state);
    mark_change(handle);
}

static void publish_failures(struct orientation *handle) {
    struct orientation_state state;
    orientation_begin_state(&state);
    memcpy(state.reason, handle->failures, sizeof state.reason);
    publish(handle, "none", &state);
}

/* Performs what the follower decides on an event; the failure is that of the backend. */
static void follow(struct orientation *handle, enum follower_event event, struct orientation_failure *failure) {
    struct follower *follower = &handle->follower;
    const struct backend *former = current(handle);
    bool was_followed = follower->phase == FOLLOWING;
    enum follower_effect effect = orientation_follow(follower, event, orientation_now());
    if (effect == NOTHING) return;
    if (former) former->close(handle);
    if (effect == REPORT_OUTAGE) publish_failures(handle);
    if (effect == REPORT_OUTAGE || (was_followed && failure)) {
        if (follower->count > 1) {
            memcpy(failure->reason, handle->failures, sizeof failure->reason);
            failure->service = NULL;
        }
        /* What the daemon replied before another backend was followed does not explain the loss of that one. */
        if (was_followed && former != &orientation_varlink) handle->monitor.reply = 0;
        notify_of_call(handle, &handle->monitor, failure);
    }
    /* The observer can have suspended the handle. */
    if (effect == CONNECT && current(handle)) {
        if (event == TIME_PASSED || event == FIRST_APPEARED) handle->failures[0] = 0;
        current(handle)->open(handle);
    }
}

/* The backend failed. */
static void fail(struct orientation *handle, struct orientation_failure *failure) {
    const char *service = failure->service;
    char sentence[2 * SENTENCE], text[4 * SENTENCE], *failures = handle->failures;
    snprintf(sentence, sizeof sentence, "%s%s%s", service ? service : "", service ? ": " : "", failure->reason);
    snprintf(text, sizeof text, "%s%s%s", failures, *failures ? "; " : "", sentence);
    /* A service can fail twice for the same reason in a round. */
    if (!strstr(failures, sentence)) orientation_copy_text(failures, sizeof handle->failures, text);
    /* A daemon whose socket exists may hang. */
    follow(handle, failure->error == ENOENT ? BACKEND_IS_ABSENT : BACKEND_FAILED, failure);
}

/* Whether the daemon's socket has appeared while iio-sensor-proxy is followed. Asked only after a change: while nothing
 * changes, nothing wakes the program. */
static bool has_daemon_appeared(const struct orientation *handle) {
    struct endpoint endpoint;
    return handle->follower.attempt > 0 && handle->events & ORIENTATION_CHANGED
        && orientation_find(ORIENTATION_DAEMON, handle->socket, &endpoint) && access(endpoint.path, F_OK) == 0;
}

/* Takes the next state or failure of the backend; returns whether there may be more. */
static bool take_state(struct orientation *handle) {
    const struct backend *backend = current(handle);
    struct orientation_failure failure = {0};
    struct orientation_state state;
    if (!backend) return false;
    if (handle->follower.phase == FOLLOWING) handle->failures[0] = 0;
    int result = backend->next(handle, &state, &failure);
    if (result == 0 && orientation_now() >= handle->follower.deadline) {
        failure.service = backend->service;
        result = orientation_fail(
            &failure, ORIENTATION_TIMED_OUT, ETIMEDOUT, "timed out: no reply within %d s", ORIENTATION_REPLY_TIMEOUT / 1000);
    }
    if (result == 1) {
        follow(handle, STATE_ARRIVED, NULL);
        publish(handle, backend->name, &state);
        if (backend == &orientation_varlink) notify_of_call(handle, &handle->monitor, NULL);
        else notify(handle, (struct orientation_update){.state = &handle->state});
    }
    /* The observer can have suspended the handle. */
    if (!current(handle)) return false;
    if (result < 0) fail(handle, &failure);
    else if (result == 0 && has_daemon_appeared(handle)) follow(handle, FIRST_APPEARED, NULL);
    return result != 0;
}

/* Returns whether this is new. */
static bool set_held(struct orientation *handle, int held, const char *sentence) {
    struct orientation_state *state = &handle->state;
    if (held == state->held && strcmp(sentence, state->hold_reason) == 0) return false;
    state->held = held;
    orientation_copy_text(state->hold_reason, sizeof state->hold_reason, sentence);
    mark_change(handle);
    return true;
}

static int set_error(struct orientation *handle, int error, const char *subject, const char *reason) {
    char text[2 * SENTENCE];
    snprintf(text, sizeof text, "cannot %s: %s", subject, reason);
    orientation_copy_text(handle->error, sizeof handle->error, text);
    return error;
}

/* Reports a failure of a request. */
static void report(struct orientation *handle, const char *subject, const char *reason) {
    handle->events |= ORIENTATION_FAILED;
    set_error(handle, 0, subject, reason);
}

static const char lock_subject[] = "set the rotation lock", hold_subject[] = "hold the orientation";

/* Takes the next reply to the hold, or failure of a service; returns whether there may be more. */
static bool take_hold(struct orientation *handle) {
    const struct holder *holder = &handle->holder;
    int result = orientation_next_of_hold(handle);
    if (result == 0) return false;
    notify_of_call(handle, &holder->call, result < 0 ? &holder->call.failure : NULL);
    if (result == 1) set_held(handle, holder->applies, holder->sentence);
    else if (!orientation_retry_hold(handle) && set_held(handle, -1, holder->sentence))
        report(handle, hold_subject, holder->sentence);
    return true;
}

/* Takes the reply to the lock, or the next one to the call of the setup; returns whether there may be more. */
static bool take_reply_to_request(struct orientation *handle) {
    struct orientation_call *request = &handle->request;
    json_t *reply = NULL;
    int result = orientation_next_reply(request, &reply);
    if (result == 0) return false;
    const char *lost = orientation_member(json_object_get(reply, "parameters"), "notKept");
    char text[SENTENCE];
    snprintf(text, sizeof text, "the lock is set until the daemon stops: %.200s", lost);
    if (handle->call) notify_of_call(handle, request, result < 0 ? &request->failure : NULL);
    else if (result < 0 || *lost) report(handle, lock_subject, result < 0 ? request->failure.reason : text);
    if (!handle->call) orientation_end_call(request);
    json_decref(reply);
    return handle->call && result == 1;
}

unsigned orientation_process(struct orientation *handle) {
    if (orientation_now() >= handle->alarm) handle->alarm = NEVER;
    follow(handle, TIME_PASSED, NULL);
    unsigned states = handle->setup.limit ? handle->setup.limit : BATCH, holds = BATCH;
    while (states > 0 && take_state(handle)) states--;
    while (holds > 0 && take_hold(handle)) holds--;
    handle->has_more = take_reply_to_request(handle) || states == 0 || holds == 0;
    unsigned events = handle->events;
    handle->events = 0;
    arm(handle);
    return events;
}

int orientation_set_lock(struct orientation *handle, int locked, enum orientation_edge edge) {
    bool is_edge = edge >= ORIENTATION_EDGE_TOP && edge <= ORIENTATION_EDGE_RIGHT;
    if (edge != ORIENTATION_EDGE_UNKNOWN && (!is_edge || !locked))
        return set_error(handle, -EINVAL, lock_subject, "invalid edge: must be one of four, to turn it on");
    if (!handle->follower.count || handle->backends[handle->follower.attempt] != &orientation_varlink)
        return set_error(handle, -EOPNOTSUPP, lock_subject, "it needs orientationd; the desktop has a lock of its own");
    enum orientation_pose pose = ORIENTATION_PORTRAIT;
    while (is_edge && pose < ORIENTATION_FACE_UP && orientation_edge_of(pose, handle->state.natural) != edge) pose++;
    if (pose == ORIENTATION_FACE_UP)
        return set_error(handle, -EAGAIN, lock_subject, "the edges have no names before the first state of orientationd");
    snprintf(
        handle->lock_text, sizeof handle->lock_text,
        "{\"method\":\"org.orientationd.Control.SetRotationLock\",\"parameters\":{\"locked\":%s%s%s%s}}",
        locked ? "true" : "false", is_edge ? ",\"edge\":\"" : "", is_edge ? orientation_pose_name(pose) : "",
        is_edge ? "\"" : "");
    orientation_begin_call(
        &handle->request, ORIENTATION_DAEMON, handle->socket, handle->lock_text, ORIENTATION_REPLY_TIMEOUT);
    handle->error[0] = 0;
    arm(handle);
    return 0;
}

/* Whether a structure has the members of its first version, and ends between members. */
static bool is_valid_size(size_t size, size_t first) {
    return size >= first && size % sizeof(void *) == 0;
}

int orientation_hold(struct orientation *handle, const struct orientation_hold *hold) {
    if (hold && (!is_valid_size(hold->size, sizeof *hold) || hold->reserved))
        return set_error(
            handle, -EINVAL, hold_subject, "invalid structure: size must be sizeof(struct orientation_hold), reserved 0");
    char *text = hold ? orientation_hold_text(hold) : NULL;
    if (hold && !text)
        return set_error(
            handle, -EINVAL, hold_subject,
            "invalid value: orientations: words separated by commas: portrait, landscape, portrait-primary, "
            "portrait-secondary, landscape-primary, landscape-secondary, natural, any, top, left, bottom, right; preferred: "
            "one of them; app_id: 1 to 255 bytes of UTF-8");
    orientation_begin_hold(&handle->holder, text);
    handle->error[0] = 0;
    set_held(handle, -1, ""); /* not that of an earlier hold */
    arm(handle);
    return 0;
}

void orientation_suspend(struct orientation *handle) {
    follow(handle, SUSPEND, NULL);
    handle->has_more = handle->has_more && handle->holder.text;
    arm(handle);
}

void orientation_resume(struct orientation *handle) {
    follow(handle, RESUME, NULL);
    arm(handle);
}

void orientation_set_alarm(struct orientation *handle, int64_t delay) {
    handle->alarm = delay < 0 ? NEVER : orientation_now() + delay;
    arm(handle);
}

void orientation_set_probing(struct orientation *handle, bool is_on) {
    if (handle->is_probing == is_on) return;
    handle->is_probing = is_on;
    orientation_end_call(&handle->probe);
    if (is_on && handle->monitor.phase != ENDED) handle->probe.wake_up = 0;
    arm(handle);
}

/* Sets the backends to try, and the first reason. */
static void begin_to_follow(struct orientation *handle) {
    const struct orientation_setup *setup = &handle->setup;
    const char *variable = setup->daemon_only ? NULL : secure_getenv("ORIENTATION_BACKEND");
    const char *given = setup->daemon_only ? "varlink" : setup->backend ? setup->backend : "auto";
    bool has_variable = variable && *variable;
    const char *name = has_variable ? variable : given;
    for (size_t i = 0; i < BACKENDS; i++)
        if (strcmp(name, "auto") == 0 || strcmp(name, all_backends[i]->name) == 0)
            handle->backends[handle->follower.count++] = all_backends[i];
    snprintf(
        handle->failures, sizeof handle->failures, "%s: invalid value '%.40s': must be auto, varlink, %snone",
        has_variable ? "ORIENTATION_BACKEND" : "options.backend", name, BACKENDS > 1 ? "sensorproxy, " : "");
    if (strcmp(name, "none") == 0) strcpy(handle->failures, "no service is used: the backend is none");
    if (handle->follower.count) strcpy(handle->failures, "no service has replied yet");
    publish_failures(handle);
    if (!handle->follower.count) return;
    handle->state.sequence = handle->events = 0;
    handle->follower.phase = WAITING;
    handle->follower.deadline = 0;
}

int orientation_open_with(const struct orientation_setup *setup, struct orientation **result) {
    const char *socket = setup->socket;
    *result = NULL;
    if (socket && (!socket[0] || strlen(socket) >= PATH_LIMIT)) return -EINVAL;
    struct orientation *handle = calloc(1, sizeof *handle);
    if (!handle) return -ENOMEM;
    handle->setup = *setup;
    handle->state.held = -1;
    struct orientation_call *calls[] = {&handle->monitor, &handle->probe, &handle->request, &handle->holder.call};
    handle->epoll = epoll_create1(EPOLL_CLOEXEC);
    handle->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        calls[i]->epoll = &handle->epoll;
        calls[i]->wake_up = NEVER;
    }
    handle->follower.deadline = handle->bus_deadline = handle->alarm = NEVER;
    orientation_begin_hold(&handle->holder, NULL);
    int error = handle->epoll < 0 || handle->timer < 0 ? -errno : orientation_watch(handle->epoll, handle->timer, EPOLLIN);
    if (!error && socket && !(handle->socket = strdup(socket))) error = -ENOMEM;
    if (!error && setup->call && !(handle->call = strdup(setup->call))) error = -ENOMEM;
    if (error) {
        orientation_close(handle);
        return error;
    }
    if (setup->call)
        orientation_begin_call(&handle->request, setup->service, handle->socket, handle->call, setup->timeout);
    else begin_to_follow(handle);
    arm(handle);
    *result = handle;
    return 0;
}

int orientation_open(const struct orientation_options *given, struct orientation **result) {
    static const struct orientation_options defaults = {.size = sizeof defaults};
    const struct orientation_options *options = given ? given : &defaults;
    if (result) *result = NULL;
    if (!result || !is_valid_size(options->size, sizeof *options)) return -EINVAL;
    return orientation_open_with(
        &(struct orientation_setup){.socket = options->socket, .backend = options->backend}, result);
}

void orientation_close(struct orientation *handle) {
    if (!handle) return;
    /* Before the close of what is watched: a child that closes its copies changes nothing in the shared instance. */
    if (handle->timer >= 0) close(handle->timer);
    if (handle->epoll >= 0) close(handle->epoll);
    handle->epoll = -1;
    if (current(handle)) current(handle)->close(handle);
    orientation_begin_hold(&handle->holder, NULL);
    orientation_end_call(&handle->request);
    free(handle->monitor.buffer);
    free(handle->probe.buffer);
    free(handle->request.buffer);
    free(handle->holder.call.buffer);
    free(handle->socket);
    free(handle->call);
    free(handle);
}

int orientation_fd(const struct orientation *handle) {
    return handle->epoll;
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
