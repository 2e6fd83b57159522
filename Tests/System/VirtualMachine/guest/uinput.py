# SPDX-License-Identifier: Apache-2.0
"""Input devices with keys and switches, emulated with uinput."""

import contextlib
import fcntl
import os
import struct
from collections.abc import Iterable
from pathlib import Path

from harness import eventually, run

# From linux/uinput.h and linux/input-event-codes.h.
SET_EVENT_KIND, SET_KEY, SET_SWITCH = 0x40045564, 0x40045565, 0x4004556D
SETUP, CREATE, REMOVE = 0x405C5503, 0x5501, 0x5502
SYNCHRONISE, KEY, SWITCH = 0, 1, 5
# The buses of linux/input.h of a device of the chipset, and of a keyboard that is built in.
HOST, I8042 = 0x19, 0x11


class InputDevice:
    """The device, plugged in until `remove`."""

    def __init__(self, name: str, keys: Iterable[int] = (), switches: Iterable[int] = (), bus: int = HOST) -> None:
        self.name = name
        run("modprobe", "uinput")
        self.node = os.open("/dev/uinput", os.O_RDWR | os.O_CLOEXEC)
        for kind, request, codes in [(KEY, SET_KEY, keys), (SWITCH, SET_SWITCH, switches)]:
            for code in codes:
                fcntl.ioctl(self.node, SET_EVENT_KIND, kind)
                fcntl.ioctl(self.node, request, code)
        fcntl.ioctl(self.node, SETUP, struct.pack("<4H80sI", bus, 1, 1, 1, name.encode(), 0))
        fcntl.ioctl(self.node, CREATE)
        run("udevadm", "settle")
        self.path = eventually(f"the node of {name}", lambda: find(name))
        eventually(f"{self.path}", self.path.exists)

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


def find(name: str) -> Path | None:
    """Return the node of the input device with this name; it may not exist yet."""
    for path in Path("/sys/class/input").glob("event*/device/name"):
        # The device may be removed meanwhile.
        with contextlib.suppress(OSError):
            if path.read_text().strip() == name:
                return Path("/dev/input", path.parts[-3])
    return None
