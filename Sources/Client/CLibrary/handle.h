/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORIENTATION_HANDLE_H
#define ORIENTATION_HANDLE_H

#include <jansson.h>
#include <stdbool.h>
#include <sys/types.h>
#include <sys/un.h>

#include "internal.h"

enum {
    /* The longest message of a service. A state has less than 2 KiB; reasons and sentences are short. */
    MESSAGE_LIMIT = 16 * 1024,
    /* The longest call. A hold has at most APP_ID_LIMIT bytes, six for one if JSON escapes them, and 400 of its own. */
    CALL_LIMIT = 4 * 1024,
    APP_ID_LIMIT = 255,
    SENTENCE = 512,
    PATH_LIMIT = sizeof((struct sockaddr_un *)0)->sun_path,
    /* The timeout for the first state of a service, and for the reply to a lock or a hold, in ms. */
    REPLY_TIMEOUT = 5000,
    /* Messages of the bus in one call of orientation_process(). */
    BUS_MESSAGES = 64,
};

/* An absent deadline. Times are of CLOCK_MONOTONIC in milliseconds. */
#define NEVER INT64_MAX

/* A connection to a Varlink service: NUL-terminated JSON. */
struct stream {
    int fd; /* -1: closed */
    bool is_writing, has_ended;
    size_t sent, queued, received;
    char calls[CALL_LIMIT], replies[MESSAGE_LIMIT];
};

/* A socket, and the users whose service is trusted there. */
struct endpoint {
    char path[PATH_LIMIT];
    enum { TRUST_ANY, TRUST_FOLDER_OWNER, TRUST_OWN_USER } trust;
};

/* The delay between attempts and the sum of the delays, in ms. */
struct backoff {
    int64_t delay, outage;
};

/* A source of states. A function that fails returns a negative errno after orientation_fail(). */
struct backend {
    const char *name;
    int (*open)(struct orientation *);
    int (*process)(struct orientation *);
    void (*close)(struct orientation *);
    /* Returns when process() must be called. Null: never. */
    int64_t (*deadline)(const struct orientation *);
};

extern const struct backend orientation_varlink, orientation_sensorproxy;

enum phase { ENDED, SUSPENDED, WAITING, TRYING, FOLLOWING };

struct orientation {
    int epoll;
    char socket[PATH_LIMIT]; /* empty: the environment names it */
    const struct backend *backends[2]; /* in the order in which they are tried */
    size_t backend_count, attempt;
    enum phase phase;
    int64_t deadline; /* of the phase */
    int64_t followed; /* since when */
    int64_t upgrade;  /* when the first backend may be tried again although another one is followed */
    struct backoff backoff;
    unsigned events;
    struct orientation_state state;
    char failures[SENTENCE]; /* of this round of attempts */
    char error[SENTENCE];
    struct stream monitor, lock, hold;
    struct bus *bus;
    int64_t lock_deadline;
    char lock_call[256]; /* follows the pending request; empty: none */
    char hold_call[CALL_LIMIT]; /* empty: no hold */
    int64_t hold_began, hold_deadline;
    struct backoff hold_backoff;
    char hold_failure[SENTENCE]; /* the last reported one */
};

/* core.c */
int64_t orientation_now(void);
int64_t orientation_backoff(struct backoff *backoff); /* returns the next delay */
/* Sets what a backend does not set. */
void orientation_begin_state(const struct orientation *handle, struct orientation_state *state);
void orientation_set_state(struct orientation *handle, struct orientation_state *state);
/* Sets a state of the current backend, which is then followed. */
void orientation_publish(struct orientation *handle, struct orientation_state *state);
/* Appends to the failures of this round of attempts; returns the error. */
__attribute__((format(printf, 3, 4)))
int orientation_fail(struct orientation *handle, int error, const char *format, ...);
/* Copies text from outside: shortened to whole characters, without control characters. */
void orientation_copy_text(char *target, size_t size, const char *text);
enum orientation_pose orientation_named_pose(const char *name);
/* Makes orientation_fd() readable while this descriptor has these events. */
int orientation_watch(struct orientation *handle, int fd, uint32_t events, bool is_new);

/* stream.c */
void orientation_find_daemon(const struct orientation *handle, struct endpoint *endpoint);
bool orientation_find_agent(struct endpoint *endpoint);
bool orientation_trusts(const struct endpoint *endpoint, uid_t user, uid_t own, const uid_t *folder_owner);
/* Connects and queues a call, which makes the descriptor ready. These write the reason of a failure. */
int orientation_stream_open(
    struct orientation *handle, struct stream *stream, const struct endpoint *endpoint, const char *call, char *reason);
/* Sends, and receives once: what remains makes the descriptor readable again. */
int orientation_stream_process(struct orientation *handle, struct stream *stream, char *reason);
/* Takes the next message. Returns 1; 0 if there is none; or -EBADMSG, or -ECONNRESET after the last one. */
int orientation_stream_next(struct stream *stream, json_t **message, char *reason);
void orientation_stream_close(struct orientation *handle, struct stream *stream);

/* varlink.c */
const char *orientation_text(const json_t *object, const char *key); /* empty without the member */
/* Writes the error of a reply and returns true, if it is one. */
bool orientation_is_refused(const json_t *reply, char *reason);

/* calls.c */
void orientation_calls_process(struct orientation *handle, int64_t now);
int64_t orientation_calls_deadline(const struct orientation *handle);

#endif
