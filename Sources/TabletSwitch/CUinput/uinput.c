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

pid_t uinput_fork_guardian(int uinput) {
    // An inherited SIG_IGN would hide the end of the guardian.
    signal(SIGCHLD, SIG_DFL);
    sigset_t all, former, ends;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &former);
    pid_t program = getpid(), guardian = fork();
    if (guardian != 0) {
        sigprocmask(SIG_SETMASK, &former, NULL);
        return guardian;
    }
    // systemd sends SIGTERM at a stop and SIGABRT when the watchdog expires, to all processes of the unit. The kernel sends
    // SIGTERM when the program has ended.
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGABRT);
    // killall and pkill by the name of the program would end both at once.
    prctl(PR_SET_NAME, "tablet-guardian");
    cposix_close_others(&uinput, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    int received;
    if (getppid() == program)
        sigwait(&ends, &received);
    uinput_prepare_removal(uinput);
    _exit(0);
}
