/* SPDX-License-Identifier: Apache-2.0
 *
 * The backend of net.hadess.SensorProxy on the system bus: iio-sensor-proxy, or orientationd with --dbus.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <systemd/sd-bus.h>

#include "internal.h"

#define NAME "net.hadess.SensorProxy"
#define PATH "/net/hadess/SensorProxy"
#define PROPERTIES "org.freedesktop.DBus.Properties"
#define BUS "org.freedesktop.DBus"

struct bus {
    sd_bus *bus;
    int fd; /* -1: not watched */
    uint32_t watched;
    int failure; /* a negative errno */
    char owner[32]; /* the unique name of the service, which cannot be forged; empty: the claim is pending */
    bool has_values, has_accelerometer;
    enum orientation_edge edge;
    enum orientation_pose face;
};

static void fail(struct orientation *handle, int error, const char *what, const char *why) {
    if (handle->bus->failure == 0)
        handle->bus->failure = orientation_fail(handle, error, "iio-sensor-proxy: %s%.180s", what, why);
}

static void publish(struct orientation *handle) {
    const struct bus *bus = handle->bus;
    struct orientation_state state;
    orientation_begin_state(handle, &state);
    const char *reason = "iio-sensor-proxy does not report the natural orientation, which gives a pose its name";
    if (!bus->has_accelerometer) {
        reason = "iio-sensor-proxy has found no accelerometer";
    } else {
        state.edge = bus->edge;
        if (bus->edge) state.rotation = (int)(bus->edge - ORIENTATION_EDGE_TOP) * 90;
        else reason = "iio-sensor-proxy has no reading yet";
        state.pose = bus->face;
    }
    if (!state.pose) orientation_copy_text(state.reason, sizeof state.reason, reason);
    orientation_publish(handle, &state);
}

/* Reads a dictionary of properties, a{sv}; returns a negative errno if it is another type. */
static int read_properties(struct bus *bus, sd_bus_message *message) {
    static const char *const edges[] = {"undefined", "normal", "left-up", "bottom-up", "right-up"};
    int result = sd_bus_message_enter_container(message, 'a', "{sv}");
    while (result >= 0 && (result = sd_bus_message_enter_container(message, 'e', "sv")) > 0) {
        const char *key, *word;
        int has = 0;
        result = sd_bus_message_read(message, "s", &key);
        if (result < 0) break;
        if (strcmp(key, "HasAccelerometer") == 0) {
            result = sd_bus_message_read(message, "v", "b", &has);
            bus->has_accelerometer = has;
        } else if (strcmp(key, "AccelerometerOrientation") == 0) {
            result = sd_bus_message_read(message, "v", "s", &word);
            bus->edge = ORIENTATION_EDGE_UNKNOWN;
            for (size_t i = 0; result >= 0 && i < sizeof edges / sizeof *edges; i++)
                if (strcmp(word, edges[i]) == 0) bus->edge = (enum orientation_edge)i;
        } else if (strcmp(key, "AccelerometerTilt") == 0) {
            result = sd_bus_message_read(message, "v", "s", &word);
            bool is_face = result >= 0 && strncmp(word, "face-", 5) == 0;
            bus->face = !is_face ? ORIENTATION_UNKNOWN : word[5] == 'u' ? ORIENTATION_FACE_UP : ORIENTATION_FACE_DOWN;
        } else {
            result = sd_bus_message_skip(message, "v");
        }
        if (result >= 0) result = sd_bus_message_exit_container(message);
    }
    return result < 0 ? result : sd_bus_message_exit_container(message);
}

static int received(sd_bus_message *reply, void *userdata, sd_bus_error *unused) {
    struct orientation *handle = userdata;
    const sd_bus_error *error = sd_bus_message_get_error(reply);
    if (error) fail(handle, -EIO, "cannot read the properties: ", error->message ? error->message : error->name);
    else if (read_properties(handle->bus, reply) < 0) fail(handle, -EBADMSG, "invalid properties", "");
    else publish(handle);
    handle->bus->has_values = true;
    return 0;
}

static int claimed(sd_bus_message *reply, void *userdata, sd_bus_error *unused) {
    struct orientation *handle = userdata;
    const sd_bus_error *error = sd_bus_message_get_error(reply);
    const char *sender = sd_bus_message_get_sender(reply);
    if (error && sd_bus_error_has_name(error, SD_BUS_ERROR_SERVICE_UNKNOWN)) {
        fail(handle, -ENOENT, "does not run", "");
    } else if (error) {
        fail(handle, -EACCES, "cannot claim the accelerometer: ", error->message ? error->message : error->name);
    } else if (!sender || strlen(sender) >= sizeof handle->bus->owner) {
        fail(handle, -EBADMSG, "invalid reply", "");
    } else {
        strcpy(handle->bus->owner, sender);
        int result = sd_bus_call_method_async(
            handle->bus->bus, NULL, sender, PATH, PROPERTIES, "GetAll", received, handle, "s", NAME);
        if (result < 0) fail(handle, result, "cannot read the properties: ", strerror(-result));
    }
    return 0;
}

static int claim(struct orientation *handle) {
    return sd_bus_call_method_async(
        handle->bus->bus, NULL, NAME, PATH, NAME, "ClaimAccelerometer", claimed, handle, "");
}

/* The bus applies matches to broadcasts only, and libsystemd accepts any sender for a well-known name. */
static bool is_from(sd_bus_message *signal, const char *name) {
    const char *sender = sd_bus_message_get_sender(signal);
    return sender && strcmp(sender, name) == 0;
}

static int changed(sd_bus_message *signal, void *userdata, sd_bus_error *unused) {
    struct orientation *handle = userdata;
    struct bus *bus = handle->bus;
    const char *interface;
    /* What is older than the reply with all values is not needed. */
    if (!bus->has_values || !is_from(signal, bus->owner)) return 0;
    bool had_accelerometer = bus->has_accelerometer;
    if (sd_bus_message_read(signal, "s", &interface) < 0) {
        fail(handle, -EBADMSG, "invalid signal", "");
    } else if (strcmp(interface, NAME) == 0) {
        if (read_properties(bus, signal) < 0) fail(handle, -EBADMSG, "invalid properties", "");
        else publish(handle);
        /* A sensor that was plugged in has no claim. */
        if (bus->has_accelerometer && !had_accelerometer && claim(handle) < 0)
            fail(handle, -EIO, "cannot claim the accelerometer", "");
    }
    return 0;
}

static int owner_changed(sd_bus_message *signal, void *userdata, sd_bus_error *unused) {
    struct orientation *handle = userdata;
    const char *name, *old, *new, *owner = handle->bus->owner;
    bool is_valid = is_from(signal, BUS) && sd_bus_message_read(signal, "sss", &name, &old, &new) >= 0;
    if (is_valid && owner[0] && strcmp(new, owner) != 0) fail(handle, -ECONNRESET, "has left the bus", "");
    return 0;
}

static int process(struct orientation *handle) {
    struct bus *bus = handle->bus;
    int result = 1;
    for (int i = 0; i < BUS_MESSAGES && result > 0; i++) {
        result = sd_bus_process(bus->bus, NULL);
        if (bus->failure) return bus->failure;
    }
    int fd = sd_bus_get_fd(bus->bus), events = sd_bus_get_events(bus->bus);
    if (result >= 0) result = fd < 0 ? fd : events;
    if (result >= 0 && (fd != bus->fd || (uint32_t)events != bus->watched)) {
        result = orientation_watch(handle, fd, (uint32_t)events, fd != bus->fd);
        bus->fd = fd;
        bus->watched = (uint32_t)events;
    }
    if (result < 0) fail(handle, result, "connection to the system bus lost: ", strerror(-result));
    return bus->failure;
}

static int open_bus(struct orientation *handle) {
    struct bus *bus = handle->bus = calloc(1, sizeof *bus);
    if (!bus) return orientation_fail(handle, -ENOMEM, "iio-sensor-proxy: not enough memory");
    bus->fd = -1;
    int result = sd_bus_open_system(&bus->bus);
    if (result < 0) {
        fail(handle, result, "cannot connect to the system bus: ", strerror(-result));
        return bus->failure;
    }
    result = sd_bus_match_signal_async(
        bus->bus, NULL, NAME, PATH, PROPERTIES, "PropertiesChanged", changed, NULL, handle);
    if (result >= 0)
        result = sd_bus_add_match_async(
            bus->bus, NULL,
            "type='signal',sender='" BUS "',path='/org/freedesktop/DBus',interface='" BUS "',member='NameOwnerChanged',"
            "arg0='" NAME "'",
            owner_changed, NULL, handle);
    if (result >= 0) result = claim(handle);
    if (result < 0) fail(handle, result, "cannot use the system bus: ", strerror(-result));
    return bus->failure ? bus->failure : process(handle);
}

static void close_bus(struct orientation *handle) {
    struct bus *bus = handle->bus;
    if (!bus) return;
    if (bus->fd >= 0) epoll_ctl(handle->epoll, EPOLL_CTL_DEL, bus->fd, NULL);
    /* Without a flush, which would wait. The claim ends with the connection. */
    sd_bus_close_unref(bus->bus);
    free(bus);
    handle->bus = NULL;
}

static int64_t deadline(const struct orientation *handle) {
    uint64_t microseconds;
    int result = sd_bus_get_timeout(handle->bus->bus, &microseconds);
    return result <= 0 || microseconds == UINT64_MAX ? NEVER : (int64_t)(microseconds / 1000) + 1;
}

const struct backend orientation_sensorproxy = {"sensorproxy", open_bus, process, close_bus, deadline};
