// SPDX-License-Identifier: Apache-2.0
// Follow the orientation in C, with poll: cc -o follow follow.c $(pkg-config --cflags --libs orientation) && ./follow
//
// The library uses orientationd, or iio-sensor-proxy where it is missing; see orientation(3).
#include <errno.h>
#include <orientation.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

static void print(const struct orientation *handle) {
    struct orientation_state state = {.size = sizeof state};
    orientation_state(handle, &state);
    if (state.rotation < 0)
        printf("unknown: %s\n", state.reason);
    else
        // iio-sensor-proxy does not know the pose.
        printf("%s edge up, picture rotated by %d degrees\n", orientation_edge_name(state.edge), state.rotation);
    fflush(stdout);
}

int main(void) {
    struct orientation *handle;
    int error = orientation_open(NULL, &handle);
    if (error < 0) {
        fprintf(stderr, "follow: %s\n", strerror(-error));
        return 1;
    }
    struct pollfd file = {.fd = orientation_fd(handle), .events = POLLIN};
    while (poll(&file, 1, -1) >= 0 || errno == EINTR)
        if (orientation_process(handle) & ORIENTATION_CHANGED) print(handle);
    orientation_close(handle);
    return 0;
}
