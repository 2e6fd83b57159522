# SPDX-License-Identifier: Apache-2.0
"""A trigger that fires by the kernel's clock, as root makes one for a chip that has no interrupt."""

from pathlib import Path

from proof import Inapplicable, Unproven, run

TRIGGERS = Path("/sys/kernel/config/iio/triggers/hrtimer")


class Trigger:
    def __init__(self, name: str) -> None:
        try:
            run("modprobe", "iio-trig-hrtimer")
        except Unproven as reason:
            raise Inapplicable("this kernel has no triggers of software") from reason
        run("systemctl", "start", "sys-kernel-config.mount")
        self.name = name
        (TRIGGERS / name).mkdir()

    def remove(self) -> None:
        (TRIGGERS / self.name).rmdir()
