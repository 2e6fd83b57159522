# SPDX-License-Identifier: Apache-2.0
"""The kernel's example driver iio_dummy, changed into an accelerometer with the motion event of a BMC150; see
image/iio_dummy.py. iio_dummy_evgen generates its interrupt."""

import time
from pathlib import Path

from harness import eventually, run

FOLDER = Path("/sys/kernel/config/iio/devices/dummy")
INTERRUPT = Path("/sys/bus/iio/devices/iio_evgen/poke_ev0")
# m/s² per unit.
SCALE = 0.00958
# The event of image/iio_dummy.py.
MOTION = "4"


class Dummy:
    """The chip; its name is also the sensor's."""

    def __init__(self, name: str = "dummy", threshold: int = 77) -> None:
        run("modprobe", "iio_dummy")
        run("systemctl", "start", "sys-kernel-config.mount")
        self.name = name
        (FOLDER / name).mkdir()
        names = Path("/sys/bus/iio/devices").glob("iio:device*/name")
        self.device = next(path.parent for path in names if path.read_text().strip() == name)
        self.enable = self.device / "events/in_accel_x_roc_either_en"
        self.threshold = self.device / "events/in_accel_x_roc_either_value"
        self.threshold.write_text(str(threshold))
        run("udevadm", "settle")

    def hold(self, x: float, y: float, z: float) -> None:
        """Set the specific force in m/s² in the device frame, without an interrupt. Without a mount matrix, the daemon
        assumes a chip that is rotated by 180° about z; see orientationd(8)."""
        for axis, value in zip("xyz", (-x, -y, z)):
            (self.device / f"in_accel_{axis}_raw").write_text(str(round(value / SCALE)))

    def interrupt(self) -> None:
        INTERRUPT.write_text(MOTION)

    def turn(self, x: float, y: float, z: float) -> None:
        """Hold the device so; the interrupt reports it."""
        self.hold(x, y, z)
        self.interrupt()

    @property
    def settings(self) -> tuple[str, str]:
        """The event's attributes: whether it is enabled, and the threshold."""
        return self.enable.read_text().strip(), self.threshold.read_text().strip()

    def is_armed(self) -> bool:
        return self.settings == ("1", "4")

    def wait_until_armed(self) -> None:
        # The daemon ends an earlier rest after its answer.
        time.sleep(1)
        eventually("the event of the chip at rest", self.is_armed)

    def remove(self) -> None:
        (FOLDER / self.name).rmdir()
        run("modprobe", "-r", "iio_dummy")
