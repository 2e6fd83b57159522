# SPDX-License-Identifier: Apache-2.0
"""The memory, wake-ups and CPU of running processes."""
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import time
from typing import NamedTuple

import commandline

# The duration of a phase, in seconds.
SPAN = 10.0
# The phases of each program at rest, their duration in seconds (ten readings of iio-sensor-proxy), and the time before, in
# which the daemon recognizes that the device is at rest.
REST_PHASES, REST_SPAN, SETTLING = 5, 7.0, 2.5


def switches(task):
    """Return the voluntary context switches of a thread."""
    return int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text(), re.M)[1])


def measure(pid):
    """Return RSS and anonymous memory in KiB, threads, context switches and CPU seconds of a process."""
    rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    size = {key: int(re.search(rf"^{key}:\s+(\d+)", rollup, re.M)[1]) for key in ("Rss", "Anonymous")}
    tasks = list(pathlib.Path(f"/proc/{pid}/task").iterdir())
    wakeups = sum(switches(task) for task in tasks)
    cpu = sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9
    return size["Rss"], size["Anonymous"], len(tasks), wakeups, cpu


def counts(pid, seconds):
    """Wait, and return the user and kernel instructions and the system calls of a process in that time; NaN where perf cannot
    count them."""
    events = "instructions:u", "instructions:k", "raw_syscalls:sys_enter"
    if not shutil.which("perf"):
        time.sleep(seconds)
        return (float("nan"),) * len(events)
    report = subprocess.run(
        ["perf", "stat", "-x,", "-e", ",".join(events), "-p", str(pid), "sleep", str(seconds)],
        env=os.environ | {"LD_PRELOAD": ""}, capture_output=True, text=True).stderr
    found = (re.search(rf"^(\d+),,{event}", report, re.M) for event in events)
    return tuple(int(match[1]) if match else float("nan") for match in found)


class Figures(NamedTuple):
    """Memory in KiB, CPU in milliseconds per second, and per reading: CPU in microseconds, and instructions."""

    resident: int
    anonymous: int
    busy: float
    each: float = float("nan")
    counted: float = float("nan")


def observe(name, phase, pid, readings=None):
    """Print and return the figures of a phase; `readings` returns their number."""
    time.sleep(2)  # excludes the start of the phase
    count = readings() if readings else 0
    *_, before, cpu = measure(pid)
    began = time.monotonic()
    own, kernels, calls = counts(pid, SPAN)
    rss, anonymous, threads, after, spent = measure(pid)
    took = time.monotonic() - began
    number = max(readings() - count, 1) if readings else float("nan")
    each = (spent - cpu) * 1e6 / number
    print(f"{name:18} {phase:10} {rss:7} {anonymous:7} {threads:7} {(after - before) / took:9.1f}"
          f" {(spent - cpu) * 1e3 / took:9.2f} {each:10.0f} {calls / number:7.1f} {own / number / 1e3:9.1f} {kernels / number / 1e3:9.1f}",
          flush=True)
    return Figures(rss, anonymous, (spent - cpu) * 1e3 / took, each, (own + kernels) / number)


class Resting(NamedTuple):
    """A program at rest, and a function that returns the number of its readings."""

    name: str
    process: subprocess.Popen
    readings: object


def alternate(programs):
    """Print and return the CPU per reading of each program, in microseconds: the median of its phases."""
    found = {program.name: [] for program in programs}
    try:
        for program in programs:
            program.process.send_signal(signal.SIGSTOP)
        for _ in range(REST_PHASES):
            for program in programs:
                program.process.send_signal(signal.SIGCONT)
                time.sleep(SETTLING)
                count = program.readings()
                *_, cpu = measure(program.process.pid)
                time.sleep(REST_SPAN)
                *_, spent = measure(program.process.pid)
                found[program.name].append((spent - cpu) * 1e6 / max(program.readings() - count, 1))
                program.process.send_signal(signal.SIGSTOP)
    finally:
        for program in programs:  # a stopped program does not end
            program.process.send_signal(signal.SIGCONT)
    for name, each in found.items():
        print(f"{name:18} at rest    {statistics.median(each):5.0f} µs per reading (median of {REST_PHASES}; {min(each):.0f} to {max(each):.0f})",
              flush=True)
    return [statistics.median(each) for each in found.values()]


HEADING = (f"{'':18} {'':10} {'RSS':>7} {'anon':>7} {'threads':>7} {'wakes/s':>9} {'CPU ms/s':>9} {'µs/reading':>10}"
           f" {'calls':>7} {'own':>9} {'kernel':>9}   (memory in KiB; system calls and thousands of instructions per reading)")


def thread_wakeups(pid, name):
    """Return a function that counts the wake-ups of a thread."""
    def count():
        found = [task for task in pathlib.Path(f"/proc/{pid}/task").iterdir() if (task / "comm").read_text().strip() == name]
        if not found:
            commandline.fail(f"process {pid}: has no thread {name}; its messages are above")
        return switches(found[0])
    return count


def at_rate(hertz):
    """Return a function that counts readings at a known rate."""
    return lambda: time.monotonic() * hertz
