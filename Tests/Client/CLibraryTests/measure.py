#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print what the library costs: its size, the memory that it adds to a program, the time to the first state, and wake-ups.
After `make -C Tests/System library-test`, which builds it."""
import pathlib
import subprocess
import tempfile
import time
import unittest

import services
from services import BUILD, Client, Daemon, OwnSensorProxy, Program, start_bus


def private(process):
    """Return the private memory of a program in KiB."""
    text = pathlib.Path(f"/proc/{process.pid}/smaps_rollup").read_text()
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith("Private"))


class Measurement(unittest.TestCase):
    def test_measure(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        for build in ("", "nobus/"):
            subprocess.run(["strip", "-o", folder / "stripped", BUILD / f"{build}liborientation.so.0"], check=True)
            print(f"{build}liborientation.so.0: {(folder / 'stripped').stat().st_size / 1024:.0f} KiB")
        (folder / "empty.c").write_text("#include <unistd.h>\nint main(void) { pause(); }\n")
        subprocess.run(["cc", "-O2", "-o", folder / "empty", folder / "empty.c"], check=True)
        empty = Program(self, folder / "empty")
        services.wait(lambda: "S (sleeping)" in pathlib.Path(f"/proc/{empty.process.pid}/status").read_text())
        base = private(empty.process)
        (folder / "other").mkdir()
        daemon, proxy = Daemon(self, folder), OwnSensorProxy(self, folder / "other", start_bus(self, folder))
        for name, service, environment in (
            ("varlink", daemon, {}), ("varlink, built without the bus", daemon, {"LD_LIBRARY_PATH": BUILD / "nobus"}),
            ("sensorproxy", proxy, {}),
        ):
            if not service.__dict__.get("program"):
                service.start()
            times = []
            for _ in range(10):
                began = time.monotonic()
                client = Client(self, **service.client_environment, **environment)
                client.wait(edge="top")
                times.append(time.monotonic() - began)
                if len(times) == 10:
                    wakeups, memory = client.wakeups(10), private(client.process) - base
                client.end()
            print(f"{name}: {memory} KiB private besides {base}, first state after {sorted(times)[5] * 1000:.1f} ms with the start of "
                  f"the program, {wakeups} wake-ups in 10 s")


if __name__ == "__main__":
    unittest.main()
