/* SPDX-License-Identifier: Apache-2.0
 *
 * The backend of orientationd: org.orientationd.Orientation.Monitor.
 */
#include "handle.h"

/* The delay between the reply to a probe and the next probe, in ms. */
enum { PROBE_INTERVAL = 2000 };

static int boolean(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_boolean(value) ? json_is_true(value) : -1;
}

static void read_state(const json_t *given, struct orientation_state *state) {
    const char *natural = orientation_member(given, "natural");
    state->pose = orientation_named_pose(orientation_member(given, "orientation"));
    state->natural = natural[0] ? orientation_named_pose(natural) : ORIENTATION_PORTRAIT;
    state->edge = orientation_edge_of(orientation_named_pose(orientation_member(given, "lastEdge")), state->natural);
    if (state->edge && state->pose) state->rotation = (int)(state->edge - ORIENTATION_EDGE_TOP) * 90;
    const json_t *rotation = json_object_get(given, "rotation");
    json_int_t degrees = json_is_integer(rotation) ? json_integer_value(rotation) : -2;
    /* A version with further names of edges still sends it. */
    if (degrees == -1 || degrees == 0 || degrees == 90 || degrees == 180 || degrees == 270) state->rotation = (int)degrees;
    if (!state->edge && state->rotation >= 0)
        state->edge = (enum orientation_edge)(ORIENTATION_EDGE_TOP + state->rotation / 90);
    state->locked = boolean(given, "locked");
    state->locked_to = orientation_edge_of(orientation_named_pose(orientation_member(given, "lockedTo")), state->natural);
    state->tablet_mode = boolean(given, "tabletMode");
    state->failed = boolean(given, "failed") == 1;
    state->timestamp = json_integer_value(json_object_get(given, "timestamp"));
    orientation_copy_text(state->sensor, sizeof state->sensor, orientation_member(given, "sensor"));
    orientation_copy_text(state->reason, sizeof state->reason, orientation_member(given, "reason"));
}

static void open_monitor(struct orientation *handle) {
    orientation_begin_call(
        &handle->monitor, ORIENTATION_DAEMON, handle->socket,
        handle->setup.without_sensor
            ? "{\"method\":\"org.orientationd.Orientation.Monitor\",\"parameters\":{\"sensor\":false},\"more\":true}"
            : "{\"method\":\"org.orientationd.Orientation.Monitor\",\"more\":true}", 0);
    handle->probe.wake_up = handle->is_probing ? 0 : NEVER;
}

/* Asks the daemon, if it is time to. Returns -1 without a reply in time; the reply can be an error. */
static int probe(struct orientation *handle) {
    struct orientation_call *probe = &handle->probe;
    int64_t now = orientation_now();
    json_t *reply = NULL;
    if (probe->phase == ENDED && now < probe->wake_up) return 0;
    if (probe->phase == ENDED)
        orientation_begin_call(
            probe, ORIENTATION_DAEMON, handle->socket, "{\"method\":\"org.orientationd.Orientation.Get\"}",
            ORIENTATION_REPLY_TIMEOUT);
    int result = orientation_next_reply(probe, &reply);
    if (!probe->reply) return result;
    json_decref(reply);
    orientation_end_call(probe);
    probe->wake_up = now + PROBE_INTERVAL;
    return 0;
}

/* Reads a reply of Monitor; returns 1, or -1 if it is not a state. */
static int read_update(struct orientation_call *monitor, const json_t *reply, struct orientation_state *state) {
    const json_t *given = json_object_get(json_object_get(reply, "parameters"), "state");
    if (!json_is_string(json_object_get(given, "orientation")))
        return orientation_fail(&monitor->failure, ORIENTATION_INVALID_REPLY, 0, "invalid reply: without an orientation");
    orientation_begin_state(state);
    read_state(given, state);
    if (!json_is_true(json_object_get(reply, "continues"))) monitor->phase = CLOSED;
    return 1;
}

static int next_of_monitor(struct orientation *handle, struct orientation_state *state, struct orientation_failure *failure) {
    struct orientation_call *monitor = &handle->monitor;
    json_t *reply = NULL;
    int result = orientation_next_reply(monitor, &reply);
    if (result == 1) result = read_update(monitor, reply, state);
    json_decref(reply);
    *failure = monitor->failure;
    if (result != 0 || probe(handle) == 0) return result;
    *failure = handle->probe.failure;
    return -1;
}

static void close_monitor(struct orientation *handle) {
    orientation_end_call(&handle->monitor);
    orientation_end_call(&handle->probe);
}

const struct backend orientation_varlink = {
    "varlink", "orientationd", open_monitor, next_of_monitor, close_monitor};
