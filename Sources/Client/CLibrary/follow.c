/* SPDX-License-Identifier: Apache-2.0
 *
 * The decision which backend or service is tried and followed, and when: events in, effects out.
 */
#define _GNU_SOURCE
#include <time.h>

#include "handle.h"

enum {
    /* The delays double up to a maximum that grows with the outage: without a service, the processor can sleep. */
    FIRST_DELAY = 50,
    SHORTEST_MAXIMUM = 400,
};

int64_t orientation_backoff(struct backoff *backoff) {
    int64_t wanted = backoff->outage / 64, maximum = wanted < LONGEST_DELAY ? wanted : LONGEST_DELAY;
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

static enum follower_effect try_backend(struct follower *follower, size_t attempt, int64_t now) {
    follower->attempt = attempt;
    follower->phase = TRYING;
    follower->deadline = now + ORIENTATION_REPLY_TIMEOUT;
    return CONNECT;
}

static enum follower_effect wait_for_next_round(struct follower *follower, int64_t now) {
    follower->phase = WAITING;
    follower->deadline = now + orientation_backoff(&follower->backoff);
    return REPORT_OUTAGE;
}

/* The next backend is tried; after the last one, or one that has failed at once, the first one after a delay. */
static enum follower_effect fail_backend(struct follower *follower, bool is_absent, int64_t now) {
    if (follower->phase == FOLLOWING) {
        if (now - follower->since < PROVING_TIME) return wait_for_next_round(follower, now);
        follower->backoff = (struct backoff){0};
        return try_backend(follower, 0, now);
    }
    if (follower->attempt + 1 == follower->count || (follower->keeps_first && !is_absent))
        return wait_for_next_round(follower, now);
    if (follower->attempt == 0 && !is_absent) follower->upgrade = now + LONGEST_DELAY;
    return try_backend(follower, follower->attempt + 1, now);
}

enum follower_effect orientation_follow(struct follower *follower, enum follower_event event, int64_t now) {
    switch (event) {
    case TIME_PASSED:
        if (follower->phase == WAITING && now >= follower->deadline) return try_backend(follower, 0, now);
        break;
    case STATE_ARRIVED:
        if (follower->phase != TRYING) break;
        follower->phase = FOLLOWING;
        follower->since = now;
        follower->deadline = NEVER;
        break;
    case BACKEND_IS_ABSENT:
    case BACKEND_FAILED:
        if (follower->phase == TRYING || follower->phase == FOLLOWING)
            return fail_backend(follower, event == BACKEND_IS_ABSENT, now);
        break;
    case FIRST_APPEARED:
        if (follower->phase == FOLLOWING && follower->attempt > 0 && now >= follower->upgrade)
            return try_backend(follower, 0, now);
        break;
    case SUSPEND:
        if (follower->phase == IDLE || follower->phase == SUSPENDED) break;
        follower->phase = SUSPENDED;
        follower->deadline = NEVER;
        return DISCONNECT;
    case RESUME:
        if (follower->phase != SUSPENDED) break;
        follower->backoff = (struct backoff){0};
        follower->phase = WAITING;
        follower->deadline = 0;
    }
    return NOTHING;
}
