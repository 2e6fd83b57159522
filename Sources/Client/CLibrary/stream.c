/* SPDX-License-Identifier: Apache-2.0
 *
 * Sockets of Varlink services: which ones are trusted, and their messages.
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

#include "internal.h"

#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83 /* Linux 6.16 */
#endif

static const char system_socket[] = "/run/orientationd/orientationd.sock";

/* Uses the explicit path, else $ORIENTATIOND_SOCKET, else the system's daemon if its socket exists, else the user's. */
void orientation_find_daemon(const struct orientation *handle, struct endpoint *endpoint) {
    const char *named = handle->socket[0] ? handle->socket : secure_getenv("ORIENTATIOND_SOCKET");
    if (named && *named) {
        /* A path that is too long becomes one that does not exist. */
        bool fits = strlen(named) < sizeof endpoint->path;
        snprintf(endpoint->path, sizeof endpoint->path, "%s", fits ? named : "ORIENTATIOND_SOCKET");
        endpoint->trust = TRUST_ANY;
        return;
    }
    const char *directory = secure_getenv("XDG_RUNTIME_DIR");
    if (access(system_socket, F_OK) != 0 && directory && *directory) {
        int length = snprintf(endpoint->path, sizeof endpoint->path, "%s/orientationd.sock", directory);
        endpoint->trust = TRUST_OWN_USER;
        if ((size_t)length < sizeof endpoint->path && access(endpoint->path, F_OK) == 0) return;
    }
    memcpy(endpoint->path, system_socket, sizeof system_socket);
    endpoint->trust = TRUST_FOLDER_OWNER;
}

bool orientation_find_agent(struct endpoint *endpoint) {
    const char *directory = secure_getenv("XDG_RUNTIME_DIR");
    size_t room = sizeof endpoint->path;
    endpoint->trust = TRUST_OWN_USER;
    return directory && *directory
        && (size_t)snprintf(endpoint->path, room, "%s/orientation-autorotate/socket", directory) < room;
}

/* Root is trusted; at the system's socket the owner of its folder, which root created, and at a user's socket that user: a
 * program that root runs with another user's XDG_RUNTIME_DIR does not connect to that user's programs. */
bool orientation_trusts(const struct endpoint *endpoint, uid_t user, uid_t own, const uid_t *folder_owner) {
    if (endpoint->trust == TRUST_ANY || user == 0) return true;
    if (endpoint->trust == TRUST_FOLDER_OWNER) return folder_owner && user == *folder_owner;
    /* 65534 represents every user that has no id in this user namespace. */
    return user == own && user != 65534;
}

static bool is_trusted(const struct stream *stream, const struct endpoint *endpoint, uid_t *user) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(stream->fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) < 0) return false;
    *user = peer.uid;
    char folder[PATH_LIMIT];
    memcpy(folder, endpoint->path, sizeof folder);
    char *end = strrchr(folder, '/');
    if (end) *end = 0;
    struct stat status;
    bool has_owner = end && lstat(folder, &status) == 0;
    return orientation_trusts(endpoint, peer.uid, geteuid(), has_owner ? &status.st_uid : NULL);
}

int orientation_stream_open(
    struct orientation *handle, struct stream *stream, const struct endpoint *endpoint, const char *call, char *reason
) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    memcpy(address.sun_path, endpoint->path, sizeof address.sun_path);
    uid_t user = (uid_t)-1;
    /* Keeps untouched pages of the buffers untouched. */
    stream->sent = stream->received = 0;
    stream->has_ended = false;
    stream->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (stream->fd < 0) goto failed;
    /* Descriptors of others: closing the last reference of one can block. */
    int off = 0;
    setsockopt(stream->fd, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof off);
    if (connect(stream->fd, (struct sockaddr *)&address, sizeof address) < 0) goto failed;
    if (!is_trusted(stream, endpoint, &user)) {
        orientation_stream_close(handle, stream);
        snprintf(
            reason, SENTENCE,
            "%s: untrusted service: runs as user %d; to use it, set ORIENTATIOND_SOCKET to the path", endpoint->path,
            (int)user);
        return -EPERM;
    }
    stream->queued = strlen(call) + 1;
    memcpy(stream->calls, call, stream->queued);
    stream->is_writing = true;
    if (orientation_watch(handle, stream->fd, EPOLLIN | EPOLLOUT, true) < 0) goto failed;
    return 0;

failed:;
    int error = errno;
    orientation_stream_close(handle, stream);
    snprintf(
        reason, SENTENCE, "%s: cannot connect: %s", endpoint->path,
        error == EAGAIN ? "the service accepts no connections" : strerror(error));
    return -error;
}

int orientation_stream_process(struct orientation *handle, struct stream *stream, char *reason) {
    ssize_t count = 1;
    while (stream->sent < stream->queued && count > 0) {
        count = send(stream->fd, stream->calls + stream->sent, stream->queued - stream->sent, MSG_NOSIGNAL);
        if (count > 0) stream->sent += (size_t)count;
    }
    if (count < 0 && errno != EAGAIN && errno != EINTR && errno != EPIPE && errno != ECONNRESET) goto failed;
    if (stream->is_writing && stream->sent == stream->queued) {
        stream->is_writing = false;
        if (orientation_watch(handle, stream->fd, EPOLLIN, false) < 0) goto failed;
    }
    /* A closed connection may still have the reply that gives the reason. */
    count = recv(stream->fd, stream->replies + stream->received, sizeof stream->replies - stream->received, 0);
    if (count > 0) stream->received += (size_t)count;
    if (count == 0 || (count < 0 && errno == ECONNRESET)) stream->has_ended = true;
    else if (count < 0 && errno != EAGAIN && errno != EINTR) goto failed;
    return 0;

failed:;
    int error = errno;
    snprintf(reason, SENTENCE, "connection lost: %s", strerror(error));
    return -error;
}

int orientation_stream_next(struct stream *stream, json_t **message, char *reason) {
    char *end = memchr(stream->replies, 0, stream->received);
    if (!end && stream->has_ended) {
        snprintf(reason, SENTENCE, "connection closed by the service");
        return -ECONNRESET;
    }
    if (!end) {
        if (stream->received < sizeof stream->replies) return 0;
        snprintf(reason, SENTENCE, "invalid reply: longer than %d bytes", MESSAGE_LIMIT);
        return -EBADMSG;
    }
    size_t length = (size_t)(end - stream->replies);
    *message = json_loadb(stream->replies, length, JSON_REJECT_DUPLICATES, NULL);
    stream->received -= length + 1;
    memmove(stream->replies, end + 1, stream->received);
    if (json_is_object(*message)) return 1;
    json_decref(*message);
    snprintf(reason, SENTENCE, "invalid reply: not a JSON object");
    return -EBADMSG;
}

void orientation_stream_close(struct orientation *handle, struct stream *stream) {
    if (stream->fd < 0) return;
    /* A child process may have a copy, which would stay in the epoll descriptor. */
    epoll_ctl(handle->epoll, EPOLL_CTL_DEL, stream->fd, NULL);
    close(stream->fd);
    stream->fd = -1;
}
