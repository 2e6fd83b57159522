/* SPDX-License-Identifier: Apache-2.0
 *
 * The backend of orientationd: org.orientationd.Orientation.Monitor.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "internal.h"

const char *orientation_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

bool orientation_is_refused(const json_t *reply, char *reason) {
    const char *name = orientation_text(reply, "error");
    if (!name[0]) return false;
    const json_t *parameters = json_object_get(reply, "parameters");
    const char *needs = orientation_text(parameters, "needs"), *limit = orientation_text(parameters, "limit");
    const char *why = orientation_text(parameters, "reason"), *last = strrchr(name, '.');
    if (*needs) snprintf(reason, SENTENCE, "permission denied: needs %.200s", needs);
    else if (*limit) snprintf(reason, SENTENCE, "limit reached: %.200s", limit);
    else snprintf(reason, SENTENCE, "%.60s%s%.180s", last ? last + 1 : name, *why ? ": " : "", why);
    return true;
}

/* The quarter turns clockwise from portrait to a pose; -1 for a face or unknown. */
static const int turns[] = {
    [ORIENTATION_UNKNOWN] = -1, [ORIENTATION_FACE_UP] = -1, [ORIENTATION_FACE_DOWN] = -1, [ORIENTATION_PORTRAIT] = 0,
    [ORIENTATION_LANDSCAPE_RIGHT] = 1, [ORIENTATION_PORTRAIT_UPSIDE_DOWN] = 2, [ORIENTATION_LANDSCAPE_LEFT] = 3};

static int boolean(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_boolean(value) ? json_is_true(value) : -1;
}

static void read_state(const json_t *given, struct orientation_state *state) {
    /* Versions that do not send it have the names of portrait. */
    const char *natural = orientation_text(given, "natural");
    state->pose = orientation_named_pose(orientation_text(given, "orientation"));
    state->natural = natural[0] ? orientation_named_pose(natural) : ORIENTATION_PORTRAIT;
    int last = turns[orientation_named_pose(orientation_text(given, "lastEdge"))], first = turns[state->natural];
    const json_t *rotation = json_object_get(given, "rotation");
    json_int_t degrees = json_is_integer(rotation) ? json_integer_value(rotation) : -1;
    if (degrees == 0 || degrees == 90 || degrees == 180 || degrees == 270) state->rotation = (int)degrees;
    else if (last >= 0 && first >= 0) state->rotation = (last - first + 4) % 4 * 90;
    if (state->rotation >= 0) state->edge = (enum orientation_edge)(ORIENTATION_EDGE_TOP + state->rotation / 90);
    state->locked = boolean(given, "locked");
    state->locked_to = orientation_named_pose(orientation_text(given, "lockedTo"));
    state->tablet_mode = boolean(given, "tabletMode");
    orientation_copy_text(state->sensor, sizeof state->sensor, orientation_text(given, "sensor"));
    orientation_copy_text(state->reason, sizeof state->reason, orientation_text(given, "reason"));
}

/* Handles a reply; returns whether it is valid. */
static bool receive(struct orientation *handle, const json_t *reply, char *reason) {
    if (orientation_is_refused(reply, reason)) return false;
    const json_t *given = json_object_get(json_object_get(reply, "parameters"), "state");
    if (!json_is_string(json_object_get(given, "orientation"))) {
        snprintf(reason, SENTENCE, "invalid reply: without an orientation");
        return false;
    }
    struct orientation_state state;
    orientation_begin_state(handle, &state);
    read_state(given, &state);
    orientation_publish(handle, &state);
    return true;
}

static int process(struct orientation *handle) {
    char reason[SENTENCE] = "";
    json_t *reply;
    int result = orientation_stream_process(handle, &handle->monitor, reason);
    while (result == 0 && (result = orientation_stream_next(&handle->monitor, &reply, reason)) == 1) {
        result = receive(handle, reply, reason) ? 0 : -EBADMSG;
        json_decref(reply);
    }
    return result < 0 ? orientation_fail(handle, result, "orientationd: %s", reason) : 0;
}

static int open_monitor(struct orientation *handle) {
    struct endpoint endpoint;
    char reason[SENTENCE];
    orientation_find_daemon(handle, &endpoint);
    int result = orientation_stream_open(
        handle, &handle->monitor, &endpoint,
        "{\"method\":\"org.orientationd.Orientation.Monitor\",\"more\":true}", reason);
    return result < 0 ? orientation_fail(handle, result, "%s", reason) : 0;
}

static void close_monitor(struct orientation *handle) {
    orientation_stream_close(handle, &handle->monitor);
}

const struct backend orientation_varlink = {"varlink", open_monitor, process, close_monitor, NULL};
