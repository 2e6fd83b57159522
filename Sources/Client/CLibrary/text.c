/* SPDX-License-Identifier: Apache-2.0
 *
 * Names, text from outside, and JSON.
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "handle.h"

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

int orientation_fail(
    struct orientation_failure *failure, enum orientation_failure_kind kind, int error, const char *format, ...
) {
    char text[SENTENCE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    failure->kind = kind;
    failure->error = error;
    orientation_copy_text(failure->reason, sizeof failure->reason, text);
    return -1;
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

enum orientation_interface orientation_interface(enum orientation_pose pose) {
    bool is_edge = pose >= ORIENTATION_PORTRAIT && pose <= ORIENTATION_LANDSCAPE_RIGHT;
    /* UIKit gives the landscape that is upright in a pose the value of the pose, and the name of the other one. */
    return is_edge ? (enum orientation_interface)pose : ORIENTATION_INTERFACE_UNKNOWN;
}

/* The poses in the order in which their edges go around the device. */
static const enum orientation_pose around[] = {
    ORIENTATION_PORTRAIT, ORIENTATION_LANDSCAPE_RIGHT, ORIENTATION_PORTRAIT_UPSIDE_DOWN, ORIENTATION_LANDSCAPE_LEFT};

static int turns(enum orientation_pose pose) {
    for (int i = 0; i < 4; i++)
        if (around[i] == pose) return i;
    return -1;
}

enum orientation_edge orientation_edge_of(enum orientation_pose pose, enum orientation_pose natural) {
    int last = turns(pose), first = turns(natural);
    if (last < 0 || first < 0) return ORIENTATION_EDGE_UNKNOWN;
    return (enum orientation_edge)(ORIENTATION_EDGE_TOP + (last - first + 4) % 4);
}

enum orientation_pose orientation_pose_of(enum orientation_edge edge, enum orientation_pose natural) {
    int first = turns(natural);
    bool is_edge = edge >= ORIENTATION_EDGE_TOP && edge <= ORIENTATION_EDGE_RIGHT;
    return is_edge && first >= 0 ? around[(first + (int)edge - ORIENTATION_EDGE_TOP) % 4] : ORIENTATION_UNKNOWN;
}

void orientation_begin_state(struct orientation_state *state) {
    /* With its padding: states are compared. */
    memset(state, 0, sizeof *state);
    state->size = sizeof *state;
    state->rotation = state->locked = state->tablet_mode = state->failed = -1;
}

const char *orientation_member(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void refuse(const json_t *reply, const char *name, struct orientation_failure *failure) {
    static const char *const missing[] = {
        "org.varlink.service.InterfaceNotFound", "org.varlink.service.MethodNotFound",
        "org.varlink.service.MethodNotImplemented"};
    const json_t *parameters = json_object_get(reply, "parameters");
    const char *needs = orientation_member(parameters, "needs"), *limit = orientation_member(parameters, "limit");
    const char *why = orientation_member(parameters, "reason"), *last = strrchr(name, '.');
    enum orientation_failure_kind kind = ORIENTATION_REFUSED;
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (strcmp(name, missing[i]) == 0) kind = ORIENTATION_UNAVAILABLE;
    if (*needs) orientation_fail(failure, kind, 0, "permission denied: needs %.200s", needs);
    else if (*limit) orientation_fail(failure, kind, 0, "limit reached: %.200s", limit);
    else orientation_fail(failure, kind, 0, "%.60s%s%.180s", last ? last + 1 : name, *why ? ": " : "", why);
}

json_t *orientation_parse(const char *text, size_t length, struct orientation_failure *failure) {
    json_t *reply = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    const char *error = orientation_member(reply, "error");
    if (!json_is_object(reply)) orientation_fail(failure, ORIENTATION_INVALID_REPLY, 0, "invalid reply: not a JSON object");
    else if (*error) refuse(reply, error, failure);
    else return reply;
    json_decref(reply);
    return NULL;
}
