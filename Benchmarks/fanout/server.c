// SPDX-License-Identifier: Apache-2.0
//
// The baseline for the daemon's fan-out: epoll without limits.
//
//     server SOCKET FIRST CHANGE [json [sd-event]]    FIRST and CHANGE are files: the bytes of a first reply and of a further one
//
// With json, a call is parsed and checked, and CHANGE is encoded once per event, with the library of the daemon: the least
// that a Varlink service does for an event. With sd-event, an sd-event loop waits for the epoll instance, as in the
// daemon: the least that a service with that library does for an event.
//
// A client that sends a message receives FIRST and is a subscriber from then on. A client that sends a message with
// SetRotationLock receives an empty reply, after CHANGE was sent to all subscribers.
#define _GNU_SOURCE
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <systemd/sd-event.h>
#include <unistd.h>

struct bytes {
    char *data;
    size_t size;
};

struct client {
    int fd;
    int index; // in the list of subscribers, or -1
};

static struct bytes first, change; // the first reply, and a further one
static struct client **subscribers;
static int subscriber_count;
static int epoll, listener;
static json_t *state; // what a change encodes; NULL without JSON

static void die(const char *what) {
    perror(what);
    exit(1);
}

static struct bytes load(const char *path) {
    // Ends with a NUL.
    struct bytes file = {calloc(1, 65537), 0};
    FILE *stream = fopen(path, "r");
    if (!stream)
        die(path);
    file.size = fread(file.data, 1, 65536, stream);
    fclose(stream);
    return file;
}

static void leave(struct client *client) {
    if (client->index >= 0) {
        subscribers[client->index] = subscribers[--subscriber_count];
        subscribers[client->index]->index = client->index;
    }
    close(client->fd);
    free(client);
}

static void send_all(struct bytes bytes) {
    for (int i = 0; i < subscriber_count; i++)
        send(subscribers[i]->fd, bytes.data, bytes.size, MSG_NOSIGNAL);
}

// Parses a call, checks its parameters, and sends the state with the new lock.
static void set_lock(const char *text, size_t size) {
    json_t *call = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    const char *method = json_string_value(json_object_get(call, "method"));
    json_t *parameters = json_object_get(call, "parameters");
    json_t *locked = json_object_get(parameters, "locked"), *edge = json_object_get(parameters, "edge");
    if (method && !strcmp(method, "org.orientationd.Control.SetRotationLock") && json_is_boolean(locked) &&
        json_is_string(edge)) {
        json_object_set(json_object_get(state, "parameters"), "edge", edge);
        char *line = json_dumps(state, JSON_COMPACT);
        send_all((struct bytes){line, strlen(line) + 1});
        free(line);
    }
    json_decref(call);
}

static void answer(struct client *client) {
    char buffer[4096];
    ssize_t count = recv(client->fd, buffer, sizeof buffer - 1, 0);
    if (count < 0 && errno == EAGAIN)
        return;
    if (count <= 0)
        return leave(client);
    if (memmem(buffer, (size_t)count, "SetRotationLock", 15)) {
        if (state)
            set_lock(buffer, (size_t)count - 1);
        else
            send_all(change);
        send(client->fd, "{\"parameters\":{}}", 18, MSG_NOSIGNAL);
        return;
    }
    if (client->index < 0) {
        client->index = subscriber_count;
        subscribers[subscriber_count++] = client;
    }
    send(client->fd, first.data, first.size, MSG_NOSIGNAL);
}

static void accept_all(void) {
    int fd;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        struct client *client = malloc(sizeof *client);
        *client = (struct client){fd, -1};
        struct epoll_event event = {EPOLLIN, {.ptr = client}};
        epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    }
}

// Serves the clients that are ready; waits for at most `timeout` milliseconds, or without limit if it is -1.
static void serve(int timeout) {
    struct epoll_event events[64];
    int count = epoll_wait(epoll, events, 64, timeout);
    for (int i = 0; i < count; i++) {
        if (events[i].data.ptr)
            answer(events[i].data.ptr);
        else
            accept_all();
    }
}

static int on_ready(sd_event_source *source, int fd, uint32_t events, void *data) {
    (void)source, (void)fd, (void)events, (void)data;
    serve(0);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 4 || argc > 6 || (argc > 4 && strcmp(argv[4], "json")) || (argc > 5 && strcmp(argv[5], "sd-event")))
        return 64;
    first = load(argv[2]);
    change = load(argv[3]);
    if (argc > 4 && !(state = json_loads(change.data, 0, NULL))) {
        fprintf(stderr, "%s: not JSON\n", argv[3]);
        return 1;
    }
    struct rlimit limit = {8192, 8192};
    setrlimit(RLIMIT_NOFILE, &limit);
    subscribers = malloc(8192 * sizeof *subscribers);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
    listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 128))
        die(argv[1]);
    epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {EPOLLIN, {.ptr = NULL}};
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    if (argc > 5) {
        sd_event *loop;
        int code = sd_event_new(&loop);
        if (code >= 0)
            code = sd_event_add_io(loop, NULL, epoll, EPOLLIN, on_ready, NULL);
        if (code < 0) {
            errno = -code;
            die("sd-event");
        }
        return sd_event_loop(loop) < 0;
    }
    for (;;)
        serve(-1);
}
