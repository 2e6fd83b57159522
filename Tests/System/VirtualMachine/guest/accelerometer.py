# SPDX-License-Identifier: Apache-2.0
"""An accelerometer that is an input device, emulated with uinput."""

import fcntl
import os
import struct
from pathlib import Path

from harness import eventually, run

# From linux/uinput.h and linux/input-event-codes.h.
SET_EVENT_KIND, SET_PROPERTY, SETUP, SET_AXIS = 0x40045564, 0x4004556E, 0x405C5503, 0x401C5504
CREATE, REMOVE = 0x5501, 0x5502
SYNCHRONISE, ABSOLUTE, IS_ACCELEROMETER = 0, 3, 6
# Units per g, which the axes state.
RESOLUTION = 1000
BUILT_IN, USB = 0x19, 0x03


class InputAccelerometer:
    def __init__(self, name: str = "accelerometer", bus: int = BUILT_IN) -> None:
        self.name = name
        run("modprobe", "uinput")
        self.node = os.open("/dev/uinput", os.O_RDWR | os.O_CLOEXEC)
        fcntl.ioctl(self.node, SET_EVENT_KIND, ABSOLUTE)
        fcntl.ioctl(self.node, SET_PROPERTY, IS_ACCELEROMETER)
        for axis in range(3):
            limits = struct.pack("<H2x6i", axis, 0, -2 * RESOLUTION, 2 * RESOLUTION, 0, 0, RESOLUTION)
            fcntl.ioctl(self.node, SET_AXIS, limits)
        fcntl.ioctl(self.node, SETUP, struct.pack("<4H80sI", bus, 1, 1, 1, name.encode(), 0))
        fcntl.ioctl(self.node, CREATE)
        run("udevadm", "settle")
        self.path = Path("/dev/input", eventually("the accelerometer's node", self.find))
        eventually(f"{self.path}", self.path.exists)

    def find(self) -> str | None:
        names = Path("/sys/class/input").glob("event*/device/name")
        return next((path.parts[-3] for path in names if path.read_text().strip() == self.name), None)

    def hold(self, x: float, y: float, z: float) -> None:
        """Send the specific force in m/s² in the device frame. Without a mount matrix, the daemon assumes a chip that is
        rotated by 180° about z; see orientationd(8)."""
        events = [(ABSOLUTE, axis, round(value / 9.80665 * RESOLUTION)) for axis, value in enumerate((-x, -y, z))]
        for kind, code, value in [*events, (SYNCHRONISE, 0, 0)]:
            os.write(self.node, struct.pack("<qqHHi", 0, 0, kind, code, value))

    def remove(self) -> None:
        fcntl.ioctl(self.node, REMOVE)
        os.close(self.node)
