# SPDX-License-Identifier: Apache-2.0
"""A machine with an emulated accelerometer (umockdev), whose reads can hang."""

import contextlib
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import varlink
from attack import Environment, Skipped
from daemon import SETTLE, Daemon
from users import DAEMON, become

TESTBED = Path(__file__).resolve().parents[2] / "Programs/EndToEndTests/Python/testbed.py"
ACCELEROMETER = """P: /devices/platform/chip0
E: SUBSYSTEM=platform
L: driver=../../../bus/platform/drivers/kxcjk1013

P: /devices/platform/chip0/iio:device0
E: DEVNAME=/dev/iio:device0
E: DEVTYPE=iio_device
E: SUBSYSTEM=iio
E: ACCEL_MOUNT_MATRIX=-1, 0, 0; 0, -1, 0; 0, 0, -1
A: name=kxcjk1013\\n
A: in_accel_x_raw=0\\n
A: in_accel_y_raw=196\\n
A: in_accel_z_raw=0\\n
A: in_accel_scale=0.05\\n
A: label=accel-display\\n
"""
# Seconds in which the daemon must report a hanging read: its timeout is 5 s.
NOTICED = 15.0


class Testbed:
    """umockdev, with the daemon in it."""

    def __init__(self, environment: Environment) -> None:
        if not shutil.which("umockdev-wrapper"):
            raise Skipped("umockdev-wrapper: not found")
        self.faults = environment.folder / "faults"
        self.faults.write_text("")
        self.process = subprocess.Popen(
            ["umockdev-wrapper", "/usr/bin/python3", str(TESTBED)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True, preexec_fn=lambda: become(DAEMON), cwd="/", env={"PATH": "/usr/bin:/bin"})
        if not self.process.stdout.readline():
            raise Skipped("cannot start umockdev")
        self.send("add", ACCELEROMETER)
        folder = environment.folder
        preloaded = ":".join(str(environment.natives[name]) for name in ("umockdev-signals.so", "faults.so"))
        command = f"LD_PRELOAD='{preloaded}':$LD_PRELOAD ORIENTATIOND_FAULTS='{self.faults}' " \
            f"SWIFT_BACKTRACE=enable=no exec '{environment.programs}/orientationd' --socket '{folder}/socket' " \
            f"--state-directory '{folder}' 2>>'{folder}/log'"
        self.daemon = Daemon.adopt(folder, self.process, int(self.send("run", "sh", "-c", command)))

    def send(self, *words: str) -> str:
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def hang(self) -> None:
        self.faults.write_text("read /in_accel_x_raw 0\n")

    def recover(self) -> None:
        self.faults.write_text("")

    def end(self) -> str:
        self.recover()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.daemon.pid, 15)
        end = time.monotonic() + SETTLE
        while (alive := self.daemon.is_running) and time.monotonic() < end:
            time.sleep(0.05)
        if alive:
            os.kill(self.daemon.pid, 9)
        with contextlib.suppress(OSError):
            self.send("quit")
        self.process.wait(SETTLE)
        return f"the daemon did not end within {SETTLE:.0f} s of SIGTERM" if alive else ""


@contextlib.contextmanager
def polled(environment: Environment) -> Iterator[Daemon]:
    """A daemon with a polled accelerometer."""
    testbed = Testbed(environment)
    try:
        yield testbed.daemon
    finally:
        ended = testbed.end()
        environment.expect(not ended, ended)


@contextlib.contextmanager
def hanging(environment: Environment) -> Iterator[Daemon]:
    """A daemon that has reported a hanging read."""
    testbed = Testbed(environment)
    try:
        with varlink.Client(testbed.daemon.path) as client:
            client.monitor()
            testbed.hang()
            end = time.monotonic() + NOTICED
            client.limit(NOTICED)
            while "no response" not in client.receive()["state"].get("reason", "") and time.monotonic() < end:
                pass
            yield testbed.daemon
    finally:
        ended = testbed.end()
        environment.expect(not ended, ended)
