# SPDX-License-Identifier: Apache-2.0
"""An hrtimer trigger, which root creates for a chip without an interrupt."""

from pathlib import Path

from harness import TestSkip, TestFailure, run

TRIGGERS = Path("/sys/kernel/config/iio/triggers/hrtimer")


class Trigger:
    def __init__(self, name: str) -> None:
        try:
            run("modprobe", "iio-trig-hrtimer")
        except TestFailure as reason:
            raise TestSkip("this kernel has no software triggers") from reason
        run("systemctl", "start", "sys-kernel-config.mount")
        self.name = name
        (TRIGGERS / name).mkdir()

    def remove(self) -> None:
        (TRIGGERS / self.name).rmdir()
