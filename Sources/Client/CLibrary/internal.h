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
    char reason[512]; /* for the user, without the name of the service */
};

/* What happened in orientation_process(), in its order. */
enum orientation_update_kind {
    ORIENTATION_REPLIED,      /* the daemon sent a state or an error: reply; LOST follows an error */
    ORIENTATION_READ,         /* iio-sensor-proxy has a new state: state */
    ORIENTATION_LOST,         /* no service, again after each failed attempt: failure */
    ORIENTATION_HOLD_REPLIED, /* service replied to a hold: reply; HOLD_LOST follows an error */
    ORIENTATION_HOLD_LOST,    /* service does not hold: failure */
};

struct orientation_update {
    enum orientation_update_kind kind;
    enum orientation_service service;
    const char *reply; /* a JSON object, which ends with NUL; 0 without one */
    size_t length;
    const struct orientation_state *state;
    const struct orientation_failure *failure; /* 0 without one */
};

/* Everything can be 0. */
struct orientation_setup {
    const char *socket; /* as that of orientation_options */
    bool daemon_only;   /* the backend varlink, whatever $ORIENTATION_BACKEND says */
    bool lid;           /* asks for the lid angle, and the tablet mode that follows from it */
    unsigned limit;     /* of replies to Monitor in one call of orientation_process(), which has more work then; 0: none */
    /* Called by orientation_process(). It may call orientation_suspend() and orientation_resume(), nothing else with the
     * handle. The update is valid during the call. */
    void (*update)(void *context, const struct orientation_update *update);
    void *context;
};

/* As orientation_open(). */
int orientation_open_with(const struct orientation_setup *setup, struct orientation **result);
/* Makes orientation_fd() readable once after this time in milliseconds; negative: cancels it. */
void orientation_set_alarm(struct orientation *handle, int64_t delay);
/* While on, asks the daemon every 2 s; without a reply in 5 s the connection is lost. */
void orientation_set_probing(struct orientation *handle, bool is_on);

/* Writes the path of the socket to connect to now; returns whether it is that of the system's daemon. place: of the daemon the
 * path of the socket, of the agent the runtime directory; 0: those of the environment. */
bool orientation_socket_path(enum orientation_service service, const char *place, char path[108]);

/* A Varlink call on a connection of its own. */
struct orientation_call;

/* Queues a call, a JSON object, which is copied. The first call of orientation_call_next() connects. timeout: of the first
 * reply, in milliseconds; 0: none. Returns 0, -ENOMEM, -EMFILE or -ENFILE. */
int orientation_call_open(
    enum orientation_service service, const char *place, const char *call, int timeout, struct orientation_call **result);
void orientation_call_close(struct orientation_call *call);
/* Returns the descriptor to watch for reading, the same until orientation_call_close(). */
int orientation_call_fd(const struct orientation_call *call);
/* Returns 1 with the next reply, a JSON object if the service is correct, in *reply until the next call; 0 if there is none
 * yet: then watch the descriptor; -1 after a failure, always. Reads only without a received reply. */
int orientation_call_next(struct orientation_call *call, const char **reply, size_t *length);
/* Returns the failure after -1. */
const struct orientation_failure *orientation_call_failure(const struct orientation_call *call);
/* Returns the process that serves the connection; 0 before it is connected. */
pid_t orientation_call_process_id(const struct orientation_call *call);

#endif
