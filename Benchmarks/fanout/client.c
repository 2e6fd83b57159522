// SPDX-License-Identifier: Apache-2.0
//
// Thousands of subscribers in one process, and the time measurement.
//
//     client SOCKET PID SUBSCRIBERS EVENTS    the fan-out of the server with this PID
//     client SOCKET PID get CALLS             the latency of a single call
//
// An event is a call of SetRotationLock, which changes the state at once: the time runs from just before it is written
// until a subscriber has read the change. The daemon permits a burst of 4 changes, then one per second: the events come in
// bursts, as in use. Prints one line of numbers, separated by spaces:
//
//     accept-ms cpu-us-per-event p50-us p99-us last-p50-us bytes-per-subscriber      or      p50-us p99-us
//
// cpu is that of the server, from its threads' schedstat, the median of the events; last is the time until all subscribers have read the change.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define MONITOR "{\"method\":\"org.orientationd.Orientation.Monitor\",\"more\":true}"
#define GET "{\"method\":\"org.orientationd.Orientation.Get\"}"
#define LOCK(edge) \
    "{\"method\":\"org.orientationd.Control.SetRotationLock\",\"parameters\":{\"locked\":true,\"edge\":\"" edge "\"}}"

// The daemon's limit of changes of the rotation lock: the changes of a burst, and a little more than the time after which
// the next burst is permitted, in microseconds.
#define BURST 4
#define INTERVAL 4200000

static const char *pid;

static void die(const char *what) {
    perror(what);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

// The processor time of all threads of the server, in microseconds.
static double processor_time(void) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%s/task", pid);
    DIR *tasks = opendir(path);
    if (!tasks)
        die(path);
    double sum = 0;
    for (struct dirent *task; (task = readdir(tasks));) {
        char file[400];
        snprintf(file, sizeof file, "%s/%s/schedstat", path, task->d_name);
        FILE *stream = task->d_name[0] == '.' ? NULL : fopen(file, "r");
        unsigned long long nanoseconds;
        if (stream && fscanf(stream, "%llu", &nanoseconds) == 1)
            sum += (double)nanoseconds / 1e3;
        if (stream)
            fclose(stream);
    }
    closedir(tasks);
    return sum;
}

// The server's own memory, in bytes.
static double memory(void) {
    char path[64], line[256];
    snprintf(path, sizeof path, "/proc/%s/smaps_rollup", pid);
    FILE *stream = fopen(path, "r");
    if (!stream)
        die(path);
    double kib = 0;
    while (fgets(line, sizeof line, stream))
        if (sscanf(line, "Anonymous: %lf", &kib) == 1)
            break;
    fclose(stream);
    return kib * 1024;
}

static int connect_to(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address))
        die(path);
    return fd;
}

// Reads until the message is complete; each has its NUL at the end of what was read.
static void await_message(int fd) {
    char buffer[65536];
    ssize_t count;
    do {
        count = recv(fd, buffer, sizeof buffer, 0);
        if (count <= 0)
            die("the server closed");
    } while (buffer[count - 1] != 0);
}

static int ascending(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double part(double *values, int count, double share) {
    qsort(values, (size_t)count, sizeof *values, ascending);
    return count ? values[(int)((count - 1) * share)] : 0;
}

static void get(const char *path, int calls) {
    int subscriber = connect_to(path), fd = connect_to(path);
    double *times = malloc((size_t)calls * sizeof *times);
    send(subscriber, MONITOR, sizeof MONITOR, 0);
    await_message(subscriber);
    usleep(500000); // until the first reading: starting the sensor is not measured
    for (int i = 0; i < calls; i++) {
        double start = now();
        send(fd, GET, sizeof GET, 0);
        await_message(fd);
        times[i] = now() - start;
    }
    printf("%.1f %.1f\n", part(times, calls, 0.5), part(times, calls, 0.99));
}

int main(int argc, char **argv) {
    if (argc != 5)
        return 64;
    const char *path = argv[1];
    pid = argv[2];
    int subscribers = atoi(argv[3]), events = atoi(argv[4]);
    if (strcmp(argv[3], "get") == 0) {
        get(path, events);
        return 0;
    }
    struct rlimit limit = {8192, 8192};
    setrlimit(RLIMIT_NOFILE, &limit);
    int control = connect_to(path), epoll = epoll_create1(EPOLL_CLOEXEC);
    // The first reply allocates memory that all later ones share.
    send(control, LOCK("portrait"), sizeof LOCK("portrait"), 0);
    await_message(control);
    double before = memory(), start = now();
    int *fds = malloc((size_t)subscribers * sizeof *fds);
    for (int i = 0; i < subscribers; i++) {
        fds[i] = connect_to(path);
        send(fds[i], MONITOR, sizeof MONITOR, 0);
        struct epoll_event event = {EPOLLIN, {.fd = fds[i]}};
        epoll_ctl(epoll, EPOLL_CTL_ADD, fds[i], &event);
    }
    for (int i = 0; i < subscribers; i++)
        await_message(fds[i]);
    double accepting = (now() - start) / 1e3;
    // The sensor starts with the first subscriber: wait until its first changes have been sent.
    usleep(1000000);
    struct epoll_event ready[256];
    char buffer[65536];
    for (int count; (count = epoll_wait(epoll, ready, 256, 0)) > 0;)
        for (int i = 0; i < count; i++)
            if (recv(ready[i].data.fd, buffer, sizeof buffer, MSG_DONTWAIT) == 0)
                die("the server closed");

    double *times = malloc((size_t)events * (size_t)subscribers * sizeof *times);
    double *lasts = malloc((size_t)events * sizeof *lasts), *used = malloc((size_t)events * sizeof *used);
    int taken = 0;
    for (int event = 0; event < events; event++) {
        usleep(event % BURST == 0 ? INTERVAL : 10000);
        double cpu = processor_time(), sent = now();
        if (event % 2)
            send(control, LOCK("portrait"), sizeof LOCK("portrait"), 0);
        else
            send(control, LOCK("landscapeLeft"), sizeof LOCK("landscapeLeft"), 0);
        for (int missing = subscribers; missing > 0;) {
            int count = epoll_wait(epoll, ready, 256, 10000);
            if (count <= 0)
                die("a subscriber did not receive the state");
            for (int i = 0; i < count; i++) {
                await_message(ready[i].data.fd);
                times[taken++] = now() - sent;
                missing--;
            }
        }
        lasts[event] = now() - sent;
        await_message(control);
        used[event] = processor_time() - cpu;
    }
    printf("%.1f %.1f %.1f %.1f %.1f %.0f\n", accepting, part(used, events, 0.5), part(times, taken, 0.5),
           part(times, taken, 0.99), part(lasts, events, 0.5), subscribers ? (memory() - before) / subscribers : 0);
}
