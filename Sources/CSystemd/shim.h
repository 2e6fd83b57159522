// SPDX-License-Identifier: Apache-2.0

/// The parts of libsystemd that the daemon uses: the event loop, readiness and socket activation, the journal, sessions, and
/// udev's database and monitor.
#pragma once

#include <systemd/sd-daemon.h>
#include <systemd/sd-device.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-login.h>

// timerfd and inotify: not part of Swift's Glibc module.
#include <sys/inotify.h>
#include <sys/timerfd.h>
