/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of Varlink services: which socket is used, whom it is trusted from, and the messages.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "handle.h"

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83 /* Linux 6.16 */
#endif

/* The delay before the next attempt while the backlog of the service is full, in ms. */
enum { BUSY_DELAY = 10 };

static const char system_socket[] = "/run/orientationd/orientationd.sock";

static int set_path(struct endpoint *endpoint, const char *path, struct orientation_failure *failure) {
    size_t length = strlen(path);
    snprintf(endpoint->path, sizeof endpoint->path, "%s", path);
    if (length > 0 && length < sizeof endpoint->path) return 0;
    return orientation_fail(
        failure, ORIENTATION_UNUSABLE_PATH, EINVAL, "invalid socket path '%.200s': has %zu bytes, must have 1 to %zu", path,
        length, sizeof endpoint->path - 1);
}

/* Uses the explicit path, else $ORIENTATIOND_SOCKET, else the system's daemon if its socket exists, else the user's. */
static int find_daemon(const char *place, struct endpoint *endpoint, struct orientation_failure *failure) {
    const char *named = secure_getenv("ORIENTATIOND_SOCKET"), *directory = secure_getenv("XDG_RUNTIME_DIR");
    endpoint->trust = TRUST_ANY;
    if (place) return set_path(endpoint, place, failure);
    if (named && *named) return set_path(endpoint, named, failure);
    if (access(system_socket, F_OK) != 0 && directory && *directory) {
        int length = snprintf(endpoint->path, sizeof endpoint->path, "%s/orientationd.sock", directory);
        endpoint->trust = TRUST_OWN_USER;
        if ((size_t)length < sizeof endpoint->path && access(endpoint->path, F_OK) == 0) return 0;
    }
    endpoint->trust = TRUST_FOLDER_OWNER;
    return set_path(endpoint, system_socket, failure);
}

int orientation_find(
    enum orientation_service service, const char *place, struct endpoint *endpoint, struct orientation_failure *failure
) {
    if (service == ORIENTATION_DAEMON) return find_daemon(place, endpoint, failure);
    const char *directory = place ? place : secure_getenv("XDG_RUNTIME_DIR");
    char path[2 * PATH_LIMIT];
    endpoint->trust = TRUST_OWN_USER;
    if (!directory || !*directory)
        return orientation_fail(failure, ORIENTATION_NOT_CONNECTED, ENOENT, "XDG_RUNTIME_DIR is not set");
    snprintf(path, sizeof path, "%.*s/orientation-autorotate/socket", PATH_LIMIT, directory);
    return set_path(endpoint, path, failure);
}

bool orientation_socket_path(enum orientation_service service, const char *place, char path[108]) {
    struct orientation_failure failure;
    struct endpoint endpoint = {.path = ""};
    orientation_find(service, place, &endpoint, &failure);
    memcpy(path, endpoint.path, sizeof endpoint.path);
    return strcmp(path, system_socket) == 0;
}

/* Root is trusted; at the system's socket the owner of its folder, which root created, and at a user's socket that user: a
 * program that root runs with another user's XDG_RUNTIME_DIR does not connect to that user's programs. */
bool orientation_trusts(const struct endpoint *endpoint, uid_t user, uid_t own, const uid_t *folder_owner) {
    if (endpoint->trust == TRUST_ANY || user == 0) return true;
    if (endpoint->trust == TRUST_FOLDER_OWNER) return folder_owner && user == *folder_owner;
    /* 65534 represents every user that has no id in this user namespace. */
    return user == own && user != 65534;
}

static int check_trust(struct call *call, const struct endpoint *endpoint, struct orientation_failure *failure) {
    struct ucred peer = {.uid = (uid_t)-1};
    socklen_t size = sizeof peer;
    getsockopt(call->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
    call->process = peer.pid;
    char folder[PATH_LIMIT], expected[32] = "the owner of the folder", remedy[80] = "to use it, set ORIENTATIOND_SOCKET to the path";
    memcpy(folder, endpoint->path, sizeof folder);
    char *end = strrchr(folder, '/');
    if (end) *end = 0;
    struct stat status;
    bool has_owner = end && lstat(folder, &status) == 0;
    if (orientation_trusts(endpoint, peer.uid, geteuid(), has_owner ? &status.st_uid : NULL)) return 0;
    if (endpoint->trust == TRUST_OWN_USER) snprintf(expected, sizeof expected, "user %u", geteuid());
    if (call->service == ORIENTATION_AGENT)
        snprintf(remedy, sizeof remedy, "set XDG_RUNTIME_DIR to a directory of this user, such as /run/user/%u", getuid());
    return orientation_fail(
        failure, ORIENTATION_UNTRUSTED, EPERM, "%s: untrusted service: runs as user %u, not as root or %s; %s", endpoint->path,
        peer.uid, expected, remedy);
}

static int connect_call(struct call *call, const struct wake *wake, struct orientation_failure *failure) {
    struct endpoint endpoint;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int off = 0, error = 0;
    if (orientation_find(call->service, call->place, &endpoint, failure) < 0) return -1;
    memcpy(address.sun_path, endpoint.path, sizeof address.sun_path);
    call->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (call->fd < 0) return orientation_fail(failure, ORIENTATION_NOT_CONNECTED, errno, "cannot connect: %s", strerror(errno));
    /* Descriptors of others: closing the last reference of one can block. */
    setsockopt(call->fd, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof off);
    if (connect(call->fd, (struct sockaddr *)&address, sizeof address) < 0) error = errno;
    else if (check_trust(call, &endpoint, failure) == 0) error = -orientation_watch(wake, call->fd, EPOLLIN | EPOLLOUT, true);
    else error = -1;
    if (error == 0) return 0;
    close(call->fd);
    if (error < 0) return -1;
    bool is_absent = error == ENOENT || error == ECONNREFUSED || error == ENOTSOCK;
    return orientation_fail(
        failure, ORIENTATION_NOT_CONNECTED, error, "%s: cannot connect: %s", endpoint.path,
        is_absent ? "no service is listening"
        : error == EAGAIN ? "too many connections are waiting; try again" : strerror(error));
}

void orientation_begin_call(
    struct call *call, struct wake *wake, enum orientation_service service, const char *place, const char *text, int timeout
) {
    orientation_end_call(call, wake);
    free(call->text);
    call->text = strdup(text);
    call->service = service;
    call->place = place;
    call->timeout = timeout;
    call->deadline = timeout > 0 ? orientation_now() + timeout : NEVER;
    call->phase = BEGUN;
    call->wake_up = 0;
}

void orientation_end_call(struct call *call, struct wake *wake) {
    if (call->phase == CONNECTED) {
        orientation_unwatch(wake, call->fd);
        close(call->fd);
    }
    call->phase = ENDED;
    call->wake_up = NEVER;
}

void orientation_free_call(struct call *call) {
    free(call->text);
    free(call->received);
}

static int lose(struct orientation_failure *failure, int error) {
    return orientation_fail(failure, ORIENTATION_NOT_CONNECTED, error, "connection lost: %s", strerror(error));
}

static int send_text(struct call *call, const struct wake *wake, struct orientation_failure *failure) {
    size_t size = strlen(call->text) + 1;
    ssize_t count = 1;
    while (call->sent < size && count > 0) {
        count = send(call->fd, call->text + call->sent, size - call->sent, MSG_NOSIGNAL);
        if (count > 0) call->sent += (size_t)count;
    }
    /* A closed connection may still have the reply that gives the reason. */
    if (count < 0 && errno != EAGAIN && errno != EINTR && errno != EPIPE && errno != ECONNRESET) return lose(failure, errno);
    if (call->sent < size || !call->is_writing) return 0;
    call->is_writing = false;
    int result = orientation_watch(wake, call->fd, EPOLLIN, false);
    return result < 0 ? lose(failure, -result) : 0;
}

/* Receives once. Returns 1 if bytes have arrived, or the end; 0 if not; -1 after a failure. */
static int receive(struct call *call, struct orientation_failure *failure) {
    if (call->has_ended)
        return orientation_fail(failure, ORIENTATION_NOT_CONNECTED, ECONNRESET, "connection closed by the service");
    if (call->length == call->capacity) {
        size_t capacity = call->capacity ? 2 * call->capacity : 4096;
        if (capacity > MESSAGE_LIMIT)
            return orientation_fail(
                failure, ORIENTATION_INVALID_REPLY, EMSGSIZE, "invalid reply: longer than %d bytes", MESSAGE_LIMIT);
        char *received = realloc(call->received, capacity);
        if (!received) return lose(failure, ENOMEM);
        call->received = received;
        call->capacity = capacity;
    }
    ssize_t count = recv(call->fd, call->received + call->length, call->capacity - call->length, 0);
    if (count > 0) call->length += (size_t)count;
    else if (count == 0 || errno == ECONNRESET) call->has_ended = true;
    else return errno == EAGAIN || errno == EINTR ? 0 : lose(failure, errno);
    return 1;
}

static int take_reply(struct call *call, const char **reply, size_t *length, struct orientation_failure *failure) {
    call->length -= call->taken;
    if (call->taken) memmove(call->received, call->received + call->taken, call->length);
    call->taken = 0;
    int result = 1;
    for (size_t searched = 0; result > 0; result = receive(call, failure)) {
        size_t fresh = call->length - searched;
        char *end = fresh ? memchr(call->received + searched, 0, fresh) : NULL;
        searched = call->length;
        if (!end) continue;
        *reply = call->received;
        *length = (size_t)(end - call->received);
        call->taken = *length + 1;
        return 1;
    }
    return result;
}

static int exchange(
    struct call *call, struct wake *wake, const char **reply, size_t *length, struct orientation_failure *failure
) {
    if (!call->text) return lose(failure, ENOMEM);
    int64_t now = orientation_now();
    if (call->phase == BEGUN) {
        if (connect_call(call, wake, failure) < 0) {
            bool is_busy = failure->kind == ORIENTATION_NOT_CONNECTED && failure->error == EAGAIN;
            call->wake_up = now + BUSY_DELAY;
            return is_busy && call->deadline != NEVER && now < call->deadline ? 0 : -1;
        }
        call->phase = CONNECTED;
        call->sent = call->taken = call->length = 0;
        call->is_writing = true;
        call->has_ended = false;
    }
    if (send_text(call, wake, failure) < 0) return -1;
    int result = take_reply(call, reply, length, failure);
    if (result == 1) call->deadline = NEVER;
    call->wake_up = call->deadline;
    if (result != 0 || now < call->deadline) return result;
    return orientation_fail(
        failure, ORIENTATION_TIMED_OUT, ETIMEDOUT, "timed out: no reply within %g s", call->timeout / 1000.0);
}

int orientation_next_reply(
    struct call *call, struct wake *wake, const char **reply, size_t *length, struct orientation_failure *failure
) {
    if (call->phase == ENDED) return 0;
    int result = exchange(call, wake, reply, length, failure);
    if (result < 0) orientation_end_call(call, wake);
    return result;
}

/* A call for a main loop. */
struct orientation_call {
    struct wake wake;
    struct call call;
    char *place;
    struct orientation_failure failure;
};

int orientation_call_open(
    enum orientation_service service, const char *place, const char *text, int timeout, struct orientation_call **result
) {
    struct orientation_call *call = *result = calloc(1, sizeof *call);
    if (!call) return -ENOMEM;
    int error = orientation_open_wake(&call->wake);
    if (!error && place && !(call->place = strdup(place))) error = -ENOMEM;
    orientation_begin_call(&call->call, &call->wake, service, call->place, text, timeout);
    if (error) {
        orientation_call_close(call);
        *result = NULL;
        return error;
    }
    orientation_arm(&call->wake, call->call.wake_up);
    return 0;
}

void orientation_call_close(struct orientation_call *call) {
    if (!call) return;
    orientation_close_wake(&call->wake);
    orientation_end_call(&call->call, &call->wake);
    orientation_free_call(&call->call);
    free(call->place);
    free(call);
}

int orientation_call_fd(const struct orientation_call *call) {
    return call->wake.epoll;
}

int orientation_call_next(struct orientation_call *call, const char **reply, size_t *length) {
    int result = orientation_next_reply(&call->call, &call->wake, reply, length, &call->failure);
    orientation_arm(&call->wake, call->call.wake_up);
    return call->call.phase == ENDED ? -1 : result;
}

const struct orientation_failure *orientation_call_failure(const struct orientation_call *call) {
    return &call->failure;
}

pid_t orientation_call_process_id(const struct orientation_call *call) {
    return call->call.process;
}
