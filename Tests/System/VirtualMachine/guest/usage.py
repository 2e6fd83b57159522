# SPDX-License-Identifier: Apache-2.0
"""The wake-ups, the processor time and the memory of a process."""

import time
from pathlib import Path

# Seconds until a process is idle after a request.
IDLE = 5


class Usage:
    """The use by a process since the creation of this object. A wake-up is a voluntary context switch of a thread."""

    def __init__(self, process: int) -> None:
        self.process = process
        self.began = time.monotonic()
        self.switches, self.nanoseconds = self.count()

    def count(self) -> tuple[int, int]:
        switches = nanoseconds = 0
        for task in Path(f"/proc/{self.process}/task").iterdir():
            lines = (task / "status").read_text().splitlines()
            switches += sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches"))
            nanoseconds += int((task / "schedstat").read_text().split()[0])
        return switches, nanoseconds

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    @property
    def wakeups(self) -> float:
        """The wake-ups per second."""
        return (self.count()[0] - self.switches) / self.seconds

    @property
    def milliseconds(self) -> float:
        """The milliseconds of processor time per second."""
        return (self.count()[1] - self.nanoseconds) / 1e6 / self.seconds


def wakeups(process: int, seconds: float = 20) -> float:
    """Return the wake-ups per second, counted over some seconds at rest."""
    time.sleep(IDLE)
    usage = Usage(process)
    time.sleep(seconds)
    return usage.wakeups


def memory(process: int) -> str:
    """Return the resident and the private memory of a process."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]
    kibibytes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    private = kibibytes["Private_Clean"] + kibibytes["Private_Dirty"]
    return f"{kibibytes['Rss']} KiB resident, {private} KiB private"
