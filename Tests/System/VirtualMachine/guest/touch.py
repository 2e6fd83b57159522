# SPDX-License-Identifier: Apache-2.0
"""A touch screen, emulated with uinput. It covers a panel, as the kernel's property INPUT_PROP_DIRECT says."""

import fcntl
import os
import struct
import time
from pathlib import Path

from harness import eventually, run

# From linux/uinput.h and linux/input-event-codes.h.
SET_EVENT_KIND, SET_KEY, SET_ABSOLUTE, SET_PROPERTY = 0x40045564, 0x40045565, 0x40045567, 0x4004556E
SETUP, ABSOLUTE_SETUP, CREATE, REMOVE = 0x405C5503, 0x401C5504, 0x5501, 0x5502
SYNCHRONISE, KEY, ABSOLUTE = 0, 1, 3
TOUCH, DIRECT = 0x14A, 1
X, Y, SLOT, TOUCH_X, TOUCH_Y, TRACKING = 0, 1, 0x2F, 0x35, 0x36, 0x39
NAME = b"touch screen"
# The greatest coordinate.
RANGE = 4095
# Seconds between putting a finger down and lifting it.
PRESS = 0.05


class TouchScreen:
    """The touch screen, plugged in until `remove`."""

    def __init__(self) -> None:
        run("modprobe", "uinput")
        self.count = 0
        self.node = os.open("/dev/uinput", os.O_RDWR | os.O_CLOEXEC)
        for request, code in [(SET_EVENT_KIND, KEY), (SET_KEY, TOUCH), (SET_EVENT_KIND, ABSOLUTE), (SET_PROPERTY, DIRECT)]:
            fcntl.ioctl(self.node, request, code)
        limits = {X: RANGE, Y: RANGE, TOUCH_X: RANGE, TOUCH_Y: RANGE, SLOT: 9, TRACKING: 65535}
        for axis, greatest in limits.items():
            fcntl.ioctl(self.node, SET_ABSOLUTE, axis)
            # Code; value, least, greatest, noise, flatness, units per mm.
            fcntl.ioctl(self.node, ABSOLUTE_SETUP, struct.pack("<H2x6i", axis, 0, 0, greatest, 0, 0, 0))
        fcntl.ioctl(self.node, SETUP, struct.pack("<4H80sI", 0x18, 1, 2, 1, NAME, 0))
        fcntl.ioctl(self.node, CREATE)
        run("udevadm", "settle")
        event = eventually("the touch screen's node", self.find)
        eventually(f"/dev/input/{event}", Path("/dev/input", event).exists)

    @staticmethod
    def find() -> str | None:
        names = Path("/sys/class/input").glob("event*/device/name")
        return next((path.parts[-3] for path in names if path.read_text().strip() == NAME.decode()), None)

    def tap(self, x: float, y: float) -> None:
        """Touch the panel at a place: from (0, 0), top left of the unrotated picture, to (1, 1)."""
        self.count += 1
        right, down = round(x * RANGE), round(y * RANGE)
        self.send([(ABSOLUTE, SLOT, 0), (ABSOLUTE, TRACKING, self.count), (ABSOLUTE, TOUCH_X, right),
                   (ABSOLUTE, TOUCH_Y, down), (ABSOLUTE, X, right), (ABSOLUTE, Y, down), (KEY, TOUCH, 1)])
        time.sleep(PRESS)
        self.send([(ABSOLUTE, SLOT, 0), (ABSOLUTE, TRACKING, -1), (KEY, TOUCH, 0)])

    def send(self, events: list[tuple[int, int, int]]) -> None:
        for kind, code, value in [*events, (SYNCHRONISE, 0, 0)]:
            os.write(self.node, struct.pack("<qqHHi", 0, 0, kind, code, value))

    def remove(self) -> None:
        fcntl.ioctl(self.node, REMOVE)
        os.close(self.node)
