# SPDX-License-Identifier: Apache-2.0
"""The switch in the hinge of a convertible, emulated with uinput."""

import fcntl
import os
import struct
from pathlib import Path

from harness import eventually, run

# From linux/uinput.h and linux/input-event-codes.h.
SET_EVENT_KIND, SET_SWITCH, SETUP, CREATE, REMOVE = 0x40045564, 0x4004556D, 0x405C5503, 0x5501, 0x5502
SYNCHRONISE, SWITCH, TABLET_MODE = 0, 5, 1
NAME = b"hinge"


class Hinge:
    def __init__(self) -> None:
        run("modprobe", "uinput")
        self.node = os.open("/dev/uinput", os.O_RDWR | os.O_CLOEXEC)
        fcntl.ioctl(self.node, SET_EVENT_KIND, SWITCH)
        fcntl.ioctl(self.node, SET_SWITCH, TABLET_MODE)
        fcntl.ioctl(self.node, SETUP, struct.pack("<4H80sI", 0x19, 1, 1, 1, NAME, 0))
        fcntl.ioctl(self.node, CREATE)
        run("udevadm", "settle")
        event = eventually("the hinge's node", self.find)
        self.path = Path("/dev/input", event)
        eventually(f"{self.path}", self.path.exists)

    def find(self) -> str | None:
        names = Path("/sys/class/input").glob("event*/device/name")
        return next((path.parts[-3] for path in names if path.read_text().strip() == NAME.decode()), None)

    def fold(self, is_tablet: bool) -> None:
        for kind, code, value in [(SWITCH, TABLET_MODE, int(is_tablet)), (SYNCHRONISE, 0, 0)]:
            os.write(self.node, struct.pack("<qqHHi", 0, 0, kind, code, value))

    def remove(self) -> None:
        fcntl.ioctl(self.node, REMOVE)
        os.close(self.node)
