// SPDX-License-Identifier: Apache-2.0
//
// monitor-sensor: print the changes of the sensors of net.hadess.SensorProxy, in the lines of iio-sensor-proxy 3.9's program.
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#define SERVICE "net.hadess.SensorProxy"
#define PATH "/net/hadess/SensorProxy"
#define BUS "org.freedesktop.DBus"

enum { ACCELEROMETER, LIGHT, PROXIMITY, COMPASS, SENSORS };

static const struct {
    const char *option, *path, *interface, *claim, *name, *title;
} sensors[SENSORS] = {
    {"accel", PATH, SERVICE, "ClaimAccelerometer", "accelerometer", "Accelerometer"},
    {"light", PATH, SERVICE, "ClaimLight", "light sensor", "Light sensor"},
    {"proximity", PATH, SERVICE, "ClaimProximity", "proximity sensor", "Proximity sensor"},
    {"compass", PATH "/Compass", SERVICE ".Compass", "ClaimCompass", "compass", "Compass"},
};

enum { HAS_ACCELEROMETER, HAS_LIGHT, HAS_PROXIMITY, HAS_COMPASS, ORIENTATION, TILT, LEVEL, UNIT, NEAR, HEADING, PROPERTIES };

// The first ones have the indices of the sensors.
static struct {
    const char *name, *type;
    bool is_new;
    int boolean;
    double number;
    char text[32];
} properties[PROPERTIES] = {
    {"HasAccelerometer", "b"}, {"HasAmbientLight", "b"}, {"HasProximity", "b"}, {"HasCompass", "b"},
    {"AccelerometerOrientation", "s"}, {"AccelerometerTilt", "s"}, {"LightLevel", "d"}, {"LightLevelUnit", "s"},
    {"ProximityNear", "b"}, {"CompassHeading", "d"},
};

static bool is_monitored[SENSORS];
static char owner[32]; // the unique name of the service, which no other client has

static void check(const char *what, int result) {
    if (result >= 0) return;
    fprintf(stderr, "monitor-sensor: %s: %s\n", what, strerror(-result));
    exit(1);
}

/// Copies text of another process without what a terminal could interpret.
static const char *copy_text(char *target, size_t size, const char *text) {
    snprintf(target, size, "%s", text);
    for (char *byte = target; *byte; byte++) {
        if (*byte < ' ' || *byte > '~') *byte = '?';
    }
    return target;
}

/// Whether a signal has this sender: any client can address a signal to this one, and libsystemd accepts it for every
/// well-known name.
static bool is_from(sd_bus_message *signal, const char *name) {
    const char *sender = sd_bus_message_get_sender(signal);
    return sender && strcmp(sender, name) == 0;
}

/// Reads a dictionary of properties; those that it has become new.
static int read_properties(sd_bus_message *message) {
    for (int i = 0; i < PROPERTIES; i++) properties[i].is_new = false;
    int result = sd_bus_message_enter_container(message, 'a', "{sv}");
    while (result >= 0 && (result = sd_bus_message_enter_container(message, 'e', "sv")) > 0) {
        const char *name, *text;
        if ((result = sd_bus_message_read(message, "s", &name)) < 0) break;
        int i = 0;
        while (i < PROPERTIES && strcmp(properties[i].name, name) != 0) i++;
        if (i == PROPERTIES) {
            result = sd_bus_message_skip(message, "v");
        } else if (properties[i].type[0] == 'b') {
            result = sd_bus_message_read(message, "v", "b", &properties[i].boolean);
        } else if (properties[i].type[0] == 'd') {
            result = sd_bus_message_read(message, "v", "d", &properties[i].number);
        } else if ((result = sd_bus_message_read(message, "v", "s", &text)) >= 0) {
            copy_text(properties[i].text, sizeof properties[i].text, text);
        }
        if (i < PROPERTIES) properties[i].is_new = true;
        if (result >= 0) result = sd_bus_message_exit_container(message);
    }
    return result;
}

static void print_first(int sensor) {
    if (!properties[sensor].boolean) {
        printf("=== No %s%s\n", sensor == LIGHT ? "ambient " : "", sensors[sensor].name);
    } else if (sensor == ACCELEROMETER) {
        printf("=== Has accelerometer (orientation: %s, tilt: %s)\n", properties[ORIENTATION].text, properties[TILT].text);
    } else if (sensor == LIGHT) {
        printf("=== Has ambient light sensor (value: %f, unit: %s)\n", properties[LEVEL].number, properties[UNIT].text);
    } else if (sensor == PROXIMITY) {
        printf("=== Has proximity sensor (near: %d)\n", properties[NEAR].boolean);
    } else {
        // Its heading follows as a change.
        printf("=== Has compass (heading: unset)\n");
    }
}

static void print_changes(int sensor) {
    if (properties[sensor].is_new) {
        bool has = properties[sensor].boolean;
        printf("%s %s %s\n", has ? "+++" : "---", sensors[sensor].title, has ? "appeared" : "disappeared");
    }
    if (sensor == ACCELEROMETER && properties[ORIENTATION].is_new) {
        printf("    Accelerometer orientation changed: %s\n", properties[ORIENTATION].text);
    }
    if (sensor == ACCELEROMETER && properties[TILT].is_new) printf("    Tilt changed: %s\n", properties[TILT].text);
    if (sensor == LIGHT && properties[LEVEL].is_new) {
        printf("    Light changed: %f (%s)\n", properties[LEVEL].number, properties[UNIT].text);
    }
    if (sensor == PROXIMITY && properties[NEAR].is_new) {
        printf("    Proximity value changed: %d\n", properties[NEAR].boolean);
    }
    if (sensor == COMPASS && properties[HEADING].is_new) {
        printf("    Compass heading changed: %f\n", properties[HEADING].number);
    }
}

static int changed(sd_bus_message *signal, void *context, sd_bus_error *error) {
    (void)context, (void)error;
    if (!is_from(signal, owner) || sd_bus_message_skip(signal, "s") < 0 || read_properties(signal) < 0) return 0;
    for (int i = 0; i < SENSORS; i++) {
        if (is_monitored[i]) print_changes(i);
    }
    return 0;
}

/// Claims the sensors of a service that has appeared, and prints their values before the claims, as iio-sensor-proxy's does.
static void claim(sd_bus *bus, const char *name) {
    snprintf(owner, sizeof owner, "%s", name);
    puts("+++ iio-sensor-proxy appeared");
    for (int i = ACCELEROMETER; i < SENSORS; i += COMPASS) {
        sd_bus_message *reply = NULL;
        if (sd_bus_call_method(bus, SERVICE, sensors[i].path, "org.freedesktop.DBus.Properties", "GetAll", NULL, &reply, "s",
                sensors[i].interface) >= 0) {
            read_properties(reply);
        }
        sd_bus_message_unref(reply);
    }
    for (int i = 0; i < SENSORS; i++) {
        sd_bus_error error = SD_BUS_ERROR_NULL;
        if (is_monitored[i] && sd_bus_call_method(
                bus, SERVICE, sensors[i].path, sensors[i].interface, sensors[i].claim, &error, NULL, "") < 0) {
            char reason[256];
            fprintf(stderr, "Failed to claim %s: %s\n", sensors[i].name, copy_text(reason, sizeof reason, error.message));
            // It was not sent: no change would follow.
            if (sd_bus_error_get_errno(&error) == ENOMEM || sd_bus_error_get_errno(&error) == ENOBUFS) exit(EXIT_FAILURE);
        }
        sd_bus_error_free(&error);
    }
    for (int i = 0; i < SENSORS; i++) {
        if (is_monitored[i]) print_first(i);
    }
}

static int owner_changed(sd_bus_message *signal, void *context, sd_bus_error *error) {
    (void)context, (void)error;
    const char *name, *former, *new;
    if (!is_from(signal, BUS) || sd_bus_message_read(signal, "sss", &name, &former, &new) < 0) return 0;
    if (*former) puts("--- iio-sensor-proxy vanished, waiting for it to appear");
    if (*new) claim(sd_bus_message_get_bus(signal), new);
    return 0;
}

int main(int count, char **arguments) {
    static const struct option options[] = {
        {"accel", no_argument, NULL, ACCELEROMETER}, {"light", no_argument, NULL, LIGHT},
        {"proximity", no_argument, NULL, PROXIMITY}, {"compass", no_argument, NULL, COMPASS},
        {"all", no_argument, NULL, 'a'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0},
    };
    bool is_chosen = false;
    for (int option; (option = getopt_long(count, arguments, "ah", options, NULL)) != -1; is_chosen = true) {
        if (option == 'h' || option == '?') {
            fputs("Usage: monitor-sensor [--accel] [--light] [--proximity] [--compass] [-a | --all]\n"
                  "Print the changes of these sensors; without options, of all.\n",
                  option == 'h' ? stdout : stderr);
            return option == 'h' ? 0 : 1;
        }
        for (int i = 0; i < SENSORS; i++) is_monitored[i] |= option == 'a' || option == i;
    }
    for (int i = 0; i < SENSORS && !is_chosen; i++) is_monitored[i] = true;
    setlinebuf(stdout);

    sd_bus *bus = NULL;
    check("cannot connect to the system bus", sd_bus_open_system(&bus));
    for (int i = ACCELEROMETER; i < SENSORS; i += COMPASS) {
        check("cannot watch the sensors", sd_bus_match_signal(
            bus, NULL, SERVICE, sensors[i].path, "org.freedesktop.DBus.Properties", "PropertiesChanged", changed, NULL));
    }
    check("cannot watch the service", sd_bus_add_match(
        bus, NULL, "type='signal',sender='" BUS "',interface='" BUS "',member='NameOwnerChanged',arg0='" SERVICE "'",
        owner_changed, NULL));
    puts("    Waiting for iio-sensor-proxy to appear");
    sd_bus_creds *service = NULL;
    const char *name;
    if (sd_bus_get_name_creds(bus, SERVICE, SD_BUS_CREDS_UNIQUE_NAME, &service) >= 0
        && sd_bus_creds_get_unique_name(service, &name) >= 0) {
        claim(bus, name);
    }
    sd_bus_creds_unref(service);
    for (;;) {
        int result = sd_bus_process(bus, NULL);
        if (result == 0) result = sd_bus_wait(bus, UINT64_MAX);
        if (result != -EINTR) check("cannot read from the system bus", result);
    }
}
