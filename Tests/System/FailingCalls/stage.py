# SPDX-License-Identifier: Apache-2.0
"""What the situations share: programs under strace, an emulated machine, and the services of one worker."""

import contextlib
import math
import os
import re
import signal
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

SYSTEM = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(SYSTEM / "Attack"), str(SYSTEM / "Screen"), str(SYSTEM.parents[1] / "Scripts")]

import compositors  # noqa: E402
import session  # noqa: E402
from machine import ACCELEROMETER  # noqa: E402

# Seconds until an awaited change counts as missing: more than the backoff of a failed sensor, on a busy machine.
LIMIT = 15.0
DEVICE = "sys/devices/platform/chip0/iio:device0"
# The raw values of the chip, which is mounted upside down. udev states this matrix in its database.
VECTORS = {"portrait": (0, 196), "landscapeLeft": (196, 0), "portraitUpsideDown": (0, -196), "landscapeRight": (-196, 0)}
MATRIX = next(line for line in ACCELEROMETER.splitlines() if "MATRIX" in line).replace(" ", "", 1)


def attributes(values: dict[str, object]) -> str:
    return "".join(f"A: {name}={value}\\n\n" for name, value in values.items())


CHIP = "".join(line + "\n" for line in ACCELEROMETER.splitlines() if "MATRIX" not in line) + attributes(
    {"sampling_frequency": 5, "sampling_frequency_available": "5 10 25"})
# What the daemon changes while it uses a chip, and the values before.
SETTINGS = {"buffer/enable": "0", "current_timestamp_clock": "realtime", "sampling_frequency": "5"}
CAPTURED = CHIP + "".join(
    attributes({f"scan_elements/in_{name}_en": 0, f"scan_elements/in_{name}_index": index, f"scan_elements/in_{name}_type": kind})
    for index, (name, kind) in enumerate([*((f"accel_{axis}", "le:s16/32>>0") for axis in "xyz"), ("timestamp", "le:s64/64>>0")])
) + attributes({"buffer/enable": 0, "buffer/length": 2, "buffer/watermark": 1, "current_timestamp_clock": "realtime",
                "trigger/current_trigger": "kxcjk1013-dev0"}) + "\nP: /devices/trigger0\nE: SUBSYSTEM=iio\n" + attributes(
    {"name": "kxcjk1013-dev0"})
# The switch in the hinge of a convertible, in tablet mode.
SWITCH = """
P: /devices/platform/input4
E: SUBSYSTEM=platform

P: /devices/platform/input4/input/input4
E: SUBSYSTEM=input
L: device=../../../input4
A: name=Intel HID switches\\n
A: capabilities/sw=2\\n
A: capabilities/key=0\\n

P: /devices/platform/input4/input/input4/event4
E: DEVNAME=/dev/input/event4
E: SUBSYSTEM=input
E: ID_INPUT_SWITCH=1
L: device=../../input4
"""
BUS = '<busconfig><listen>{}</listen><policy context="default"><allow user="*"/><allow own="*"/>' \
    '<allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>'
ANSWERS = "@DEV /dev/input/event4\nEVIOCGSW 8 0200000000000000\n"


def wait(condition: Callable[[], object], seconds: float = LIMIT) -> bool:
    """Wait until a condition holds; return whether it does."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Program:
    """A program, with its output in files. With options for strace, its calls are traced until `failures` of them have failed."""

    def __init__(self, command: list, folder: Path, environment: dict, preload: str = "", strace: list[str] | None = None,
                 failures: float = math.inf) -> None:
        folder.mkdir(exist_ok=True)
        self.files = {name: folder / name for name in ("log", "output", "trace")}
        self.trace, self.failures = [], failures
        self.reader = threading.Thread(target=self.read_trace, daemon=True)
        variables = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "SWIFT_BACKTRACE": "enable=no", **environment}
        if strace is not None:
            os.mkfifo(self.files["trace"])
            command = ["strace", "-D", "-f", "-y", "-qq", "-s", "128", "-o", self.files["trace"], *strace,
                       *(["-E", f"LD_PRELOAD={preload}"] if preload else []), *command]
        with open(self.files["log"], "wb") as log, open(self.files["output"], "wb") as output:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=log, env=variables, cwd="/",
                                            start_new_session=True)
        # The status, and the processor time in seconds.
        self.status, self.seconds = None, 0.0
        if strace is not None:
            self.reader.start()

    def read_trace(self) -> None:
        """Read the trace. strace counts the calls of each thread: it is ended before they fail in another one, too."""
        with open(self.files["trace"], errors="replace") as trace:
            for line in trace:
                self.trace.append(line)
                self.failures -= "(INJECTED)" in line
                if self.failures == 0:
                    with contextlib.suppress(OSError):
                        status = Path(f"/proc/{self.process.pid}/status").read_text()
                        if (strace := int(status.partition("TracerPid:")[2].split()[0])):
                            os.kill(strace, signal.SIGKILL)

    @property
    def has_ended(self) -> bool:
        if self.status is None:
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid:
                self.status = self.process.returncode = os.waitstatus_to_exitcode(status)
                self.seconds = usage.ru_utime + usage.ru_stime
        return self.status is not None

    def text(self, name: str) -> str:
        return self.files[name].read_text(errors="replace")

    def last(self, pattern: str) -> str:
        """Return the last match in the output."""
        return (re.findall(pattern, self.text("output")) or [""])[-1]

    def end(self) -> bool:
        """Send SIGTERM; return whether the program has ended in time. Its children and strace end in any case."""
        if not self.has_ended:
            self.process.send_signal(signal.SIGTERM)
        has_ended = wait(lambda: self.has_ended)
        self.process.stdin.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        wait(lambda: self.has_ended)
        if self.reader.is_alive():
            self.reader.join()
        return has_ended


class Machine:
    """A machine with these devices, in umockdev. The chip turns by its attributes."""

    def __init__(self, folder: Path, description: str) -> None:
        (folder / "machine").write_text(description)
        (folder / "answers").write_text(ANSWERS)
        self.process = subprocess.Popen(
            ["umockdev-run", "-d", folder / "machine", "-i", f"/dev/input/event4={folder}/answers", "--", "sh", "-c",
             'cd "$UMOCKDEV_DIR" && mkdir -p dev/input && mkfifo dev/iio:device0 dev/input/event4 && pwd && exec cat'],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.root = Path(self.process.stdout.readline().strip())
        self.has_ended = threading.Event()
        self.chip = threading.Thread(target=self.measure, daemon=True)
        if description.startswith(CAPTURED):
            self.chip.start()

    def read(self, name: str) -> str:
        path = self.root / DEVICE / name
        return path.read_text().strip("\0\n ") if path.exists() else ""

    def turn(self, pose: str) -> None:
        for axis, value in zip("xy", VECTORS[pose]):
            # In place: readers keep the file open, and must not read it empty.
            with open(self.root / DEVICE / f"in_accel_{axis}_raw", "r+") as file:
                file.write(f"{value}\n")
                file.truncate()

    def measure(self) -> None:
        """Deliver scans at 25 Hz, as the driver does while the buffer runs."""
        node = os.open(self.root / "dev/iio:device0", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        while not self.has_ended.wait(0.04):
            with contextlib.suppress(BlockingIOError):
                while self.read("buffer/enable") != "1" and os.read(node, 2400):
                    pass
                values = [int(self.read(f"in_accel_{axis}_raw") or 0) for axis in "xyz"]
                os.write(node, struct.pack("<iii4xq", *values, time.clock_gettime_ns(time.CLOCK_BOOTTIME)))
        os.close(node)

    def changed(self) -> str:
        """Return the settings of the chip that are not as before its use. A file that was truncated before a write failed is
        empty, as no attribute of the kernel is."""
        found = {name: self.read(name) for name in SETTINGS}
        return ", ".join(f"{name} is {text}" for name, text in found.items() if text not in ("", SETTINGS[name]))

    def end(self) -> None:
        self.has_ended.set()
        if self.chip.is_alive():
            self.chip.join()
        self.process.communicate()


class Stage:
    """The folder of one worker, and the services that its situations share."""

    def __init__(self, programs: Path, natives: Path, root: Path, name: str, stack: contextlib.ExitStack) -> None:
        self.programs, self.natives, self.stack, self.root = programs, natives, stack, root
        self.folder = natives / name
        self.folder.mkdir()
        self.sway, self.has_bus = None, False

    def display(self) -> tuple[compositors.Sway, dict[str, str]]:
        """Return sway without a screen, and the environment of its session."""
        if not self.sway:
            room = session.Room(self.root, f"failing-calls-{self.folder.name}")
            self.stack.callback(room.close)
            self.sway = compositors.Sway(room)
        room = self.sway.room
        return self.sway, {"XDG_RUNTIME_DIR": str(room.outside), "WAYLAND_DISPLAY": room.environment["WAYLAND_DISPLAY"]}

    def bus(self) -> dict[str, str]:
        """Return the environment with a private bus, which allows everything."""
        address = f"unix:path={self.folder}/bus"
        if not self.has_bus:
            (self.folder / "bus.conf").write_text(BUS.format(address))
            program = subprocess.Popen(["dbus-daemon", "--nofork", "--print-address", "--config-file", self.folder / "bus.conf"],
                                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.stack.callback(program.kill)
            self.has_bus = bool(program.stdout.readline())
        return {"DBUS_SYSTEM_BUS_ADDRESS": address}

    def preload(self, *names: str) -> str:
        """Return the libraries with which a program uses an emulated machine."""
        return ":".join([*(f"{self.natives}/{name}.so" for name in (*names, "umockdev-signals")), "libumockdev-preload.so.0"])

    def path(self, name: str) -> Path:
        return (self.natives if name == "follow" else self.programs) / name
