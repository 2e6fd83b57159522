# SPDX-License-Identifier: Apache-2.0
"""The switch in the hinge of a convertible, with keys beside it, emulated with uinput."""

import fcntl
import os
import struct
from pathlib import Path

from harness import eventually, run

# From linux/uinput.h and linux/input-event-codes.h.
SET_EVENT_KIND, SET_KEY, SET_SWITCH = 0x40045564, 0x40045565, 0x4004556D
SETUP, CREATE, REMOVE = 0x405C5503, 0x5501, 0x5502
SYNCHRONISE, KEY, SWITCH, TABLET_MODE = 0, 1, 5, 1
LETTER_A, VOLUME_UP = 30, 115
# The size of struct input_event, in bytes.
EVENT_SIZE = 24
NAME = b"hinge"


class Hinge:
    def __init__(self, *keys: int) -> None:
        run("modprobe", "uinput")
        self.node = os.open("/dev/uinput", os.O_RDWR | os.O_CLOEXEC)
        fcntl.ioctl(self.node, SET_EVENT_KIND, SWITCH)
        fcntl.ioctl(self.node, SET_SWITCH, TABLET_MODE)
        if keys:
            fcntl.ioctl(self.node, SET_EVENT_KIND, KEY)
        for key in keys:
            fcntl.ioctl(self.node, SET_KEY, key)
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
        self.send(SWITCH, TABLET_MODE, int(is_tablet))

    def press(self, key: int) -> None:
        """Press and release a key."""
        for value in (1, 0):
            self.send(KEY, key, value)

    def send(self, *event: int) -> None:
        for kind, code, value in [event, (SYNCHRONISE, 0, 0)]:
            os.write(self.node, struct.pack("<qqHHi", 0, 0, kind, code, value))

    def remove(self) -> None:
        fcntl.ioctl(self.node, REMOVE)
        os.close(self.node)
