# SPDX-License-Identifier: Apache-2.0
"""orientation-tablet-switch with the kernel's uinput, beside a daemon whose simulated device folds."""

import fcntl
import os
import time
from pathlib import Path

import service
from harness import TestSkip, eventually, expect, test, run
from hinge import Hinge

PACKAGE = Path("/vm/orientation-tablet-switch.deb")
UNIT = "orientation-tablet-switch.service"
NAME = "orientationd tablet switch"
FAKE = "[Service]\nExecStart=\nExecStart=/usr/sbin/orientationd --sensor fake:\n"
# EVIOCGSW of eight bytes, and SW_TABLET_MODE.
READ_SWITCHES, TABLET_MODE = 0x8008451B, 1
# Within this time in seconds the keyboard must work again.
RELEASE = 1.0


def install() -> None:
    if not PACKAGE.exists():
        raise TestSkip("no package of the tablet switch beside that of the daemon")
    if not Path("/usr/sbin/orientation-tablet-switch").exists():
        run("apt-get", "install", "--yes", str(PACKAGE))


def find() -> Path | None:
    names = Path("/sys/class/input").glob("event*/device/name")
    return next((Path("/dev/input", path.parts[-3]) for path in names if path.read_text().strip() == NAME), None)


def is_tablet() -> bool | None:
    node = find()
    if not node or not node.exists():
        return None
    descriptor = os.open(node, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return bool(fcntl.ioctl(descriptor, READ_SWITCHES, bytes(8))[0] >> TABLET_MODE & 1)
    finally:
        os.close(descriptor)


def fold(angle: int) -> None:
    run("orientationctl", "simulate", "fold", str(angle))


def time_until_gone(what: str) -> float:
    began = time.monotonic()
    while find():
        expect(time.monotonic() - began < RELEASE, f"the switch exists {RELEASE} s after {what}")
        time.sleep(0.01)
    return time.monotonic() - began


@test("tablet switch from the lid angle")
def follows() -> str:
    install()
    expect(run("systemctl", "is-enabled", UNIT, check=False) == "disabled", "the unit is enabled by the package")
    times = {}
    with service.DropIn(FAKE):
        fold(90)
        run("systemctl", "start", UNIT)
        try:
            eventually("the switch", lambda: is_tablet() is False)
            began = time.monotonic()
            fold(270)
            eventually("tablet mode", lambda: is_tablet())
            folded = time.monotonic() - began
            entries = run("getfacl", "--omit-header", "--absolute-names", "/dev/uinput")
            expect("user:orientation-tablet-switch:rw-" in entries, f"access list: {entries}")
            run("systemctl", "kill", "--signal=KILL", UNIT)
            times["SIGKILL"] = time_until_gone("SIGKILL")
            eventually("the switch after a restart", lambda: is_tablet())
            service.stop()
            times["a closed connection"] = time_until_gone("the end of the daemon")
            # The subscription starts the daemon again; its device is a new one.
            eventually("the daemon", service.is_active)
            fold(270)
            eventually("the switch after the return of the daemon", lambda: is_tablet())
            first = service.show("MainPID", UNIT)
            run("systemctl", "kill", "--signal=STOP", UNIT)
            eventually("the watchdog", lambda: service.show("MainPID", UNIT) not in (first, "0"))
            eventually("the switch after a hang", lambda: is_tablet())
        finally:
            run("systemctl", "stop", UNIT, check=False)
    entries = run("getfacl", "--omit-header", "--absolute-names", "/dev/uinput")
    expect("user:orientation-tablet-switch" not in entries, f"access list after the end: {entries}")
    released = ", ".join(f"{1000 * value:.0f} ms after {cause}" for cause, value in times.items())
    return f"folded in {1000 * folded:.0f} ms; released {released}; a hang is ended by the watchdog"


@test("tablet switch beside one of the kernel")
def steps_aside() -> str:
    install()
    with service.DropIn(FAKE):
        fold(90)
        run("systemctl", "start", UNIT)
        eventually("the switch", lambda: is_tablet() is False)
        hinge = Hinge()
        try:
            eventually("the end of the program", lambda: not service.is_active(UNIT))
            expect(service.show("Result", UNIT) == "success", "the program failed")
            expect(not find(), "two switches exist")
            log = run("journalctl", "--quiet", "--unit", UNIT, "--output=cat")
            expect("has a tablet switch: no other one is needed" in log, f"the log is: {log[-500:]}")
        finally:
            hinge.remove()
            run("systemctl", "stop", UNIT, check=False)
    return "it ended with success when another switch appeared"
