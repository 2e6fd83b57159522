// SPDX-License-Identifier: Apache-2.0

/// libiio 0.x as Swift sees it. Nothing is added here: all that IIOSensing calls imports as it is.
#pragma once

#include <iio.h>
