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

enum orientation_edge orientation_edge_of(enum orientation_pose pose, enum orientation_pose natural) {
    /* The quarter turns from portrait, in the direction in which the edges are numbered; -1 for a face or unknown. */
    static const int turns[] = {-1, 0, 2, 3, 1, -1, -1};
    if (turns[pose] < 0 || turns[natural] < 0) return ORIENTATION_EDGE_UNKNOWN;
    return (enum orientation_edge)(ORIENTATION_EDGE_TOP + (turns[pose] - turns[natural] + 4) % 4);
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
