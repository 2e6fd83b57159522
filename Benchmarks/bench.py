#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measure the daemon and the session agent beside iio-sensor-proxy, and print a table.

    bench.py FOLDER    FOLDER has the release build

Takes nine minutes. Needs what `make -C Benchmarks bench` installs and builds.
"""
import os
import pathlib
import sys
import time

if len(sys.argv) != 2:
    sys.exit(__doc__)
if "umockdev" not in os.environ.get("LD_PRELOAD", ""):
    # It needs to be loaded before the interpreter.
    os.execvp("umockdev-wrapper", ["umockdev-wrapper", "/usr/bin/python3", *sys.argv])

import agent  # noqa: E402
import chips  # noqa: E402
import fanout  # noqa: E402
import programs  # noqa: E402
import turned  # noqa: E402
import wakeups  # noqa: E402
from figures import HEADING, Row, private_megabytes  # noqa: E402


def rows(build):
    """Measure; yields the rows of the table."""
    idle_agent = agent.Agent(build)
    try:
        yield from chips.measure(build)
        with programs.emulated(programs.POLLED) as folder:
            yield from wakeups.without_subscribers(build, folder)
            with programs.orientationd(build, folder) as daemon, programs.sensor_proxy() as proxy, \
                    programs.watch(build, folder) as own, programs.monitor_sensor() as peer:
                own.wait(programs.POSES[0][2])
                peer.wait(programs.POSES[0][3])
                yield from turned.measure(daemon, proxy)
                memory = private_megabytes(daemon), private_megabytes(proxy)
                yield Row("private memory, one client, MB", memory[0], 1.5, memory[1])
        yield from fanout.measure(build)
        yield from idle_agent.measure()
    finally:
        idle_agent.close()


def main():
    began = time.monotonic()
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors\n\n{HEADING}", flush=True)
    for row in rows(pathlib.Path(sys.argv[1]).resolve()):
        print(row, flush=True)
    print(f"\nmeasured in {time.monotonic() - began:.0f} s, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
