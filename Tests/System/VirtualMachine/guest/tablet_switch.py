# SPDX-License-Identifier: Apache-2.0
"""orientation-tablet-switch: its package, its unit and its input device."""

import contextlib
import fcntl
import os
import select
import struct
import time
from collections.abc import Callable
from pathlib import Path

import service
from harness import TestFailure, TestSkip, run
from hinge import EVENT_SIZE, TABLET_MODE
from uinput import SWITCH, find

PACKAGE = Path("/vm/orientation-tablet-switch.deb")
UNIT = "orientation-tablet-switch.service"
NAME = "orientationd tablet switch"
# EVIOCGSW of eight bytes.
READ_SWITCHES = 0x8008451B
# Within this time in seconds the keyboard must work again.
RELEASE = 1.0


class TabletSwitch:
    """The unit, started by `start` and stopped at the end of the context."""

    def __enter__(self) -> "TabletSwitch":
        if not PACKAGE.exists():
            raise TestSkip("no package of the tablet switch beside that of the daemon")
        if not Path("/usr/sbin/orientation-tablet-switch").exists():
            run("apt-get", "install", "--yes", str(PACKAGE))
        # Without the settings of an earlier test.
        service.stop()
        return self

    def __exit__(self, *_: object) -> None:
        run("systemctl", "stop", UNIT, check=False)
        run("systemctl", "reset-failed", UNIT, check=False)

    def start(self) -> None:
        run("systemctl", "start", UNIT)

    @property
    def process(self) -> int:
        return int(service.show("MainPID", UNIT))

    @property
    def log(self) -> str:
        return run("journalctl", "--quiet", "--unit", UNIT, "--output=cat")


def exists() -> bool:
    return find(NAME) is not None


def is_tablet() -> bool | None:
    """Return whether the switch reports tablet; None without a switch."""
    node = find(NAME)
    # The device may be removed meanwhile.
    with contextlib.suppress(OSError):
        if node:
            with open(node, "rb", buffering=0) as switch:
                return bool(fcntl.ioctl(switch, READ_SWITCHES, bytes(8))[0] >> TABLET_MODE & 1)
    return None


def released(cause: str, action: Callable[[], object], limit: float = RELEASE) -> str:
    """Perform an action, after which the switch must report laptop in time; return how long it took, for a summary.

    libinput leaves the keyboard off if a switch disappears before it has read laptop."""
    node = os.open(find(NAME), os.O_RDONLY | os.O_CLOEXEC)
    began = time.monotonic()
    try:
        action()
        while select.select([node], [], [], max(began + limit - time.monotonic(), 0))[0]:
            events = os.read(node, 64 * EVENT_SIZE)
            for _, _, kind, code, value in struct.iter_unpack("<qqHHi", events):
                if (kind, code, value) == (SWITCH, TABLET_MODE, 0):
                    return f"{1000 * (time.monotonic() - began):.0f} ms after {cause}"
    except OSError as error:
        raise TestFailure(f"the switch disappeared without a report of laptop after {cause}") from error
    finally:
        os.close(node)
    raise TestFailure(f"the switch reports tablet {limit} s after {cause}")
