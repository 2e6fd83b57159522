// SPDX-License-Identifier: Apache-2.0
#include "CUinput.h"

#include <CPosix.h>
#include <linux/uinput.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
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

void uinput_prepare_removal(int uinput) {
    uinput_set_tablet_switch(uinput, 0);
    usleep(500000);
}

pid_t uinput_guard(int uinput) {
    pid_t program = getpid(), guardian = fork();
    if (guardian != 0)
        return guardian;
    sigset_t all, ends;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    // What systemd sends to all processes of the unit, at a stop and by the watchdog; the kernel sends the first one.
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGABRT);
    cposix_close_others(&uinput, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int received;
    if (getppid() == program)
        sigwait(&ends, &received);
    uinput_prepare_removal(uinput);
    _exit(0);
}
