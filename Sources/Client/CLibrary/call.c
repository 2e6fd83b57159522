/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls of Varlink services: the socket, the trusted users, the messages.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "handle.h"

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83 /* Linux 6.16 */
#endif

/* The delay before the next attempt while the backlog of the service is full, in ms. */
enum { BUSY_DELAY = 10 };

#define SYSTEM_FOLDER "/run/orientationd"
#define SYSTEM_SOCKET SYSTEM_FOLDER "/orientationd.sock"

int64_t orientation_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000) + time.tv_nsec / 1000000;
}

int orientation_watch(int epoll, int fd, uint32_t events) {
    struct epoll_event event = {.events = events};
    if (epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event) == 0) return 0;
    return errno != ENOENT || epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

void orientation_unwatch(int epoll, int fd) {
    /* A child process may have a copy of the descriptor, which would stay watched. */
    if (epoll >= 0) epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL);
}

static bool set_path(struct endpoint *endpoint, const char *folder, const char *name) {
    size_t length = (size_t)snprintf(endpoint->path, sizeof endpoint->path, "%s%s", folder, name);
    return length > 0 && length < sizeof endpoint->path;
}

/* Of the daemon: the explicit path, else $ORIENTATIOND_SOCKET, else the system's socket if it exists, else the user's. */
bool orientation_find(enum orientation_service service, const char *place, struct endpoint *endpoint) {
    const char *named = secure_getenv("ORIENTATIOND_SOCKET"), *directory = secure_getenv("XDG_RUNTIME_DIR");
    endpoint->trust = TRUST_OWN_USER;
    if (service == ORIENTATION_AGENT) {
        if (place) directory = place;
        return set_path(endpoint, directory ? directory : "", directory && *directory ? "/orientation-autorotate/socket" : "");
    }
    bool has_system = access(SYSTEM_SOCKET, F_OK) == 0;
    if (!place && named && *named) place = named;
    if (!place && !has_system && directory && set_path(endpoint, directory, "/orientationd.sock")
        && access(endpoint->path, F_OK) == 0)
        return true;
    endpoint->trust = place ? TRUST_ANY : TRUST_FOLDER_OWNER;
    return set_path(endpoint, place ? place : SYSTEM_SOCKET, "");
}

bool orientation_socket_path(enum orientation_service service, const char *place, char path[108]) {
    struct endpoint endpoint;
    orientation_find(service, place, &endpoint);
    memcpy(path, endpoint.path, sizeof endpoint.path);
    return strcmp(path, SYSTEM_SOCKET) == 0;
}

/* Root is trusted; at the system's socket the owner of its folder, which root created, and at a user's socket that user: a
 * program that root runs with another user's XDG_RUNTIME_DIR does not connect to that user's programs. */
bool orientation_trusts(const struct endpoint *endpoint, uid_t user, uid_t own, const uid_t *folder_owner) {
    if (endpoint->trust == TRUST_ANY || user == 0) return true;
    if (endpoint->trust == TRUST_FOLDER_OWNER) return folder_owner && user == *folder_owner;
    /* 65534 represents every user that has no id in this user namespace. */
    return user == own && user != 65534;
}

static int check_trust(struct orientation_call *call, const struct endpoint *endpoint) {
    struct ucred peer = {.uid = (uid_t)-1};
    socklen_t size = sizeof peer;
    struct stat folder;
    bool has_folder = lstat(SYSTEM_FOLDER, &folder) == 0;
    getsockopt(call->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size);
    call->process = peer.pid;
    if (orientation_trusts(endpoint, peer.uid, geteuid(), has_folder ? &folder.st_uid : NULL)) return 0;
    char owner[32] = "the owner of the folder", remedy[80] = "to use it, set ORIENTATIOND_SOCKET to the path";
    if (endpoint->trust == TRUST_OWN_USER) snprintf(owner, sizeof owner, "user %u", geteuid());
    if (call->service == ORIENTATION_AGENT)
        snprintf(remedy, sizeof remedy, "set XDG_RUNTIME_DIR to a directory of this user, as /run/user/%u", getuid());
    return orientation_fail(
        &call->failure, ORIENTATION_UNTRUSTED, EPERM, "%s: untrusted service: runs as user %u, not as root or %s; %s",
        endpoint->path, peer.uid, owner, remedy);
}

bool orientation_is_absence(int error) {
    return error == ENOENT || error == ECONNREFUSED || error == ENOTSOCK;
}

static int lose(struct orientation_call *call, const char *what, int error) {
    const char *reason = orientation_is_absence(error) ? "no service is listening"
        : error == EAGAIN ? "too many connections are waiting; try again" : strerror(error);
    return orientation_fail(&call->failure, ORIENTATION_NOT_CONNECTED, error, "%s: %s", what, reason);
}

static int connect_call(struct orientation_call *call) {
    struct endpoint endpoint;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    char what[PATH_LIMIT + 20];
    int off = 0;
    if (!orientation_find(call->service, call->place, &endpoint)) {
        if (call->service == ORIENTATION_AGENT && !endpoint.path[0])
            return orientation_fail(&call->failure, ORIENTATION_NOT_CONNECTED, ENOENT, "XDG_RUNTIME_DIR is not set");
        return orientation_fail(
            &call->failure, ORIENTATION_UNUSABLE_PATH, EINVAL, "invalid socket path '%s': must have 1 to %d bytes",
            endpoint.path, PATH_LIMIT - 1);
    }
    memcpy(address.sun_path, endpoint.path, sizeof address.sun_path);
    snprintf(what, sizeof what, "%s: cannot connect", endpoint.path);
    call->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (call->fd < 0) return lose(call, what, errno);
    call->phase = SENDING;
    /* Descriptors of others: closing the last reference of one can block. */
    setsockopt(call->fd, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof off);
    if (connect(call->fd, (struct sockaddr *)&address, sizeof address) < 0) return lose(call, what, errno);
    if (check_trust(call, &endpoint) < 0) return -1;
    int error = -orientation_watch(*call->epoll, call->fd, EPOLLIN | EPOLLOUT);
    if (error) return lose(call, what, error);
    call->failure.service = call->service == ORIENTATION_DAEMON ? "orientationd" : "orientation-autorotate";
    return 0;
}

void orientation_begin_call(
    struct orientation_call *call, enum orientation_service service, const char *place, const char *text, int timeout
) {
    orientation_end_call(call);
    *call = (struct orientation_call){
        .phase = BEGUN, .service = service, .place = place, .text = text, .timeout = timeout, .epoll = call->epoll,
        .deadline = timeout > 0 ? orientation_now() + timeout : NEVER, .buffer = call->buffer, .capacity = call->capacity};
}

void orientation_end_call(struct orientation_call *call) {
    if (call->phase > BEGUN) {
        orientation_unwatch(*call->epoll, call->fd);
        close(call->fd);
    }
    call->phase = ENDED;
    call->wake_up = NEVER;
}

static int send_text(struct orientation_call *call) {
    size_t size = strlen(call->text) + 1;
    ssize_t count = 1;
    while (call->sent < size && count > 0) {
        count = send(call->fd, call->text + call->sent, size - call->sent, MSG_NOSIGNAL);
        if (count > 0) call->sent += (size_t)count;
    }
    /* A closed connection may still have the reply that gives the reason. */
    if (count < 0 && errno != EAGAIN && errno != EINTR && errno != EPIPE && errno != ECONNRESET)
        return lose(call, "connection lost", errno);
    if (call->sent < size) return 0;
    call->phase = RECEIVING;
    int error = -orientation_watch(*call->epoll, call->fd, EPOLLIN);
    return error ? lose(call, "connection lost", error) : 0;
}

/* Receives once. Returns 1 if bytes have arrived, or the end; 0 if not; -1 after a failure. */
static int receive(struct orientation_call *call) {
    if (call->phase == CLOSED)
        return orientation_fail(&call->failure, ORIENTATION_NOT_CONNECTED, ECONNRESET, "connection closed by the service");
    if (call->received == call->capacity) {
        size_t capacity = call->capacity ? 2 * call->capacity : 4096;
        char *buffer = capacity > MESSAGE_LIMIT ? NULL : realloc(call->buffer, capacity);
        if (!buffer)
            return orientation_fail(
                &call->failure, ORIENTATION_INVALID_REPLY, EMSGSIZE, "invalid reply: longer than %zu bytes", call->capacity);
        call->buffer = buffer;
        call->capacity = capacity;
    }
    ssize_t count = recv(call->fd, call->buffer + call->received, call->capacity - call->received, 0);
    if (count > 0) call->received += (size_t)count;
    else if (count == 0 || errno == ECONNRESET) call->phase = CLOSED;
    else return errno == EAGAIN || errno == EINTR ? 0 : lose(call, "connection lost", errno);
    return 1;
}

/* Replaces the last reply by the next one; returns as receive(). */
static int take_reply(struct orientation_call *call) {
    call->received -= call->reply;
    if (call->received) memmove(call->buffer, call->buffer + call->reply, call->received);
    call->reply = 0;
    for (size_t searched = 0;;) {
        char *end = call->received > searched ? memchr(call->buffer + searched, 0, call->received - searched) : NULL;
        if (end) {
            call->reply = (size_t)(end - call->buffer) + 1;
            return 1;
        }
        searched = call->received;
        int result = receive(call);
        if (result <= 0) return result;
    }
}

static int exchange(struct orientation_call *call) {
    int64_t now = orientation_now();
    if (call->phase == BEGUN && connect_call(call) < 0) {
        if (call->failure.error != EAGAIN || call->deadline == NEVER || now >= call->deadline) return -1;
        orientation_end_call(call);
        call->phase = BEGUN;
        call->wake_up = now + BUSY_DELAY;
        return 0;
    }
    if (call->phase == SENDING && send_text(call) < 0) return -1;
    int result = take_reply(call);
    if (result == 1) call->deadline = NEVER;
    call->wake_up = call->deadline;
    if (result != 0 || now < call->deadline) return result;
    return orientation_fail(
        &call->failure, ORIENTATION_TIMED_OUT, ETIMEDOUT, "timed out: no reply within %g s", call->timeout / 1000.0);
}

static int refuse(struct orientation_call *call, const json_t *reply, const char *name) {
    static const char service[] = "org.varlink.service.";
    const json_t *parameters = json_object_get(reply, "parameters");
    const char *needs = orientation_member(parameters, "needs"), *limit = orientation_member(parameters, "limit");
    const char *why = orientation_member(parameters, "reason"), *last = strrchr(name, '.') ? strrchr(name, '.') + 1 : name;
    bool is_missing = strncmp(name, service, sizeof service - 1) == 0
        && (strcmp(last, "InterfaceNotFound") == 0 || strncmp(last, "MethodNot", 9) == 0);
    enum orientation_failure_kind kind = is_missing ? ORIENTATION_UNAVAILABLE : ORIENTATION_REFUSED;
    if (*needs) return orientation_fail(&call->failure, kind, 0, "permission denied: needs %.200s", needs);
    if (*limit) return orientation_fail(&call->failure, kind, 0, "limit reached: %.200s", limit);
    return orientation_fail(&call->failure, kind, 0, "%.60s%s%.180s", last, *why ? ": " : "", why);
}

static int parse_reply(struct orientation_call *call, json_t **reply) {
    *reply = json_loadb(call->buffer, call->reply - 1, JSON_REJECT_DUPLICATES, NULL);
    const char *error = orientation_member(*reply, "error");
    if (json_is_object(*reply) && !*error) return 1;
    int result = *error
        ? refuse(call, *reply, error)
        : orientation_fail(&call->failure, ORIENTATION_INVALID_REPLY, 0, "invalid reply: not a JSON object");
    json_decref(*reply);
    *reply = NULL;
    return result;
}

int orientation_next_reply(struct orientation_call *call, json_t **reply) {
    int result = call->phase == ENDED ? 0 : exchange(call);
    if (result == 1) result = parse_reply(call, reply);
    if (result < 0) orientation_end_call(call);
    return result;
}
