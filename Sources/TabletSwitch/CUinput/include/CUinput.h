// SPDX-License-Identifier: Apache-2.0
//
// The kernel's uinput: ioctl is variadic, and Swift's Glibc covers neither linux/uinput.h nor fork.
#pragma once

#include <sys/types.h>

// Creates an input device with SW_TABLET_MODE alone, on an open /dev/uinput; `path` is its physical path. It exists until the
// descriptor is closed. Returns 0, or -1 and errno.
int uinput_create_tablet_switch(int uinput, const char *name, const char *path);

// Sends the position of the switch. Returns 0, or -1 and errno.
int uinput_set_tablet_switch(int uinput, int isTablet);

// Reports laptop, and waits until compositors have read it: libinput leaves the keyboard off if the switch disappears before.
void uinput_prepare_removal(int uinput);

// Creates a process, the guardian, that also holds the device. It prepares the removal and exits when the program has ended in
// any way, and at SIGTERM and SIGABRT. Returns its identifier, or -1 and errno. Call on the main thread: the guardian ends with
// the thread that created it.
pid_t uinput_fork_guardian(int uinput);
