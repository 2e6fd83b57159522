# SPDX-License-Identifier: Apache-2.0
"""The use of a process, and the rows of the table."""
import contextlib
import pathlib
import re
import time
from typing import NamedTuple

HEADING = "| figure | orientationd | aim, at most | iio-sensor-proxy | ratio |\n|---|---:|---:|---:|---:|"


class Row(NamedTuple):
    """A figure of orientationd, its aim, and the same figure of another program."""

    name: str
    value: float
    aim: float | str
    peer: float | None = None
    peer_name: str = ""

    def __str__(self):
        peer = "" if self.peer is None else f"{self.peer:.2f}{self.peer_name and f' ({self.peer_name})'}"
        ratio = f"{self.value / self.peer:.2f}" if self.peer else ""
        aim = self.aim if isinstance(self.aim, str) else f"{self.aim:g}"
        return f"| {self.name} | {self.value:.2f} | {aim} | {peer} | {ratio} |"


class Usage:
    """The use of a process since this object was made. Threads that end meanwhile are not counted."""

    def __init__(self, process):
        self.process = process
        self.began, self.before = time.monotonic(), self.threads()

    def threads(self):
        """Return the voluntary context switches and the CPU time in nanoseconds of each thread."""
        found = {}
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            # The thread may end in between: read fails with ESRCH, open with ENOENT.
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                found[task.name] = (
                    int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text(), re.M)[1]),
                    int((task / "schedstat").read_text().split()[0]))
        return found

    def per_second(self):
        """Return the wake-ups and the milliseconds of CPU time per second."""
        took = time.monotonic() - self.began
        used = [(new, self.before.get(name, (0, 0))) for name, new in self.threads().items()]
        wakeups, nanoseconds = (sum(new[index] - old[index] for new, old in used) for index in (0, 1))
        return wakeups / took, nanoseconds / 1e6 / took


def per_second(seconds, *processes):
    """Measure processes for some seconds; return the wake-ups and the milliseconds of CPU time per second of each."""
    usages = [Usage(process) for process in processes]
    time.sleep(seconds)
    return [usage.per_second() for usage in usages]


def private_megabytes(process):
    """Return the memory of a process that is neither shared nor read from a file."""
    text = pathlib.Path(f"/proc/{process.pid}/smaps_rollup").read_text()
    return int(re.search(r"^Anonymous:\s+(\d+)", text, re.M)[1]) / 1024
