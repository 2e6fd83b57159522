/* SPDX-License-Identifier: Apache-2.0
 *
 * The hold, on a connection of its own to the session agent, or without one to the daemon.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "handle.h"

static const char *const words[] = {
    "portrait-primary", "portrait-secondary", "landscape-primary", "landscape-secondary",
    "portrait", "landscape", "natural", "any"};

/* Returns the word of which the text has this many bytes; null if it is unknown. Case and spaces around it are ignored. */
static const char *find_word(const char *text, size_t length) {
    for (; length && *text == ' '; length--) text++;
    while (length && text[length - 1] == ' ') length--;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && strncasecmp(words[i], text, length) == 0) return words[i];
    return NULL;
}

static char *invalid(const char *what, const char *value, const char *rule, struct orientation_failure *failure) {
    orientation_fail(failure, ORIENTATION_NO_FAILURE, EINVAL, "%s: invalid value '%.60s': %s", what, value, rule);
    return NULL;
}

char *orientation_hold_text(const struct orientation_hold *hold, struct orientation_failure *failure) {
    static const char rule[] =
        "must be words separated by commas: portrait, landscape, portrait-primary, portrait-secondary, landscape-primary, "
        "landscape-secondary, natural or any";
    const char *list = hold->orientations ? hold->orientations : "", *preferred = NULL;
    if (hold->preferred && !(preferred = find_word(hold->preferred, strlen(hold->preferred))))
        return invalid("preferred", hold->preferred, "must be one of the words of orientations", failure);
    if (hold->app_id && (!hold->app_id[0] || strlen(hold->app_id) > APP_ID_LIMIT))
        return invalid("app_id", hold->app_id, "must have 1 to 255 bytes", failure);
    json_t *supported = json_array();
    for (const char *rest = list; supported;) {
        size_t length = strcspn(rest, ","), count = json_array_size(supported), index = 0;
        const char *word = find_word(rest, length);
        if (!word) {
            json_decref(supported);
            return invalid("orientations", list, rule, failure);
        }
        while (index < count && strcmp(json_string_value(json_array_get(supported, index)), word) != 0) index++;
        if (index == count) json_array_append_new(supported, json_string(word));
        if (!rest[length]) break;
        rest += length + 1;
    }
    json_t *root = json_pack(
        "{s:s,s:b,s:{s:o,s:b,s:s*,s:s*}}", "method", "org.orientationd.Display.Hold", "more", 1, "parameters", "supported",
        supported, "locked", hold->locked, "preferred", preferred, "appId", hold->app_id);
    char *text = root ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    return text ? text : invalid("app_id", hold->app_id ? hold->app_id : "", "must be UTF-8", failure);
}

void orientation_begin_hold(struct orientation *handle, char *text) {
    struct holder *holder = &handle->holder;
    orientation_end_call(&holder->call, &handle->wake);
    free(holder->text);
    holder->text = text;
    holder->backoff = (struct backoff){0};
    holder->phase = text ? HOLD_WAITING : HOLDS_NOTHING;
    holder->service = ORIENTATION_AGENT;
    holder->deadline = text ? 0 : NEVER;
}

/* Asks again: the daemon at once if no agent runs, else the agent after a delay. Returns -1. */
static int retry(
    struct holder *holder, int64_t now, struct hold_reply *reply, struct orientation_failure *failure
) {
    bool is_absent = holder->phase == HOLD_ASKED && failure->kind == ORIENTATION_NOT_CONNECTED
        && (failure->error == ENOENT || failure->error == ECONNREFUSED || failure->error == ENOTSOCK);
    reply->is_final = holder->service == ORIENTATION_DAEMON || !is_absent;
    memcpy(reply->sentence, failure->reason, sizeof reply->sentence);
    if (!reply->is_final) memcpy(holder->agent_reason, failure->reason, sizeof holder->agent_reason);
    /* Why no agent runs explains more than that no daemon runs. */
    else if (is_absent) memcpy(reply->sentence, holder->agent_reason, sizeof reply->sentence);
    if (holder->phase == HOLD_ANSWERED && now - holder->began >= REPLY_TIMEOUT) holder->backoff = (struct backoff){0};
    holder->service = reply->is_final ? ORIENTATION_AGENT : ORIENTATION_DAEMON;
    holder->deadline = reply->is_final ? now + orientation_backoff(&holder->backoff) : now;
    holder->phase = HOLD_WAITING;
    return -1;
}

/* Reads a reply; returns 1, or -1 if it is an error. */
static int read_reply(struct holder *holder, int64_t now, struct hold_reply *result, struct orientation_failure *failure) {
    json_t *reply = orientation_parse(result->reply, result->length, failure);
    const json_t *parameters = json_object_get(reply, "parameters"), *applies = json_object_get(parameters, "applies");
    bool is_valid = json_is_boolean(applies);
    if (!reply && failure->kind == ORIENTATION_UNAVAILABLE)
        orientation_fail(failure, failure->kind, 0, "no program rotates the display: start orientation-autorotate");
    else if (reply && !is_valid)
        orientation_fail(failure, ORIENTATION_INVALID_REPLY, 0, "invalid reply: without 'applies'");
    result->applies = json_is_true(applies);
    orientation_copy_text(result->sentence, sizeof result->sentence, orientation_member(parameters, "sentence"));
    json_decref(reply);
    if (!is_valid) return -1;
    holder->phase = HOLD_ANSWERED;
    /* Where the daemon's hold has no effect, an agent can start later. */
    bool is_waiting = holder->service == ORIENTATION_DAEMON && !result->applies;
    holder->deadline = is_waiting ? now + orientation_backoff(&holder->backoff) : NEVER;
    return 1;
}

static bool has_agent_appeared(void) {
    struct endpoint agent;
    struct orientation_failure unused;
    return orientation_find(ORIENTATION_AGENT, NULL, &agent, &unused) == 0 && access(agent.path, F_OK) == 0;
}

int orientation_next_of_hold(
    struct orientation *handle, int64_t now, struct hold_reply *reply, struct orientation_failure *failure
) {
    struct holder *holder = &handle->holder;
    bool is_due = now >= holder->deadline;
    if (holder->phase == HOLD_ANSWERED && is_due) {
        holder->deadline = now + orientation_backoff(&holder->backoff);
        if (has_agent_appeared()) holder->phase = HOLD_WAITING;
        if (holder->phase == HOLD_WAITING) holder->service = ORIENTATION_AGENT;
    }
    if (holder->phase == HOLD_WAITING && is_due) {
        orientation_begin_call(
            &holder->call, &handle->wake, holder->service, holder->service == ORIENTATION_AGENT ? NULL : handle->socket,
            holder->text, REPLY_TIMEOUT);
        holder->phase = HOLD_ASKED;
        holder->began = now;
        holder->deadline = NEVER;
    }
    reply->reply = NULL;
    reply->service = holder->service;
    int result = orientation_next_reply(&holder->call, &handle->wake, &reply->reply, &reply->length, failure);
    if (result == 1) result = read_reply(holder, now, reply, failure);
    if (result >= 0) return result;
    orientation_end_call(&holder->call, &handle->wake);
    return retry(holder, now, reply, failure);
}
