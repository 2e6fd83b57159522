// SPDX-License-Identifier: Apache-2.0

/// Imports libiio 0.x into Swift, and loads it when it is needed.
///
/// libiio loads some 20 libraries (libxml2, ICU, libusb, Avahi): a daemon without clients holds none of them in memory.
#pragma once

#include <iio.h>

/// Loads libiio. Call this before any other function of libiio; from any thread, any number of times.
///
/// Returns NULL, or the error message of the dynamic linker if libiio is missing or lacks a function.
const char *_Nullable ciio_load(void);
