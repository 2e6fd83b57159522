// SPDX-License-Identifier: Apache-2.0

// Preloaded into the program under attack: the user of the reference client has the active session at the device.
#include <sys/types.h>

int sd_uid_is_on_seat(uid_t user, int require_active, const char *seat) {
    (void)require_active;
    (void)seat;
    return user == 61001;
}
