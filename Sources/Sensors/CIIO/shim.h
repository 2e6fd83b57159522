// SPDX-License-Identifier: Apache-2.0
// libiio 0.x; 1.0 has another interface, in iio/iio.h.
#include <iio.h>
