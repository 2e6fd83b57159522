// SPDX-License-Identifier: Apache-2.0

/// Imports libiio 0.x into Swift, and keeps it loaded while it is needed.
///
/// libiio loads some 20 libraries (libxml2, ICU, libusb, Avahi): a daemon without clients, or with a sensor that is polled,
/// holds none of them in memory.
#pragma once

#include <iio.h>
#include <stdbool.h>
#include <stddef.h>

/// Loads libiio, or counts another user. Call this before any other function of libiio; from any thread.
///
/// Returns false if libiio is missing or lacks a function, and writes the error message of the dynamic linker to `reason`,
/// which has `size` bytes. The next call tries again.
bool ciio_load(char *_Nonnull reason, size_t size);

/// Ends one use of libiio, and unloads it after the last one: all its objects must have been destroyed.
void ciio_unload(void);
