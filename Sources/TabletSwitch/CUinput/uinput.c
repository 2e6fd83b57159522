// SPDX-License-Identifier: Apache-2.0
#include "CUinput.h"

#include <linux/uinput.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int uinput_create_tablet_switch(int uinput, const char *name, const char *path) {
    struct uinput_setup setup = {.id = {.bustype = BUS_VIRTUAL}};
    strncpy(setup.name, name, sizeof setup.name - 1);
    if (ioctl(uinput, UI_SET_EVBIT, EV_SW) < 0 || ioctl(uinput, UI_SET_SWBIT, SW_TABLET_MODE) < 0 ||
        ioctl(uinput, UI_SET_PHYS, path) < 0 || ioctl(uinput, UI_DEV_SETUP, &setup) < 0)
        return -1;
    return ioctl(uinput, UI_DEV_CREATE);
}

int uinput_set_tablet_switch(int uinput, int isTablet) {
    struct input_event events[] = {
        {.type = EV_SW, .code = SW_TABLET_MODE, .value = isTablet},
        {.type = EV_SYN, .code = SYN_REPORT},
    };
    return write(uinput, events, sizeof events) == sizeof events ? 0 : -1;
}
