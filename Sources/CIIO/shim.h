// SPDX-License-Identifier: Apache-2.0

/// Imports libiio 0.x into Swift. No wrapper is needed: Swift imports every function that IIOSensing calls.
#pragma once

#include <iio.h>
