// SPDX-License-Identifier: Apache-2.0
//
// Prints the time until the last of 100 subscribers has a change, in milliseconds: the medians of orientationd and of a
// server in this program, which only sends.
//
//     fanout SOCKET PEER    SOCKET is the daemon's; PEER is the path for the other server
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { SUBSCRIBERS = 100, ROUNDS = 15, SIZE = 350 };

static const char monitor[] = "{\"method\":\"org.orientationd.Orientation.Monitor\",\"more\":true}";
#define LOCK(edge) \
    "{\"method\":\"org.orientationd.Control.SetRotationLock\",\"parameters\":{\"locked\":true,\"edge\":\"" edge "\"}}"
static const char *locks[] = {LOCK("portrait"), LOCK("landscapeLeft")};

struct target {
    const char *path;
    int control, epoll;
    double times[ROUNDS];
};

static void die(const char *what) {
    perror(what);
    exit(1);
}

static int open_socket(const char *path, int (*use)(int, const struct sockaddr *, socklen_t)) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0 || use(fd, (struct sockaddr *)&address, sizeof address))
        die(path);
    return fd;
}

static void watch(int epoll, int fd) {
    struct epoll_event event = {EPOLLIN, {.fd = fd}};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event))
        die("epoll_ctl");
}

// A client that sends Monitor is a subscriber; another call is answered after all subscribers have a message.
static void serve(int listener) {
    int epoll = epoll_create1(0), subscribers[SUBSCRIBERS], count = 0;
    char call[4096], message[SIZE] = {0};
    memset(message, ' ', SIZE - 1);
    watch(epoll, listener);
    for (struct epoll_event event; epoll_wait(epoll, &event, 1, -1) == 1;) {
        int fd = event.data.fd;
        if (fd == listener) {
            watch(epoll, accept(listener, NULL, NULL));
        } else if (recv(fd, call, sizeof call, 0) <= 0) {
            exit(0); // the client has ended
        } else if (strstr(call, "Monitor")) {
            subscribers[count++] = fd;
            send(fd, message, SIZE, MSG_NOSIGNAL);
        } else {
            for (int i = 0; i < count; i++)
                send(subscribers[i], message, SIZE, MSG_NOSIGNAL);
            send(fd, message, SIZE, MSG_NOSIGNAL);
        }
    }
}

// Reads until a message is complete: it ends with a NUL.
static void receive(int fd) {
    static char buffer[65536];
    ssize_t count;
    do {
        count = recv(fd, buffer, sizeof buffer, 0);
        if (count <= 0)
            die("a server closed a connection");
    } while (buffer[count - 1] != 0);
}

static double milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

// Receives the next messages of subscribers, and returns their number: 0 if none arrives in this time, in milliseconds.
static int receive_some(struct target *target, int timeout) {
    struct epoll_event ready[SUBSCRIBERS];
    int count = epoll_wait(target->epoll, ready, SUBSCRIBERS, timeout);
    for (int i = 0; i < count; i++)
        receive(ready[i].data.fd);
    return count;
}

static void receive_all(struct target *target) {
    for (int missing = SUBSCRIBERS; missing > 0;) {
        int count = receive_some(target, 10000);
        if (count <= 0)
            die("a subscriber did not receive the change");
        missing -= count;
    }
}

static void subscribe(struct target *target) {
    target->control = open_socket(target->path, connect);
    target->epoll = epoll_create1(0);
    for (int i = 0; i < SUBSCRIBERS; i++) {
        int fd = open_socket(target->path, connect);
        send(fd, monitor, sizeof monitor, 0);
        receive(fd);
        watch(target->epoll, fd);
    }
    // The sensor starts with the first subscriber: its first orientation is a change too.
    while (receive_some(target, 1000) > 0)
        ;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 64;
    struct target targets[] = {{.path = argv[1]}, {.path = argv[2]}};
    int listener = open_socket(argv[2], bind);
    listen(listener, SUBSCRIBERS);
    if (fork() == 0)
        serve(listener);
    for (int i = 0; i < 2; i++)
        subscribe(&targets[i]);
    for (int round = -1; round < ROUNDS; round++) {
        for (int i = 0; i < 2; i++) {
            // The daemon permits one change of the lock per second. After a second the caches are cold, as in use.
            usleep(600000);
            const char *lock = locks[(round + 1) % 2];
            double start = milliseconds();
            send(targets[i].control, lock, strlen(lock) + 1, 0);
            receive_all(&targets[i]);
            if (round >= 0) // the first change is not measured: it allocates
                targets[i].times[round] = milliseconds() - start;
            receive(targets[i].control);
        }
    }
    for (int i = 0; i < 2; i++) {
        qsort(targets[i].times, ROUNDS, sizeof(double), ascending);
        printf("%.3f ", targets[i].times[ROUNDS / 2]);
    }
    return 0;
}
