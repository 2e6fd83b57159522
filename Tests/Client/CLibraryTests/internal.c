// SPDX-License-Identifier: Apache-2.0
// What the programs of this project use besides the exported functions, with a service in a thread: calls, observers, limits of
// replies, probes, alarms, and handles in several threads.
#define _GNU_SOURCE
#undef NDEBUG
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"

#define STATE(pose) \
    "{\"parameters\":{\"state\":{\"orientation\":\"" pose "\",\"lastEdge\":\"portrait\",\"natural\":\"portrait\",\"rotation\":0}}" \
    ",\"continues\":true}"

static char folder[80], path[100];
static atomic_int gets;

static void reply(int fd, const char *text) {
    (void)!send(fd, text, strlen(text) + 1, MSG_NOSIGNAL);
}

// Answers the first call of a connection, and keeps the connection until the client closes it.
static void *serve(void *connection) {
    int fd = (int)(intptr_t)connection;
    char call[1000] = "";
    if (read(fd, call, sizeof call - 1) <= 0) return NULL;
    if (strstr(call, "Monitor")) {
        reply(fd, STATE("portrait"));
        reply(fd, STATE("faceUp"));
        reply(fd, STATE("portrait"));
    } else if (strstr(call, ".Get")) {
        // The service hangs for the second one.
        if (++gets != 2) reply(fd, STATE("portrait"));
    } else if (strstr(call, "Long")) {
        char *text = calloc(1, 700 * 1024);
        memset(text, ' ', 700 * 1024 - 1);
        memcpy(text, "{}", 2);
        reply(fd, text);
        reply(fd, "{\"error\":\"a.b\"}");
        free(text);
    }
    while (read(fd, call, sizeof call) > 0) continue;
    close(fd);
    return NULL;
}

static void *listen_forever(void *listener) {
    for (;;) {
        int fd = accept((int)(intptr_t)listener, NULL, NULL);
        pthread_t thread;
        assert(fd >= 0 && pthread_create(&thread, NULL, serve, (void *)(intptr_t)fd) == 0);
        pthread_detach(thread);
    }
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int wait_for(int fd, int timeout) {
    return poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, timeout);
}

// Waits for the next reply, or the failure.
static int next(struct orientation_call *call, const char **text, size_t *length) {
    int result;
    while ((result = orientation_call_next(call, text, length)) == 0) assert(wait_for(orientation_call_fd(call), 10000) == 1);
    return result;
}

static void check_calls(void) {
    struct orientation_call *call;
    const char *text;
    size_t length;
    assert(orientation_call_open(ORIENTATION_DAEMON, path, "{\"method\":\"a.Long\"}", 5000, &call) == 0);
    assert(orientation_call_process_id(call) == 0);
    assert(next(call, &text, &length) == 1 && length == 700 * 1024 - 1 && memcmp(text, "{} ", 3) == 0);
    assert(orientation_call_process_id(call) == getpid());
    assert(next(call, &text, &length) == 1 && strcmp(text, "{\"error\":\"a.b\"}") == 0);
    // The timeout is that of the first reply.
    assert(orientation_call_next(call, &text, &length) == 0 && wait_for(orientation_call_fd(call), 100) == 0);
    orientation_call_close(call);

    assert(orientation_call_open(ORIENTATION_DAEMON, path, "{\"method\":\"a.Silent\"}", 200, &call) == 0);
    double began = now();
    assert(next(call, &text, &length) == -1 && now() - began > 0.19 && now() - began < 5);
    assert(orientation_call_failure(call)->kind == ORIENTATION_TIMED_OUT);
    assert(orientation_call_next(call, &text, &length) == -1 && wait_for(orientation_call_fd(call), 0) == 0);
    orientation_call_close(call);

    char longest[300];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    const struct {
        enum orientation_service service;
        const char *place;
        enum orientation_failure_kind kind;
        int error;
    } rows[] = {
        {ORIENTATION_DAEMON, "/absent", ORIENTATION_NOT_CONNECTED, ENOENT},
        {ORIENTATION_DAEMON, longest, ORIENTATION_UNUSABLE_PATH, EINVAL},
        {ORIENTATION_DAEMON, "", ORIENTATION_UNUSABLE_PATH, EINVAL},
        {ORIENTATION_AGENT, folder, ORIENTATION_NOT_CONNECTED, ENOENT},
        {ORIENTATION_AGENT, longest, ORIENTATION_UNUSABLE_PATH, EINVAL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert(orientation_call_open(rows[i].service, rows[i].place, "{}", 0, &call) == 0);
        assert(next(call, &text, &length) == -1);
        const struct orientation_failure *failure = orientation_call_failure(call);
        assert(failure->kind == rows[i].kind && failure->error == rows[i].error && failure->reason[0]);
        orientation_call_close(call);
    }
    char found[108];
    assert(!orientation_socket_path(ORIENTATION_DAEMON, path, found) && strcmp(found, path) == 0);
    assert(!orientation_socket_path(ORIENTATION_AGENT, "/run", found) && strcmp(found, "/run/orientation-autorotate/socket") == 0);
}

// The updates since the last loss, and what to do in the next one.
struct observer {
    struct orientation *handle;
    int replies, losses;
    struct orientation_failure failure;
    bool suspends;
};

static void observe(void *context, const struct orientation_update *update) {
    struct observer *observer = context;
    if (update->kind == ORIENTATION_REPLIED) {
        assert(update->length == strlen(update->reply) && strstr(update->reply, "\"state\""));
        observer->replies++;
    } else if (update->kind == ORIENTATION_LOST) {
        observer->losses++;
        observer->replies = 0;
        observer->failure = *update->failure;
    }
    if (observer->suspends) orientation_suspend(observer->handle);
}

static struct orientation *open_handle(struct observer *observer, unsigned limit) {
    struct orientation_setup setup = {
        .socket = path, .daemon_only = true, .limit = limit, .update = observe, .context = observer};
    assert(orientation_open_with(&setup, &observer->handle) == 0);
    return observer->handle;
}

static void check_observer(void) {
    struct observer observer = {0};
    struct orientation *handle = open_handle(&observer, 1);
    // With a limit of one, each reply needs a call, and is seen.
    while (observer.replies < 3) {
        int before = observer.replies;
        assert(wait_for(orientation_fd(handle), 10000) == 1);
        orientation_process(handle);
        assert(observer.replies - before <= 1);
    }
    while (wait_for(orientation_fd(handle), 50) == 1) orientation_process(handle);
    struct orientation_state state = {.size = sizeof state};
    assert(orientation_state(handle, &state) == 0 && state.sequence == 3 && state.pose == ORIENTATION_PORTRAIT);
    // An alarm wakes the program once.
    orientation_set_alarm(handle, 20);
    assert(wait_for(orientation_fd(handle), 10000) == 1 && orientation_process(handle) == 0);
    assert(wait_for(orientation_fd(handle), 50) == 0);
    orientation_set_alarm(handle, 20);
    orientation_set_alarm(handle, -1);
    assert(wait_for(orientation_fd(handle), 50) == 0);
    // An observer may suspend the handle.
    orientation_suspend(handle);
    orientation_resume(handle);
    observer = (struct observer){.handle = handle, .suspends = true};
    while (observer.replies == 0) {
        assert(wait_for(orientation_fd(handle), 10000) == 1);
        orientation_process(handle);
    }
    assert(wait_for(orientation_fd(handle), 50) == 0 && observer.replies == 1 && observer.losses == 0);
    orientation_close(handle);
}

static void check_probes(void) {
    struct observer observer = {0};
    struct orientation *handle = open_handle(&observer, 0);
    orientation_set_probing(handle, true);
    double began = now();
    // The second probe is 2 s after the reply to the first one, and has no reply within 5 s.
    while (observer.losses == 0) {
        assert(wait_for(orientation_fd(handle), 10000) == 1);
        orientation_process(handle);
    }
    assert(observer.failure.kind == ORIENTATION_TIMED_OUT && now() - began > 6.9 && now() - began < 10);
    // The next connection has its states, and a probe at once.
    while (observer.replies < 3 || gets < 3) {
        assert(wait_for(orientation_fd(handle), 10000) == 1);
        orientation_process(handle);
    }
    orientation_set_probing(handle, false);
    assert(observer.losses == 1 && wait_for(orientation_fd(handle), 2500) == 0 && gets == 3);
    orientation_close(handle);
}

// Follows with a handle of its own.
static void *follow(void *unused) {
    for (int i = 0; i < 20; i++) {
        struct observer observer = {0};
        struct orientation *handle = open_handle(&observer, 0);
        while (observer.replies < 3) {
            assert(wait_for(orientation_fd(handle), 10000) == 1);
            orientation_process(handle);
        }
        orientation_close(handle);
    }
    return unused;
}

int main(void) {
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/internal-XXXXXX", parent ? parent : "/tmp");
    assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/socket", folder);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strcpy(address.sun_path, path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert(bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 64) == 0);
    pthread_t thread, threads[8];
    assert(pthread_create(&thread, NULL, listen_forever, (void *)(intptr_t)listener) == 0);
    check_calls();
    check_observer();
    for (size_t i = 0; i < 8; i++) assert(pthread_create(&threads[i], NULL, follow, NULL) == 0);
    for (size_t i = 0; i < 8; i++) assert(pthread_join(threads[i], NULL) == 0);
    check_probes();
    unlink(path);
    rmdir(folder);
}
