# SPDX-License-Identifier: Apache-2.0
"""A KXCJK-1013 on an i2c bus whose registers are memory (i2c-stub), under the kernel's own driver."""

from pathlib import Path

from proof import eventually, run

ADDRESS = "0x0e"
# The registers of x; those of y and z follow. Twelve bits, in the upper part of two bytes, the lower byte first.
FIRST_AXIS = 0x06
# m/s² per unit in the range of ±4 g that the driver chooses.
SCALE = 0.019163


class Chip:
    def __init__(self) -> None:
        run("modprobe", "i2c-stub", f"chip_addr={ADDRESS}")
        run("modprobe", "i2c-dev")
        self.bus = next(
            path.parent for path in Path("/sys/bus/i2c/devices").glob("i2c-*/name") if "stub" in path.read_text())
        self.hold(0, 0, 9.8)
        (self.bus / "new_device").write_text(f"kxcjk1013 {ADDRESS}")
        # The driver comes through the alias of its module.
        self.device = eventually("the chip's accelerometer", lambda: next(self.bus.glob("*/iio:device*"), None))
        run("udevadm", "settle")

    def hold(self, x: float, y: float, z: float) -> None:
        """Turns it; the specific force in m/s², which the chip counts likewise. Without a matrix of its own it is taken to
        lie half a turn about z from the device's axes, as orientationd(8) says of matrices."""
        for axis, value in enumerate((-x, -y, z)):
            word = (round(value / SCALE) << 4) & 0xFFFF
            register = FIRST_AXIS + 2 * axis
            # i2c-stub keeps a word and its bytes apart: single readings ask for the word, scans for the bytes.
            self.write(register, word, "w")
            self.write(register + 1, word >> 8, "b")

    def write(self, register: int, value: int, mode: str) -> None:
        bus = self.bus.name.removeprefix("i2c-")
        run("i2cset", "-f", "-y", bus, ADDRESS, hex(register), hex(value), mode)

    def remove(self) -> None:
        (self.bus / "delete_device").write_text(ADDRESS)
        run("modprobe", "-r", "i2c-stub")
