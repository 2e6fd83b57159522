# SPDX-License-Identifier: Apache-2.0
"""A convertible laptop without a tablet switch: a sensor hub with an accelerometer in each half, optionally one in the hinge, and a
keyboard."""

import math
from pathlib import Path

from harness import run
from hub import GRAVITY, Hub, parent
from uinput import I8042, InputDevice

RULES = Path("/run/udev/rules.d/90-convertible.rules")
DISPLAY, BASE = 0, 1
# The keys of a main block, by which udev knows a keyboard.
KEYS = range(1, 89)


class Convertible(Hub):
    """The laptop, until `unplug`; it starts at 90°, with the base on a table."""

    def __init__(self, has_hinge: bool = False) -> None:
        super().__init__(2, has_hinge)
        self.fold(90)
        # One driver has both sensors: only a rule for the device tells them apart.
        RULES.parent.mkdir(parents=True, exist_ok=True)
        RULES.write_text("".join(
            f'SUBSYSTEM=="iio", KERNELS=="{parent(device)}", ENV{{ACCEL_LOCATION}}="{location}"\n'
            for device, location in zip(self.devices, ["display", "base"])))
        run("udevadm", "control", "--reload")
        run("udevadm", "trigger", "--settle", "--subsystem-match=iio")

    def fold(self, angle: float, pitch: float = 0) -> None:
        """Set the lid angle in degrees, and how far the far edge of the base is up."""
        self.angle = angle
        for sensor, direction in [(DISPLAY, angle - pitch), (BASE, 180 - pitch)]:
            self.hold(0, GRAVITY * math.sin(math.radians(direction)), -GRAVITY * math.cos(math.radians(direction)), sensor)
        if self.hinge:
            # That of the screen and that of the keyboard are against the horizontal.
            self.readings[self.hinge] = round(angle), round(angle - pitch) % 360, round(-pitch) % 360

    def unplug(self) -> None:
        super().unplug()
        RULES.unlink(missing_ok=True)
        run("udevadm", "control", "--reload")


def keyboard() -> InputDevice:
    """Plug in the keyboard, as the controller of built-in ones has it: libinput suspends no external one."""
    return InputDevice("keyboard", KEYS, bus=I8042)
