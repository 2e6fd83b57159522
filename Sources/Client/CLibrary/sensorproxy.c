/* SPDX-License-Identifier: Apache-2.0
 *
 * The backend of net.hadess.SensorProxy on the system bus: iio-sensor-proxy, or orientationd with --dbus. Builds without a bus
 * lack it.
 */
#include "handle.h"

#ifdef ORIENTATION_HAS_BUS
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#ifdef ORIENTATION_HAS_BASU
#include <basu/sd-bus.h>
#else
#include <systemd/sd-bus.h>
#endif

#define NAME "net.hadess.SensorProxy"
#define PATH "/net/hadess/SensorProxy"
#define PROPERTIES "org.freedesktop.DBus.Properties"
#define BUS "org.freedesktop.DBus"

struct bus {
    sd_bus *bus;
    struct orientation_failure failure; /* the first one */
    char owner[32]; /* the unique name of the service, which cannot be forged; empty: the claim is pending */
    bool has_values, has_news, has_accelerometer;
    enum orientation_edge edge;
    enum orientation_pose face;
};

/* Returns what an error reply says; null for another one. */
static const char *error_of(sd_bus_message *reply) {
    const sd_bus_error *error = sd_bus_message_get_error(reply);
    return !error ? NULL : error->message ? error->message : error->name;
}

/* Fails with a negative errno. */
static void fail_bus(struct bus *bus, int error, const char *what, const char *why) {
    enum orientation_failure_kind kind = error == -EBADMSG ? ORIENTATION_INVALID_REPLY : ORIENTATION_NOT_CONNECTED;
    if (!bus->failure.kind) orientation_fail(&bus->failure, kind, -error, "%s%.180s", what, why);
}

static void make_state(const struct bus *bus, struct orientation_state *state) {
    const char *reason = "iio-sensor-proxy does not report the natural orientation, which gives a pose its name";
    orientation_begin_state(state);
    state->failed = !bus->has_accelerometer;
    if (!bus->has_accelerometer) {
        reason = "iio-sensor-proxy has found no accelerometer";
    } else {
        state->edge = bus->edge;
        if (bus->edge) state->rotation = (int)(bus->edge - ORIENTATION_EDGE_TOP) * 90;
        else reason = "iio-sensor-proxy has no reading yet";
        state->pose = bus->face;
    }
    if (!state->pose) orientation_copy_text(state->reason, sizeof state->reason, reason);
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
    struct bus *bus = userdata;
    const char *error = error_of(reply);
    if (error) fail_bus(bus, -EIO, "cannot read the properties: ", error);
    else if (read_properties(bus, reply) < 0) fail_bus(bus, -EBADMSG, "invalid properties", "");
    else bus->has_values = bus->has_news = true;
    return 0;
}

static int claimed(sd_bus_message *reply, void *userdata, sd_bus_error *unused) {
    struct bus *bus = userdata;
    const char *error = error_of(reply), *sender = sd_bus_message_get_sender(reply);
    if (sd_bus_message_is_method_error(reply, SD_BUS_ERROR_SERVICE_UNKNOWN)) {
        fail_bus(bus, -ENOENT, "does not run", "");
    } else if (error) {
        fail_bus(bus, -EACCES, "cannot claim the accelerometer: ", error);
    } else if (!sender || strlen(sender) >= sizeof bus->owner) {
        fail_bus(bus, -EBADMSG, "invalid reply", "");
    } else {
        strcpy(bus->owner, sender);
        int result = sd_bus_call_method_async(bus->bus, NULL, sender, PATH, PROPERTIES, "GetAll", received, bus, "s", NAME);
        if (result < 0) fail_bus(bus, result, "cannot read the properties: ", strerror(-result));
    }
    return 0;
}

static int claim(struct bus *bus) {
    return sd_bus_call_method_async(bus->bus, NULL, NAME, PATH, NAME, "ClaimAccelerometer", claimed, bus, "");
}

/* The bus applies matches to broadcasts only, and libsystemd accepts any sender for a well-known name. */
static bool is_from(sd_bus_message *signal, const char *name) {
    const char *sender = sd_bus_message_get_sender(signal);
    return sender && strcmp(sender, name) == 0;
}

static int changed(sd_bus_message *signal, void *userdata, sd_bus_error *unused) {
    struct bus *bus = userdata;
    const char *interface;
    /* What is older than the reply with all values is not needed. */
    if (!bus->has_values || !is_from(signal, bus->owner)) return 0;
    bool had_accelerometer = bus->has_accelerometer;
    if (sd_bus_message_read(signal, "s", &interface) < 0) {
        fail_bus(bus, -EBADMSG, "invalid signal", "");
    } else if (strcmp(interface, NAME) == 0) {
        if (read_properties(bus, signal) < 0) fail_bus(bus, -EBADMSG, "invalid properties", "");
        else bus->has_news = true;
        /* A sensor that was plugged in has no claim. */
        if (bus->has_accelerometer && !had_accelerometer && claim(bus) < 0)
            fail_bus(bus, -EIO, "cannot claim the accelerometer", "");
    }
    return 0;
}

static int owner_changed(sd_bus_message *signal, void *userdata, sd_bus_error *unused) {
    struct bus *bus = userdata;
    const char *name, *old, *new;
    bool is_valid = is_from(signal, BUS) && sd_bus_message_read(signal, "sss", &name, &old, &new) >= 0;
    if (is_valid && bus->owner[0] && strcmp(new, bus->owner) != 0) fail_bus(bus, -ECONNRESET, "has left the bus", "");
    return 0;
}

static int next_of_bus(struct orientation *handle, struct orientation_state *state, struct orientation_failure *failure) {
    struct bus *bus = handle->bus;
    if (!bus) return orientation_fail(failure, ORIENTATION_NOT_CONNECTED, ENOMEM, "%s", strerror(ENOMEM));
    int result = 1;
    for (int i = 0; i < BATCH && result > 0 && !bus->failure.kind && !bus->has_news; i++)
        result = sd_bus_process(bus->bus, NULL);
    int fd = sd_bus_get_fd(bus->bus), events = sd_bus_get_events(bus->bus);
    if (result >= 0) result = fd < 0 ? fd : events < 0 ? events : orientation_watch(handle->epoll, fd, (uint32_t)events);
    if (result < 0) fail_bus(bus, result, "connection to the system bus lost: ", strerror(-result));
    uint64_t microseconds;
    bool has_timeout = sd_bus_get_timeout(bus->bus, &microseconds) > 0 && microseconds != UINT64_MAX;
    handle->bus_deadline = has_timeout ? (int64_t)(microseconds / 1000) + 1 : NEVER;
    *failure = bus->failure;
    if (!bus->has_news) return failure->kind ? -1 : 0;
    bus->has_news = false;
    make_state(bus, state);
    return 1;
}

static void open_bus(struct orientation *handle) {
    struct bus *bus = handle->bus = calloc(1, sizeof *bus);
    handle->bus_deadline = 0;
    if (!bus) return;
    bus->failure.service = orientation_sensorproxy.service;
    int result = sd_bus_open_system(&bus->bus);
    if (result < 0) fail_bus(bus, result, "cannot connect to the system bus: ", strerror(-result));
    if (result >= 0)
        result = sd_bus_match_signal_async(bus->bus, NULL, NAME, PATH, PROPERTIES, "PropertiesChanged", changed, NULL, bus);
    if (result >= 0)
        result = sd_bus_add_match_async(
            bus->bus, NULL,
            "type='signal',sender='" BUS "',path='/org/freedesktop/DBus',interface='" BUS "',member='NameOwnerChanged',"
            "arg0='" NAME "'",
            owner_changed, NULL, bus);
    if (result >= 0) result = claim(bus);
    if (result < 0) fail_bus(bus, result, "cannot use the system bus: ", strerror(-result));
}

static void close_bus(struct orientation *handle) {
    struct bus *bus = handle->bus;
    handle->bus_deadline = NEVER;
    if (!bus) return;
    if (bus->bus) orientation_unwatch(handle->epoll, sd_bus_get_fd(bus->bus));
    /* Without a flush, which would wait. The claim ends with the connection. */
    sd_bus_close(bus->bus);
    sd_bus_unref(bus->bus);
    free(bus);
    handle->bus = NULL;
}

const struct backend orientation_sensorproxy = {
    "sensorproxy", "iio-sensor-proxy", open_bus, next_of_bus, close_bus};
#endif
