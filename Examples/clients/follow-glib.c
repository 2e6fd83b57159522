// SPDX-License-Identifier: Apache-2.0
// Follow the orientation in the main loop of GLib, GTK or Qt:
//     cc -o follow follow-glib.c $(pkg-config --cflags --libs orientation glib-2.0) && ./follow
#include <glib-unix.h>
#include <orientation.h>

// A source of events, with the handle.
struct source {
    GSource base;
    struct orientation *handle;
};

static gboolean prepare(GSource *base, int *timeout) {
    *timeout = orientation_timeout(((struct source *)base)->handle);
    return *timeout == 0;
}

static gboolean dispatch(GSource *base, GSourceFunc changed, gpointer data) {
    struct orientation *handle = ((struct source *)base)->handle;
    if (orientation_process(handle) & ORIENTATION_CHANGED) changed(data);
    return G_SOURCE_CONTINUE;
}

static void finalize(GSource *base) {
    orientation_close(((struct source *)base)->handle);
}

static gboolean print(gpointer handle) {
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
    static GSourceFuncs functions = {.prepare = prepare, .dispatch = dispatch, .finalize = finalize};
    struct orientation *handle;
    int error = orientation_open(NULL, &handle);
    if (error < 0) {
        g_printerr("follow: %s\n", g_strerror(-error));
        return 1;
    }
    GSource *base = g_source_new(&functions, sizeof(struct source));
    ((struct source *)base)->handle = handle;
    g_source_add_unix_fd(base, orientation_fd(handle), G_IO_IN);
    g_source_set_callback(base, print, handle, NULL);
    g_source_attach(base, NULL);
    g_main_loop_run(g_main_loop_new(NULL, FALSE));
    return 0;
}
