# SPDX-License-Identifier: Apache-2.0
"""A KXCJK-1013 on an emulated i2c bus (i2c-stub), with the kernel's driver."""

from pathlib import Path

from harness import eventually, run

ADDRESS = "0x0e"
# The registers of x; those of y and z follow. 12 bits, left-aligned in 16, little-endian.
FIRST_AXIS = 0x06
# m/s² per unit in the range ±4 g, which the driver selects.
SCALE = 0.019163


class Chip:
    def __init__(self) -> None:
        run("modprobe", "i2c-stub", f"chip_addr={ADDRESS}")
        run("modprobe", "i2c-dev")
        self.bus = next(
            path.parent for path in Path("/sys/bus/i2c/devices").glob("i2c-*/name") if "stub" in path.read_text())
        self.hold(0, 0, 9.8)
        (self.bus / "new_device").write_text(f"kxcjk1013 {ADDRESS}")
        # The module alias loads the driver.
        self.device = eventually("the chip's accelerometer", lambda: next(self.bus.glob("*/iio:device*"), None))
        run("udevadm", "settle")

    def hold(self, x: float, y: float, z: float) -> None:
        """Set the specific force in m/s² in the device frame. Without a mount matrix, the daemon assumes a chip that is
        rotated by 180° about z; see orientationd(8)."""
        for axis, value in enumerate((-x, -y, z)):
            word = (round(value / SCALE) << 4) & 0xFFFF
            register = FIRST_AXIS + 2 * axis
            # i2c-stub stores words and bytes separately: polling reads the word, scans read the bytes.
            self.write(register, word, "w")
            self.write(register + 1, word >> 8, "b")

    def write(self, register: int, value: int, mode: str) -> None:
        bus = self.bus.name.removeprefix("i2c-")
        run("i2cset", "-f", "-y", bus, ADDRESS, hex(register), hex(value), mode)

    def remove(self) -> None:
        (self.bus / "delete_device").write_text(ADDRESS)
        run("modprobe", "-r", "i2c-stub")
