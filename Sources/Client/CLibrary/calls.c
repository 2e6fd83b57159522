/* SPDX-License-Identifier: Apache-2.0
 *
 * The rotation lock and the hold, each with a connection of its own: Varlink sends the replies of one call at a time.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

static const char lock_subject[] = "cannot set the rotation lock", hold_subject[] = "cannot hold the orientation";

static int fail(struct orientation *handle, int error, const char *subject, const char *reason) {
    char text[2 * SENTENCE];
    snprintf(text, sizeof text, "%s: %s", subject, reason);
    orientation_copy_text(handle->error, sizeof handle->error, text);
    return error;
}

/* Sends the newest request. Returns 0, or a negative errno and the reason. */
static int send_lock(struct orientation *handle, char *reason) {
    struct endpoint endpoint;
    orientation_find_daemon(handle, &endpoint);
    int result = orientation_stream_open(handle, &handle->lock, &endpoint, handle->lock_call, reason);
    handle->lock_call[0] = 0;
    handle->lock_deadline = orientation_now() + REPLY_TIMEOUT;
    if (result < 0) orientation_stream_close(handle, &handle->lock);
    return result;
}

int orientation_set_lock(struct orientation *handle, int locked, enum orientation_pose edge) {
    bool is_edge = edge >= ORIENTATION_PORTRAIT && edge <= ORIENTATION_LANDSCAPE_RIGHT;
    if (edge != ORIENTATION_UNKNOWN && (!is_edge || !locked))
        return fail(handle, -EINVAL, lock_subject, "invalid edge: must be one of four, to turn it on");
    if (!handle->backend_count || handle->backends[handle->attempt % handle->backend_count] != &orientation_varlink)
        return fail(handle, -EOPNOTSUPP, lock_subject, "it needs orientationd; the desktop has a lock of its own");
    char reason[SENTENCE];
    snprintf(
        handle->lock_call, sizeof handle->lock_call, "{\"method\":\"org.orientationd.Control.SetRotationLock\",\"parameters\":{\"locked\":%s%s%s%s}}",
        locked ? "true" : "false", is_edge ? ",\"edge\":\"" : "", is_edge ? orientation_pose_name(edge) : "",
        is_edge ? "\"" : "");
    handle->error[0] = 0;
    /* The state changes before the reply arrives: the request follows then. */
    int result = handle->lock.fd < 0 ? send_lock(handle, reason) : 0;
    return result < 0 ? fail(handle, result, lock_subject, reason) : 0;
}

static void process_lock(struct orientation *handle, int64_t now) {
    if (handle->lock.fd < 0) return;
    char reason[SENTENCE] = "";
    json_t *reply = NULL;
    int result = orientation_stream_process(handle, &handle->lock, reason);
    if (result == 0) result = orientation_stream_next(&handle->lock, &reply, reason);
    if (result == 0 && now < handle->lock_deadline) return;
    if (result == 0) snprintf(reason, sizeof reason, "timed out: no reply from orientationd");
    if (result == 1) {
        const char *lost = orientation_text(json_object_get(reply, "parameters"), "notKept");
        if (!orientation_is_refused(reply, reason) && lost[0])
            snprintf(reason, sizeof reason, "the lock is set until the daemon stops: %.180s", lost);
        json_decref(reply);
    }
    orientation_stream_close(handle, &handle->lock);
    if (handle->lock_call[0]) send_lock(handle, reason);
    if (!reason[0]) return;
    handle->events |= ORIENTATION_FAILED;
    fail(handle, 0, lock_subject, reason);
}

/* Writes the call; returns whether the hold is valid. */
static bool write_hold(const struct orientation_hold *hold, char *call) {
    static const char *const names[] = {
        "portrait-primary", "portrait-secondary", "landscape-secondary", "landscape-primary"};
    unsigned preferred = hold->preferred;
    if (!hold->supported || hold->supported & ~(unsigned)ORIENTATION_INTERFACE_ALL) return false;
    if (preferred & (preferred - 1) || preferred & ~hold->supported) return false;
    if (hold->app_id && (!hold->app_id[0] || strlen(hold->app_id) > APP_ID_LIMIT)) return false;
    json_t *supported = json_array();
    const char *first = NULL;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (hold->supported & 1u << i) json_array_append_new(supported, json_string(names[i]));
        if (preferred == 1u << i) first = names[i];
    }
    /* Fails for an ID that is not UTF-8. */
    json_t *root = json_pack(
        "{s:s,s:b,s:{s:o,s:b,s:s*,s:s*}}", "method", "org.orientationd.Display.Hold", "more", 1, "parameters", "supported",
        supported, "locked", hold->locked, "preferred", first, "appId", hold->app_id);
    size_t length = root ? json_dumpb(root, call, CALL_LIMIT - 1, JSON_COMPACT) : 0;
    call[length < CALL_LIMIT ? length : 0] = 0;
    json_decref(root);
    return call[0];
}

static void set_hold_state(struct orientation *handle, int held, const char *sentence) {
    struct orientation_state state;
    memcpy(&state, &handle->state, sizeof state);
    state.held = held;
    memset(state.hold_reason, 0, sizeof state.hold_reason);
    orientation_copy_text(state.hold_reason, sizeof state.hold_reason, sentence);
    orientation_set_state(handle, &state);
}

/* Disconnects, and connects again after a delay. Reports a reason once. */
static void retry_hold(struct orientation *handle, const char *reason) {
    int64_t now = orientation_now();
    orientation_stream_close(handle, &handle->hold);
    if (now - handle->hold_began >= REPLY_TIMEOUT) handle->hold_backoff = (struct backoff){0};
    handle->hold_deadline = now + orientation_backoff(&handle->hold_backoff);
    set_hold_state(handle, -1, reason);
    if (strcmp(handle->hold_failure, reason) == 0) return;
    snprintf(handle->hold_failure, sizeof handle->hold_failure, "%s", reason);
    handle->events |= ORIENTATION_FAILED;
    fail(handle, 0, hold_subject, reason);
}

/* Connects to the session agent, else to the daemon. */
static void connect_hold(struct orientation *handle) {
    struct endpoint endpoint;
    char reason[SENTENCE] = "", other[SENTENCE];
    handle->hold_began = orientation_now();
    handle->hold_deadline = handle->hold_began + REPLY_TIMEOUT;
    if (orientation_find_agent(&endpoint)
        && orientation_stream_open(handle, &handle->hold, &endpoint, handle->hold_call, reason) == 0)
        return;
    orientation_stream_close(handle, &handle->hold);
    orientation_find_daemon(handle, &endpoint);
    if (orientation_stream_open(handle, &handle->hold, &endpoint, handle->hold_call, other) < 0)
        retry_hold(handle, reason[0] ? reason : other);
}

int orientation_hold(struct orientation *handle, const struct orientation_hold *given) {
    struct orientation_hold hold = {0};
    char call[CALL_LIMIT] = "";
    if (given) memcpy(&hold, given, given->size < sizeof hold ? given->size : sizeof hold);
    if (given && (given->size < sizeof given->size || !write_hold(&hold, call)))
        return fail(handle, -EINVAL, hold_subject, "invalid orientations or app ID");
    orientation_stream_close(handle, &handle->hold);
    memcpy(handle->hold_call, call, sizeof call);
    handle->hold_failure[0] = handle->error[0] = 0;
    handle->hold_backoff = (struct backoff){0};
    handle->hold_deadline = given ? orientation_now() : NEVER;
    set_hold_state(handle, -1, ""); /* not that of an earlier hold */
    return 0;
}

static void process_hold(struct orientation *handle, int64_t now) {
    if (!handle->hold_call[0]) return;
    if (handle->hold.fd < 0) {
        if (now >= handle->hold_deadline) connect_hold(handle);
        return;
    }
    char reason[SENTENCE] = "";
    json_t *reply;
    int result = orientation_stream_process(handle, &handle->hold, reason);
    while (result == 0 && (result = orientation_stream_next(&handle->hold, &reply, reason)) == 1) {
        const json_t *parameters = json_object_get(reply, "parameters"), *applies = json_object_get(parameters, "applies");
        result = orientation_is_refused(reply, reason) || !json_is_boolean(applies) ? -EBADMSG : 0;
        /* A daemon without the interface: no agent runs. */
        if (result && strstr(orientation_text(reply, "error"), ".service."))
            snprintf(reason, sizeof reason, "no program rotates the display: start orientation-autorotate");
        else if (result && !reason[0]) snprintf(reason, sizeof reason, "invalid reply");
        if (result == 0) {
            handle->hold_deadline = NEVER;
            handle->hold_failure[0] = 0;
            set_hold_state(handle, json_is_true(applies), orientation_text(parameters, "sentence"));
        }
        json_decref(reply);
    }
    if (result == 0 && now >= handle->hold_deadline) {
        result = -ETIMEDOUT;
        snprintf(reason, sizeof reason, "timed out: no reply");
    }
    if (result < 0) retry_hold(handle, reason);
}

void orientation_calls_process(struct orientation *handle, int64_t now) {
    process_lock(handle, now);
    process_hold(handle, now);
}

int64_t orientation_calls_deadline(const struct orientation *handle) {
    int64_t lock = handle->lock.fd < 0 ? NEVER : handle->lock_deadline;
    return lock < handle->hold_deadline ? lock : handle->hold_deadline;
}
