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

// The longest message, with its NUL.
enum { LONGEST = 1024 * 1024 };

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
        char *text = calloc(1, LONGEST);
        memset(text, ' ', LONGEST - 1);
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

// A call, and its last update.
struct call {
    struct orientation *handle;
    bool has_update, has_failed;
    pid_t process;
    char *reply;
    struct orientation_failure failure;
};

static void keep(void *context, const struct orientation_update *update) {
    struct call *call = context;
    call->process = update->process;
    call->has_update = true;
    call->has_failed = update->failure;
    if (update->failure) call->failure = *update->failure;
    free(call->reply);
    call->reply = update->reply ? strdup(update->reply) : NULL;
    assert(!update->reply || update->length == strlen(update->reply));
}

static void open_call(struct call *call, enum orientation_service service, const char *place, const char *text, int timeout) {
    *call = (struct call){0};
    struct orientation_setup setup = {
        .socket = place, .call = text, .service = service, .timeout = timeout, .update = keep, .context = call};
    assert(orientation_open_with(&setup, &call->handle) == 0);
}

// Waits for the next reply, or the failure. Returns whether it is a reply.
static bool next(struct call *call) {
    for (call->has_update = false; !call->has_update; orientation_process(call->handle))
        assert(wait_for(orientation_fd(call->handle), 10000) == 1);
    return !call->has_failed;
}

static void close_call(struct call *call) {
    orientation_close(call->handle);
    free(call->reply);
}

static void check_calls(void) {
    struct call call;
    open_call(&call, ORIENTATION_DAEMON, path, "{\"method\":\"a.Long\"}", 5000);
    assert(next(&call) && call.process == getpid());
    assert(strlen(call.reply) == LONGEST - 1 && memcmp(call.reply, "{} ", 3) == 0);
    assert(!next(&call) && strcmp(call.reply, "{\"error\":\"a.b\"}") == 0 && call.failure.kind == ORIENTATION_REFUSED);
    // The timeout is that of the first reply.
    while (wait_for(orientation_fd(call.handle), 100) == 1) assert(orientation_process(call.handle) == 0);
    assert(strcmp(call.reply, "{\"error\":\"a.b\"}") == 0);
    close_call(&call);

    open_call(&call, ORIENTATION_DAEMON, path, "{\"method\":\"a.Silent\"}", 200);
    double began = now();
    assert(!next(&call) && now() - began > 0.19 && now() - began < 5);
    assert(call.failure.kind == ORIENTATION_TIMED_OUT && strcmp(call.failure.service, "orientationd") == 0);
    assert(wait_for(orientation_fd(call.handle), 0) == 0);
    close_call(&call);

    char longest[300];
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = 0;
    const struct {
        enum orientation_service service;
        const char *place;
    } rows[] = {{ORIENTATION_DAEMON, "/absent"}, {ORIENTATION_AGENT, folder}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        open_call(&call, rows[i].service, rows[i].place, "{}", 0);
        assert(!next(&call) && call.process == 0 && !call.reply);
        // The reason begins with the path.
        assert(call.failure.kind == ORIENTATION_NOT_CONNECTED && call.failure.error == ENOENT && !call.failure.service);
        assert(strncmp(call.failure.reason, rows[i].place, strlen(rows[i].place)) == 0);
        close_call(&call);
    }
    struct orientation *handle;
    assert(orientation_open_with(&(struct orientation_setup){.socket = longest, .call = "{}"}, &handle) == -EINVAL && !handle);
    assert(orientation_open_with(&(struct orientation_setup){.socket = "", .call = "{}"}, &handle) == -EINVAL && !handle);
    longest[100] = 0;
    open_call(&call, ORIENTATION_AGENT, longest, "{}", 0);
    assert(!next(&call) && call.failure.kind == ORIENTATION_UNUSABLE_PATH && call.failure.error == EINVAL);
    close_call(&call);
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
    if (update->failure) {
        observer->losses++;
        observer->replies = 0;
        observer->failure = *update->failure;
    } else {
        assert(update->length == strlen(update->reply) && strstr(update->reply, "\"state\""));
        observer->replies++;
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
    // An observer may suspend the handle; an alarm wakes it then, too.
    orientation_suspend(handle);
    orientation_set_alarm(handle, 0);
    assert(wait_for(orientation_fd(handle), 10000) == 1 && orientation_process(handle) == 0);
    assert(wait_for(orientation_fd(handle), 0) == 0);
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
