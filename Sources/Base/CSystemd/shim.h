// SPDX-License-Identifier: Apache-2.0

/// The parts of libsystemd that the programs use: the event loop, readiness and socket activation, the journal, sessions,
/// udev's database and monitor, and D-Bus.
#pragma once

#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-device.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-login.h>

// eventfd, timerfd and inotify: not part of Swift's Glibc module.
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/timerfd.h>

// The rows of an sd_bus_vtable must be built with libsystemd's macros, which Swift does not import.
static inline sd_bus_vtable csystemd_start_row(void) {
    return (sd_bus_vtable) SD_BUS_VTABLE_START(0);
}

/// Returns the row of a method without arguments and results; the bus policy decides who may call it.
static inline sd_bus_vtable csystemd_method_row(const char *name, sd_bus_message_handler_t handler) {
    return (sd_bus_vtable) SD_BUS_METHOD(name, "", "", handler, SD_BUS_VTABLE_UNPRIVILEGED);
}

static inline sd_bus_vtable csystemd_property_row(const char *name, const char *type, sd_bus_property_get_t value) {
    return (sd_bus_vtable) SD_BUS_PROPERTY(name, type, value, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE);
}

static inline sd_bus_vtable csystemd_end_row(void) {
    return (sd_bus_vtable) SD_BUS_VTABLE_END;
}
