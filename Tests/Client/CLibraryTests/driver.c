// SPDX-License-Identifier: Apache-2.0
// A program with the library, for the tests: prints the state after each change as JSON, and reads commands, one a line:
// lock EDGE|on|off, hold WORDS [APP], release, suspend, resume, state, quit. "slowest" is the longest wait of a call, in
// microseconds, without the time in which a busy machine let it wait for the processor.
#define _GNU_SOURCE
#include <fcntl.h>
#include <orientation.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static struct orientation *handle;
static long slowest;
static struct timespec began;
static struct rusage before;
static int schedule;
static long long scheduled;

/* Returns the time for which this thread has run or waited for the processor, in nanoseconds. */
static long long time_scheduled(void) {
    char line[100] = "";
    long long ran = 0, waited = 0;
    if (pread(schedule, line, sizeof line - 1, 0) > 0) sscanf(line, "%lld %lld", &ran, &waited);
    return ran + waited;
}

static void begin(void) {
    scheduled = time_scheduled();
    getrusage(RUSAGE_SELF, &before);
    clock_gettime(CLOCK_MONOTONIC, &began);
}

static void end(void) {
    struct timespec now;
    struct rusage after;
    clock_gettime(CLOCK_MONOTONIC, &now);
    getrusage(RUSAGE_SELF, &after);
    if (after.ru_nvcsw == before.ru_nvcsw) return;
    long duration = (now.tv_sec - began.tv_sec) * 1000000 + (now.tv_nsec - began.tv_nsec) / 1000;
    duration -= (long)((time_scheduled() - scheduled) / 1000);
    if (duration > slowest) slowest = duration;
}

static void text(const char *name, const char *value) {
    printf(",\"%s\":\"", name);
    for (; *value; value++) printf(strchr("\"\\", *value) ? "\\%c" : "%c", *value);
    putchar('"');
}

static void print(unsigned events, int result) {
    struct orientation_state state = {.size = sizeof state};
    orientation_state(handle, &state);
    printf(
        "{\"events\":%u,\"result\":%d,\"rotation\":%d,\"locked\":%d,\"tablet\":%d,\"held\":%d,\"failed\":%d,\"sequence\":%llu,"
        "\"slowest\":%ld",
        events, result, state.rotation, state.locked, state.tablet_mode, state.held, state.failed,
        (unsigned long long)state.sequence, slowest);
    text("pose", orientation_pose_name(state.pose));
    text("edge", orientation_edge_name(state.edge));
    text("natural", orientation_pose_name(state.natural));
    text("lockedTo", orientation_edge_name(state.locked_to));
    text("backend", state.backend);
    text("sensor", state.sensor);
    text("reason", state.reason);
    text("holdReason", state.hold_reason);
    text("error", orientation_error(handle));
    puts("}");
    fflush(stdout);
}

static int perform(const char *command, const char *word, const char *rest) {
    if (strcmp(command, "lock") == 0) {
        enum orientation_edge edge = ORIENTATION_EDGE_UNKNOWN;
        for (int i = 1; i <= 4; i++)
            if (strcmp(word, orientation_edge_name((enum orientation_edge)i)) == 0) edge = (enum orientation_edge)i;
        if (strcmp(word, "face") == 0) edge = (enum orientation_edge)5;
        return orientation_set_lock(handle, strcmp(word, "off") != 0, edge);
    }
    if (strcmp(command, "hold") == 0) {
        struct orientation_hold hold = {.size = sizeof hold, .orientations = word, .app_id = *rest ? rest : NULL};
        return orientation_hold(handle, &hold);
    }
    if (strcmp(command, "release") == 0) return orientation_hold(handle, NULL);
    if (strcmp(command, "suspend") == 0) orientation_suspend(handle);
    if (strcmp(command, "resume") == 0) orientation_resume(handle);
    return 0;
}

int main(void) {
    char line[4096];
    schedule = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
    if (orientation_open(NULL, &handle) < 0) return 1;
    struct pollfd files[] = {
        {.fd = orientation_fd(handle), .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
    for (;;) {
        poll(files, 2, -1);
        begin();
        unsigned events = orientation_process(handle);
        end();
        if (events) print(events, 0);
        if (!files[1].revents) continue;
        // The test sends a command at a time.
        ssize_t count = read(STDIN_FILENO, line, sizeof line - 1);
        if (count <= 0) break;
        line[count] = 0;
        char *word = strtok(line, " \n"), *second = strtok(NULL, " \n"), *third = strtok(NULL, "\n");
        if (!word || strcmp(word, "quit") == 0) break;
        begin();
        int result = perform(word, second ? second : "", third ? third : "");
        end();
        print(0, result);
    }
    begin();
    orientation_close(handle);
    end();
    printf("{\"slowest\":%ld}\n", slowest);
}
