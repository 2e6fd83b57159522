// SPDX-License-Identifier: Apache-2.0
// Hold landscape in C, until Ctrl-C: cc -o hold hold.c $(pkg-config --cflags --libs orientation) && ./hold
//
// The session agent, orientation-autorotate, rotates the display. The hold ends with the handle.
#include <errno.h>
#include <orientation.h>
#include <poll.h>
#include <stdio.h>

int main(void) {
    // The orientation of the device is not needed: no service is followed.
    struct orientation_options options = {.size = sizeof options, .backend = "none"};
    struct orientation_hold landscape = {.size = sizeof landscape, .orientations = "landscape"};
    struct orientation_state state = {.size = sizeof state};
    struct orientation *handle;
    if (orientation_open(&options, &handle) < 0) return 1;
    orientation_hold(handle, &landscape);
    struct pollfd file = {.fd = orientation_fd(handle), .events = POLLIN};
    while (poll(&file, 1, -1) >= 0 || errno == EINTR) {
        unsigned events = orientation_process(handle);
        if (events & ORIENTATION_FAILED) fprintf(stderr, "hold: %s\n", orientation_error(handle));
        if (!(events & ORIENTATION_CHANGED)) continue;
        orientation_state(handle, &state);
        if (!*state.hold_reason) continue;
        printf("%s: %s\n", state.held == 1 ? "in force" : "not in force", state.hold_reason);
        fflush(stdout);
    }
    orientation_close(handle);
    return 0;
}
