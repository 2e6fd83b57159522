/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files share. Each uses those before it only: text, call; follow, varlink, sensorproxy, hold; handle.
 */
#ifndef ORIENTATION_HANDLE_H
#define ORIENTATION_HANDLE_H

#include <jansson.h>
#include <sys/un.h>

#include "internal.h"

enum {
    /* The longest message of a service. A state has less than 2 KiB; a list of sensors can be long. */
    MESSAGE_LIMIT = 1024 * 1024,
    APP_ID_LIMIT = 255,
    SENTENCE = 512,
    PATH_LIMIT = sizeof((struct sockaddr_un *)0)->sun_path,
    /* A service that served for less, because it crashes on each client, does not reset the backoff. In ms. */
    PROVING_TIME = 1000,
    /* The longest delay between two attempts, in ms. */
    LONGEST_DELAY = 10000,
    /* States and messages of the bus in one call of orientation_process(). */
    BATCH = 64,
};

/* An absent deadline. Times are of CLOCK_MONOTONIC in milliseconds. */
#define NEVER INT64_MAX

/* text.c */

/* Copies text from outside: shortened to whole characters, without control characters. */
void orientation_copy_text(char *target, size_t size, const char *text);
/* Sets a failure, whose reason is such a text. Returns -1. */
__attribute__((__format__(__printf__, 4, 5)))
int orientation_fail(
    struct orientation_failure *failure, enum orientation_failure_kind kind, int error, const char *format, ...);
enum orientation_pose orientation_named_pose(const char *name);
/* Returns the edge that is up in a pose; 0 for a face, or if one of them is unknown. */
enum orientation_edge orientation_edge_of(enum orientation_pose pose, enum orientation_pose natural);
/* Sets what a backend does not set. */
void orientation_begin_state(struct orientation_state *state);
/* Returns the text of a member; empty without it. */
const char *orientation_member(const json_t *object, const char *key);

/* call.c: Varlink calls, each on a connection of its own, whose descriptor an epoll instance watches. Messages are JSON and a
 * NUL. */
int64_t orientation_now(void);
int orientation_watch(int epoll, int fd, uint32_t events); /* returns 0 or a negative errno */
void orientation_unwatch(int epoll, int fd);

struct endpoint {
    char path[PATH_LIMIT];
    enum { TRUST_ANY, TRUST_FOLDER_OWNER, TRUST_OWN_USER } trust;
};

struct orientation_call {
    /* CLOSED: by the service, whose last replies may be in the buffer. */
    enum { ENDED, BEGUN, SENDING, RECEIVING, CLOSED } phase;
    enum orientation_service service;
    const char *place, *text;  /* which the owner keeps */
    const int *epoll;          /* set by the owner of the call */
    int timeout, fd;           /* fd: after BEGUN */
    pid_t process;             /* that serves the connection; 0 before */
    int64_t deadline, wake_up; /* of the first reply; when orientation_next_reply() has to be called */
    char *buffer;              /* the owner frees it */
    size_t sent, received, capacity;
    size_t reply; /* the bytes of the last reply with its NUL, at the begin of the buffer; 0: none */
    struct orientation_failure failure;
};

/* Returns whether there is a usable path; that of the agent is empty without a runtime directory. */
bool orientation_find(enum orientation_service service, const char *place, struct endpoint *endpoint);
bool orientation_trusts(const struct endpoint *endpoint, uid_t user, uid_t own, const uid_t *folder_owner);
/* Whether an attempt to connect failed because no service is listening. */
bool orientation_is_absence(int error);
/* Ends the former call. timeout: of the first reply, in ms; 0: none. */
void orientation_begin_call(
    struct orientation_call *call, enum orientation_service service, const char *place, const char *text, int timeout);
/* Connects, sends, and returns 1 with the next reply, which the caller releases; 0 if there is none; -1 after a failure, which
 * ends the call: one with a reply is an error of the service, or a reply that is no JSON object. Receives only without a reply. */
int orientation_next_reply(struct orientation_call *call, json_t **reply);
/* Keeps the last reply. */
void orientation_end_call(struct orientation_call *call);

/* follow.c: which backend is tried and followed, and when; of a hold, which service. */
struct backoff {
    int64_t delay, outage; /* the last delay and the sum of the delays, in ms */
};

int64_t orientation_backoff(struct backoff *backoff); /* returns the next delay */

struct follower {
    enum { IDLE, SUSPENDED, WAITING, TRYING, FOLLOWING } phase;
    bool keeps_first; /* the next backend is tried only if the one before is absent */
    size_t count, attempt; /* backends, and the one that is tried or followed */
    int64_t deadline; /* of WAITING and TRYING; NEVER in other phases */
    int64_t since;    /* of FOLLOWING */
    int64_t upgrade;  /* when the first backend may be tried again although another one is followed */
    struct backoff backoff;
};

enum follower_event { TIME_PASSED, STATE_ARRIVED, BACKEND_IS_ABSENT, BACKEND_FAILED, FIRST_APPEARED, SUSPEND, RESUME };
/* CONNECT: disconnect, and open the current backend. REPORT_OUTAGE: disconnect, and say why none works. */
enum follower_effect { NOTHING, CONNECT, DISCONNECT, REPORT_OUTAGE };

enum follower_effect orientation_follow(struct follower *follower, enum follower_event event, int64_t now);

/* A source of states. What fails in open() is a failure of next(), which returns 1 with a state, 0 if there is none, or -1
 * after a failure. */
struct backend {
    const char *name, *service;
    void (*open)(struct orientation *);
    int (*next)(struct orientation *, struct orientation_state *, struct orientation_failure *);
    void (*close)(struct orientation *);
};

extern const struct backend orientation_varlink, orientation_sensorproxy;

/* hold.c: a hold, by the session agent or, if none runs, by the daemon. */
struct holder {
    struct follower follower; /* of the agent, then the daemon */
    struct orientation_call call;
    char *text;
    int64_t search; /* when an agent is searched for although the daemon is followed */
    bool applies;
    char sentence[SENTENCE]; /* what the hold does, or why no agent holds */
};

/* Makes the call of a hold; null if it is invalid. */
char *orientation_hold_text(const struct orientation_hold *hold);
/* Begins to hold with a call, which is taken; null: ends the hold. */
void orientation_begin_hold(struct holder *holder, char *text);
/* Returns 1 with a reply; 0 if nothing is new; -1 if the service failed. */
int orientation_next_of_hold(struct orientation *handle);
/* After a failure: returns whether the next service is asked at once, not after a delay. */
bool orientation_retry_hold(struct orientation *handle);

struct orientation {
    int epoll, timer; /* the timer is watched, too */
    struct orientation_setup setup;
    char *socket, *call; /* of the setup */
    const struct backend *backends[2]; /* in the order in which they are tried */
    struct follower follower;
    struct orientation_call monitor, probe, request; /* request: the lock, or the call of the setup */
    char lock_text[128];
    bool is_probing;
    struct bus *bus;
    struct holder holder;
    int64_t alarm, bus_deadline; /* when the bus has work without an event */
    bool has_more; /* what has arrived and has not been taken */
    unsigned events;
    struct orientation_state state;
    char failures[SENTENCE]; /* of this round of attempts */
    char error[SENTENCE];    /* the last reported one */
};

#endif
