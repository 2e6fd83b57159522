/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs of this project use besides orientation.h. It is neither installed nor exported, and may change.
 */
#ifndef ORIENTATION_INTERNAL_H
#define ORIENTATION_INTERNAL_H

#include <stdbool.h>
#include <sys/types.h>

#include "orientation.h"

/* A program that serves Varlink: the daemon, or the session agent. */
enum orientation_service { ORIENTATION_DAEMON, ORIENTATION_AGENT };

/* The timeout for the first state of a service, and for the reply to a lock, a hold or a probe, in milliseconds. */
enum { ORIENTATION_REPLY_TIMEOUT = 5000 };

enum orientation_failure_kind {
    ORIENTATION_NO_FAILURE,
    ORIENTATION_NOT_CONNECTED,   /* not running, or the connection was lost; error has the errno, or 0 */
    ORIENTATION_UNTRUSTED,       /* runs as another user; the reason says what to do */
    ORIENTATION_TIMED_OUT,       /* no reply in time */
    ORIENTATION_UNUSABLE_PATH,   /* the path of the socket is empty or too long */
    ORIENTATION_REFUSED,         /* replied with an error */
    ORIENTATION_UNAVAILABLE,     /* refused: it has no such interface or method */
    ORIENTATION_INVALID_REPLY,
};

struct orientation_failure {
    enum orientation_failure_kind kind;
    int error;
    const char *service; /* that failed; 0 if the reason begins with the path of its socket, or names several services */
    char reason[512];    /* for the user */
};

/* What happened in orientation_process(), in its order: a reply, a state or a failure, which can have the reply that says so. */
struct orientation_update {
    enum orientation_service service;
    pid_t process;     /* that serves the hold or call; 0 before it is connected */
    const char *reply; /* to the hold or call, or the daemon's state: a JSON object if the service is correct; ends with NUL */
    size_t length;
    const struct orientation_state *state;     /* a new one of iio-sensor-proxy */
    const struct orientation_failure *failure; /* of each attempt to follow or to hold, or of the call, which is not repeated */
};

/* Everything can be 0. A handle with an observer follows states, holds, or makes one call: not two of them. */
struct orientation_setup {
    const char *socket, *backend; /* as those of orientation_options; socket of the agent: its runtime directory */
    bool daemon_only;   /* the backend varlink, whatever $ORIENTATION_BACKEND says */
    bool without_sensor; /* for the lock and the tablet mode alone: the accelerometer of orientationd stays off */
    unsigned limit;     /* of replies to Monitor in one call of orientation_process(), which has more work then; 0: none */
    /* A call to make instead of following states, a JSON object, which is copied. Each orientation_process() takes one reply;
     * an error is a failure. The timeout is that of the first reply, in milliseconds; 0: none. */
    const char *call;
    enum orientation_service service;
    int timeout;
    /* Called by orientation_process(). It may call orientation_suspend() and orientation_resume(), nothing else with the
     * handle. The update is valid during the call. */
    void (*update)(void *context, const struct orientation_update *update);
    void *context;
};

/* As orientation_open(). */
int orientation_open_with(const struct orientation_setup *setup, struct orientation **result);
/* Makes orientation_fd() readable once after this time in milliseconds; negative: cancels it. */
void orientation_set_alarm(struct orientation *handle, int64_t delay);
/* While on, asks the daemon every 2 s; without a reply in time the connection is lost. */
void orientation_set_probing(struct orientation *handle, bool is_on);

/* Writes the path of the socket to connect to now; returns whether it is that of the system's daemon. place: of the daemon the
 * path of the socket, of the agent the runtime directory; 0: those of the environment. */
bool orientation_socket_path(enum orientation_service service, const char *place, char path[108]);

#endif
