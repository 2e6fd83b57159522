/* SPDX-License-Identifier: Apache-2.0
 *
 * The hold: of the session agent, or without one of the daemon.
 */
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
    const char *app = hold->app_id ? hold->app_id : "?";
    /* An ID without control characters, which the services refuse, and not too long is copied as it is. */
    char copied[APP_ID_LIMIT + 1];
    orientation_copy_text(copied, sizeof copied, app);
    bool is_valid = !hold->preferred == !preferred && *app && strcmp(copied, app) == 0;
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
    holder->follower = (struct follower){
        .phase = text ? WAITING : IDLE, .count = 2, .keeps_first = true, .deadline = text ? 0 : NEVER};
    holder->search = NEVER;
}

/* Performs what the follower decides on an event; returns whether a service is asked now. */
static bool decide(struct orientation *handle, enum follower_event event) {
    struct holder *holder = &handle->holder;
    enum follower_effect effect = orientation_follow(&holder->follower, event, orientation_now());
    if (effect == NOTHING) return false;
    orientation_end_call(&holder->call);
    holder->search = NEVER;
    bool is_agent = holder->follower.attempt == 0;
    if (effect == CONNECT)
        orientation_begin_call(
            &holder->call, is_agent ? ORIENTATION_AGENT : ORIENTATION_DAEMON, is_agent ? NULL : handle->socket, holder->text,
            ORIENTATION_REPLY_TIMEOUT);
    return effect == CONNECT;
}

bool orientation_retry_hold(struct orientation *handle) {
    struct holder *holder = &handle->holder;
    bool is_absent = orientation_is_absence(holder->call.failure.error);
    /* Why no agent runs explains more than that no daemon runs. */
    if (holder->call.service == ORIENTATION_AGENT || !is_absent)
        memcpy(holder->sentence, holder->call.failure.reason, sizeof holder->sentence);
    return decide(handle, is_absent ? BACKEND_IS_ABSENT : BACKEND_FAILED);
}

/* Reads a reply; returns 1, or -1 if it is not that of a hold. */
static int read_reply(struct orientation *handle, const json_t *reply) {
    struct holder *holder = &handle->holder;
    const json_t *parameters = json_object_get(reply, "parameters"), *applies = json_object_get(parameters, "applies");
    if (!json_is_boolean(applies))
        return orientation_fail(&holder->call.failure, ORIENTATION_INVALID_REPLY, 0, "invalid reply: without 'applies'");
    holder->applies = json_is_true(applies);
    orientation_copy_text(holder->sentence, sizeof holder->sentence, orientation_member(parameters, "sentence"));
    decide(handle, STATE_ARRIVED);
    /* Where the daemon's hold has no effect, an agent can start later. */
    bool is_waiting = holder->call.service == ORIENTATION_DAEMON && !holder->applies;
    holder->search = is_waiting ? orientation_now() + orientation_backoff(&holder->follower.backoff) : NEVER;
    return 1;
}

int orientation_next_of_hold(struct orientation *handle) {
    struct holder *holder = &handle->holder;
    struct orientation_failure *failure = &holder->call.failure;
    struct endpoint agent;
    json_t *reply = NULL;
    if (orientation_now() >= holder->search) {
        holder->search = orientation_now() + orientation_backoff(&holder->follower.backoff);
        if (orientation_find(ORIENTATION_AGENT, NULL, &agent) && access(agent.path, F_OK) == 0) decide(handle, FIRST_APPEARED);
    }
    decide(handle, TIME_PASSED);
    int result = orientation_next_reply(&holder->call, &reply);
    if (result == 1) result = read_reply(handle, reply);
    json_decref(reply);
    if (result < 0 && failure->kind == ORIENTATION_UNAVAILABLE)
        orientation_fail(failure, failure->kind, 0, "no program rotates the display: start orientation-autorotate");
    return result;
}
