# SPDX-License-Identifier: Apache-2.0
"""Compare the lines of two monitor-sensor programs that watch the same service.

    monitor.py PROGRAMS MONITOR REFERENCE    PROGRAMS has the daemon and the tool

Both run with each row's options in RUNS while the simulated device of a daemon follows SCRIPT; exit status 1 if a line
differs."""

import contextlib
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Steps of `orientationctl simulate`, and a line that each causes.
FIRST = [("landscapeLeft", "changed: right-up"), ("light 20", "changed: 20.0"), ("compass 5", "changed: 5.0")]
SCRIPT = [
    ("portraitUpsideDown", "Accelerometer orientation changed: bottom-up"), ("landscapeRight", "Accelerometer orientation changed: left-up"),
    ("portrait", "Accelerometer orientation changed: normal"), ("faceUp", "Tilt changed: face-up"),
    ("faceDown", "Tilt changed: face-down"), ("portrait", "Tilt changed: vertical"),
    ("light 300", "Light changed: 300.0"), ("light 0.5", "Light changed: 0.5"), ("light 0", "Light changed: 0.0"),
    ("proximity near", "Proximity value changed: 1"), ("proximity far", "Proximity value changed: 0"),
    ("compass 90", "Compass heading changed: 90.0"),
    ("fail gone --duration 3600", "--- Accelerometer disappeared"),
    ("fail gone --duration 0", "+++ Accelerometer appeared"), ("light 100", "Light changed: 100.0"),
]
# The options, the sensors of the device, and the words of lines that are waited for.
ACCELEROMETER = ["Accelerometer", "Tilt"]
RUNS = [
    (["--all"], "accelerometer+light+proximity+compass", [*ACCELEROMETER, "Light", "Proximity", "Compass"]),
    ([], "accelerometer+light+proximity+compass", [*ACCELEROMETER, "Light", "Proximity", "Compass"]),
    (["--light", "--compass"], "accelerometer+light+proximity+compass", ["Light", "Compass"]),
    (["--accel", "--proximity"], "accelerometer+light+compass", ACCELEROMETER),
    (["-a"], "light+proximity", ["Light", "Proximity"]),
]
APPEARED = "+++ iio-sensor-proxy appeared"
# In seconds: programs can be without a processor for many.
TIMEOUT = 60


class Program:
    """A program that ends with the block."""

    def __init__(self, output: Path, *command: object) -> None:
        self.output = output
        with open(output, "w") as file:
            self.process = subprocess.Popen(command, stdout=file, stderr=file)

    @property
    def lines(self) -> list[str]:
        return self.output.read_text().splitlines()

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()

    def wait_for(self, line: str, earlier: int = 0) -> None:
        """Wait for a line after this number of lines."""
        end = time.monotonic() + TIMEOUT
        while not any(line in it for it in self.lines[earlier:]):
            if time.monotonic() > end:
                sys.exit("\n".join([f"FAILED  {self.process.args}: timed out: '{line}'; printed:", *self.lines]))
            time.sleep(0.02)


def compare(programs: Path, monitors: list[str], options: list[str], sensors: str, words: list[str]) -> int:
    """Return the number of lines, which are the same; exit with both if they differ."""
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as running:
        folder = Path(name)

        def start(log: str, *command: object) -> Program:
            return running.enter_context(Program(folder / log, *command))

        def start_daemon(log: str) -> Program:
            return start(log, *in_bus, programs / "orientationd", "--dbus", "--sensor", f"fake:sensors={sensors}",
                         "--socket", folder / "socket", "--state-directory", folder / "state")

        def simulate(step: str) -> None:
            subprocess.run(
                [programs / "orientationctl", "simulate", *step.split(), "--socket", folder / "socket", "--timeout", f"{TIMEOUT}"],
                check=False, capture_output=True)

        def is_expected(line: str) -> bool:
            return any(word in line for word in words)

        address = f"unix:path={folder / 'bus'}"
        in_bus = ["env", f"DBUS_SYSTEM_BUS_ADDRESS={address}", "stdbuf", "-oL"]
        start("bus.log", "dbus-daemon", "--session", "--nofork", "--print-address", f"--address={address}").wait_for("unix:")
        daemon = start_daemon("daemon")
        # Keeps the sensors in use, so that both read the same first values.
        first = start("first", *in_bus, monitors[1], "--all")
        first.wait_for("===")
        for step, line in FIRST:
            simulate(step)
            if step.split()[0] in sensors or "accelerometer" in sensors and "up" in line:
                first.wait_for(line)
        both = [start(str(number), *in_bus, monitor, *options) for number, monitor in enumerate(monitors)]
        for monitor in both:
            monitor.wait_for("===")
        for step, line in SCRIPT:
            earlier = [len(monitor.lines) for monitor in both]
            simulate(step)
            for monitor, count in zip(both, earlier):
                if is_expected(line):
                    monitor.wait_for(line, count)
        earlier = [len(monitor.lines) for monitor in both]
        daemon.__exit__()
        start_daemon("daemon again")
        for monitor, count in zip(both, earlier):
            monitor.wait_for(APPEARED, count)
        # The values after the return depend on the order of the claims.
        printed, expected = (monitor.lines[:monitor.lines.index(APPEARED, count)] for monitor, count in zip(both, earlier))
        if printed != expected:
            sys.exit("\n".join([f"FAILED  monitor-sensor {' '.join(options)}:", *printed, "instead of", *expected]))
        return len(printed)


if __name__ == "__main__":
    for options, sensors, words in RUNS:
        count = compare(Path(sys.argv[1]), sys.argv[2:], options, sensors, words)
        print(f"passed  monitor-sensor {' '.join(options)}: the same {count} lines", flush=True)
