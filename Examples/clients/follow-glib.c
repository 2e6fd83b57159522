// SPDX-License-Identifier: Apache-2.0
// Follow the orientation in the main loop of GLib, GTK or Qt:
//     cc -o follow follow-glib.c $(pkg-config --cflags --libs orientation glib-2.0) && ./follow
#include <glib-unix.h>
#include <orientation.h>

static gboolean process(int descriptor, GIOCondition condition, gpointer handle) {
    (void)descriptor, (void)condition;
    if (!(orientation_process(handle) & ORIENTATION_CHANGED)) return G_SOURCE_CONTINUE;
    struct orientation_state state = {.size = sizeof state};
    orientation_state(handle, &state);
    if (state.rotation < 0)
        g_print("unknown: %s\n", state.reason);
    else
        // iio-sensor-proxy does not know the pose.
        g_print("%s edge up, picture rotated by %d degrees\n", orientation_edge_name(state.edge), state.rotation);
    return G_SOURCE_CONTINUE;
}

int main(void) {
    struct orientation *handle;
    int error = orientation_open(NULL, &handle);
    if (error < 0) {
        g_printerr("follow: %s\n", g_strerror(-error));
        return 1;
    }
    // Remove the source before orientation_close().
    g_unix_fd_add(orientation_fd(handle), G_IO_IN, process, handle);
    g_main_loop_run(g_main_loop_new(NULL, FALSE));
    return 0;
}
