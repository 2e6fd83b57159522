/* SPDX-License-Identifier: Apache-2.0
 *
 * The hold: of the session agent, or without one of the daemon.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "handle.h"

/* Returns the word of which the text has this many bytes; null if it is unknown. Case and spaces around it are ignored. */
static const char *find_word(const char *text, size_t length) {
    static const char *const words[] = {
        "portrait-primary", "portrait-secondary", "landscape-primary", "landscape-secondary",
        "portrait", "landscape", "natural", "any", "top", "left", "bottom", "right"};
    for (; length && *text == ' '; length--) text++;
    while (length && text[length - 1] == ' ') length--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && strncasecmp(words[i], text, length) == 0) return words[i];
    return NULL;
}

char *orientation_hold_text(const struct orientation_hold *hold) {
    const char *preferred = hold->preferred ? find_word(hold->preferred, strlen(hold->preferred)) : NULL;
    bool is_valid = !hold->preferred == !preferred;
    if (hold->app_id && (!hold->app_id[0] || strlen(hold->app_id) > APP_ID_LIMIT)) is_valid = false;
    /* Control characters, which the services refuse: those of ASCII, and U+0080 to U+009F. */
    for (const unsigned char *next = (const unsigned char *)hold->app_id; next && *next; next++)
        if (*next < 0x20 || *next == 0x7f || (*next == 0xc2 && next[1] < 0xa0)) is_valid = false;
    json_t *supported = json_array();
    for (const char *rest = hold->orientations ? hold->orientations : ""; is_valid && rest;) {
        size_t length = strcspn(rest, ",");
        const char *word = find_word(rest, length);
        is_valid = word && json_array_append_new(supported, json_string(word)) == 0;
        rest = rest[length] ? rest + length + 1 : NULL;
    }
    /* Fails for an ID that is not UTF-8. */
    json_t *root = json_pack(
        "{s:s,s:b,s:{s:o,s:b,s:s*,s:s*}}", "method", "org.orientationd.Display.Hold", "more", 1, "parameters", "supported",
        supported, "locked", hold->locked, "preferred", preferred, "appId", hold->app_id);
    char *text = root && is_valid ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return text;
}

void orientation_begin_hold(struct holder *holder, char *text) {
    orientation_end_call(&holder->call);
    free(holder->text);
    holder->text = text;
    holder->backoff = (struct backoff){0};
    holder->phase = text ? HOLD_WAITING : HOLDS_NOTHING;
    holder->next = ORIENTATION_AGENT;
    holder->deadline = text ? 0 : NEVER;
}

/* Asks again: the daemon at once if no agent runs, else the agent after a delay. Returns -2 or -1. */
static int retry(struct holder *holder, int64_t now) {
    bool is_agent = holder->call.service == ORIENTATION_AGENT;
    bool is_absent = orientation_is_absence(holder->call.failure.error), is_at_once = is_agent && is_absent;
    if (holder->phase == HOLD_ANSWERED && now - holder->began >= PROVING_TIME) holder->backoff = (struct backoff){0};
    orientation_end_call(&holder->call);
    holder->phase = HOLD_WAITING;
    /* Why no agent runs explains more than that no daemon runs. */
    if (is_agent || !is_absent) memcpy(holder->sentence, holder->call.failure.reason, sizeof holder->sentence);
    holder->next = is_at_once ? ORIENTATION_DAEMON : ORIENTATION_AGENT;
    holder->deadline = is_at_once ? now : now + orientation_backoff(&holder->backoff);
    return is_at_once ? -2 : -1;
}

/* Reads a reply; returns 1, or -1 if it is an error. */
static int read_reply(struct holder *holder, int64_t now) {
    struct orientation_failure *failure = &holder->call.failure;
    json_t *reply = orientation_parse_reply(&holder->call);
    const json_t *parameters = json_object_get(reply, "parameters"), *applies = json_object_get(parameters, "applies");
    int result = json_is_boolean(applies) ? 1 : -1;
    if (result < 0 && reply)
        orientation_fail(failure, ORIENTATION_INVALID_REPLY, 0, "invalid reply: without 'applies'");
    else if (result < 0 && failure->kind == ORIENTATION_UNAVAILABLE)
        orientation_fail(failure, failure->kind, 0, "no program rotates the display: start orientation-autorotate");
    holder->applies = json_is_true(applies);
    orientation_copy_text(holder->sentence, sizeof holder->sentence, orientation_member(parameters, "sentence"));
    json_decref(reply);
    if (result < 0) return -1;
    holder->phase = HOLD_ANSWERED;
    /* Where the daemon's hold has no effect, an agent can start later. */
    bool is_waiting = holder->call.service == ORIENTATION_DAEMON && !holder->applies;
    holder->deadline = is_waiting ? now + orientation_backoff(&holder->backoff) : NEVER;
    return 1;
}

int orientation_next_of_hold(struct orientation *handle, int64_t now) {
    struct holder *holder = &handle->holder;
    struct endpoint agent;
    bool is_due = now >= holder->deadline;
    if (holder->phase == HOLD_ANSWERED && is_due) {
        bool has_agent = orientation_find(ORIENTATION_AGENT, NULL, &agent) && access(agent.path, F_OK) == 0;
        holder->deadline = now + orientation_backoff(&holder->backoff);
        holder->phase = has_agent ? HOLD_WAITING : HOLD_ANSWERED;
        holder->next = ORIENTATION_AGENT;
    }
    if (holder->phase == HOLD_WAITING && is_due) {
        const char *place = holder->next == ORIENTATION_DAEMON ? handle->socket : NULL;
        orientation_begin_call(&holder->call, holder->next, place, holder->text, ORIENTATION_REPLY_TIMEOUT);
        holder->phase = HOLD_ASKED;
        holder->began = now;
        holder->deadline = NEVER;
    }
    int result = orientation_next_reply(&holder->call);
    if (result == 1) result = read_reply(holder, now);
    return result < 0 ? retry(holder, now) : result;
}
