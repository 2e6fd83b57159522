# SPDX-License-Identifier: Apache-2.0
"""The wake-ups and the memory of a process."""

import time
from pathlib import Path

# Seconds until a process is idle after a request.
IDLE = 5


def switches(process: int) -> int:
    """Return the voluntary context switches of all threads, which are the wake-ups."""
    return sum(
        int(line.split()[1]) for task in Path(f"/proc/{process}/task").iterdir()
        for line in (task / "status").read_text().splitlines() if line.startswith("voluntary_ctxt_switches"))


def wakeups(process: int, seconds: float = 20) -> float:
    """Return the wake-ups per second, counted over some seconds at rest."""
    time.sleep(IDLE)
    before = switches(process)
    time.sleep(seconds)
    return (switches(process) - before) / seconds


def memory(process: int) -> str:
    """Return the resident and the private memory of a process."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]
    kibibytes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    private = kibibytes["Private_Clean"] + kibibytes["Private_Dirty"]
    return f"{kibibytes['Rss']} KiB resident, {private} KiB private"
