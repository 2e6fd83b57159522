// SPDX-License-Identifier: Apache-2.0
//
// The kernel's uinput: ioctl is variadic, and Swift's Glibc does not cover linux/uinput.h.
#pragma once

// Creates an input device with SW_TABLET_MODE alone, on an open /dev/uinput; `path` is its physical path. It exists until the
// descriptor is closed. Returns 0, or -1 and errno.
int uinput_create_tablet_switch(int uinput, const char *name, const char *path);

// Sends the position of the switch. Returns 0, or -1 and errno.
int uinput_set_tablet_switch(int uinput, int isTablet);
