// SPDX-License-Identifier: Apache-2.0
//
// The baseline for a reading: the system calls that a program makes at least to read an accelerometer, and nothing else.
//
//     reader poll MILLISECONDS FILE...        reads all files at this interval, as a polled chip is read
//     reader scans NODE BYTES [MILLISECONDS]  reads each scan of this size from the node as it arrives, or, at this interval,
//                                             all that have arrived
//     reader cold MILLISECONDS FILE           prints how long two reads in a row take after this pause, in µs: medians
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FILES 8

static void die(const char *what) {
    perror(what);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_BOOTTIME, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int open_file(const char *path, int flags) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | flags);
    if (fd < 0)
        die(path);
    return fd;
}

static void read_files(double interval, char **paths, int count) {
    int fds[FILES];
    char text[64];
    for (int i = 0; i < count; i++)
        fds[i] = open_file(paths[i], 0);
    for (double due = now();; due += interval) {
        double left = due - now();
        if (left > 0)
            poll(NULL, 0, (int)left + 1);
        for (int i = 0; i < count; i++)
            if (pread(fds[i], text, sizeof text, 0) <= 0)
                die(paths[i]);
    }
}

static void read_scans(const char *path, size_t size, int interval) {
    struct pollfd node = {open_file(path, O_NONBLOCK), POLLIN, 0};
    char scan[256];
    for (;;) {
        if (poll(&node, interval > 0 ? 0 : 1, interval > 0 ? interval : -1) < 0 || size > sizeof scan)
            die(path);
        ssize_t count;
        do
            count = read(node.fd, scan, size);
        while (count > 0 && interval > 0);
        if (count < 0 && errno != EAGAIN)
            die(path);
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void time_reads(double pause, const char *path) {
    enum { ROUNDS = 21 };
    double first[ROUNDS], second[ROUNDS];
    char text[64];
    int fd = open_file(path, 0);
    for (int i = 0; i < ROUNDS; i++) {
        poll(NULL, 0, (int)pause);
        double start = now();
        if (pread(fd, text, sizeof text, 0) <= 0)
            die(path);
        double middle = now();
        if (pread(fd, text, sizeof text, 0) <= 0)
            die(path);
        first[i] = middle - start;
        second[i] = now() - middle;
    }
    qsort(first, ROUNDS, sizeof *first, ascending);
    qsort(second, ROUNDS, sizeof *second, ascending);
    printf("%.2f %.2f\n", first[ROUNDS / 2] * 1e3, second[ROUNDS / 2] * 1e3);
    exit(0);
}

int main(int argc, char **argv) {
    if (argc >= 4 && argc - 3 <= FILES && strcmp(argv[1], "poll") == 0)
        read_files(atof(argv[2]), argv + 3, argc - 3);
    if ((argc == 4 || argc == 5) && strcmp(argv[1], "scans") == 0)
        read_scans(argv[2], (size_t)atoi(argv[3]), argc == 5 ? atoi(argv[4]) : 0);
    if (argc == 4 && strcmp(argv[1], "cold") == 0)
        time_reads(atof(argv[2]), argv[3]);
    return 64;
}
