# SPDX-License-Identifier: Apache-2.0
"""The use of a process, and the rows of the table."""
import pathlib
import re
import time
from typing import NamedTuple

HEADING = "| figure | orientationd | aim, at most | iio-sensor-proxy | ratio |\n|---|---:|---:|---:|---:|"


class Row(NamedTuple):
    """A figure of orientationd, its aim, and the same figure of another program."""

    name: str
    value: float
    aim: float
    peer: float | None = None
    peer_name: str = ""

    def __str__(self):
        peer = "" if self.peer is None else f"{self.peer:.2f}{self.peer_name and f' ({self.peer_name})'}"
        ratio = f"{self.value / self.peer:.2f}" if self.peer else ""
        return f"| {self.name} | {self.value:.2f} | {self.aim:g} | {peer} | {ratio} |"


def totals(pid):
    """Return the wake-ups of all threads of a process, which are voluntary context switches, and their CPU time in
    milliseconds."""
    tasks = list(pathlib.Path(f"/proc/{pid}/task").iterdir())
    wakeups = sum(
        int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text(), re.M)[1]) for task in tasks)
    return wakeups, sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e6


def per_second(seconds, *pids):
    """Measure processes for some seconds; return the wake-ups and the milliseconds of CPU time per second of each."""
    before = [totals(pid) for pid in pids]
    began = time.monotonic()
    time.sleep(seconds)
    took = time.monotonic() - began
    return [tuple((new - old) / took for old, new in zip(start, totals(pid))) for start, pid in zip(before, pids)]


def private_megabytes(pid):
    """Return the memory of a process that is neither shared nor read from a file."""
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(re.search(r"^Anonymous:\s+(\d+)", text, re.M)[1]) / 1024
