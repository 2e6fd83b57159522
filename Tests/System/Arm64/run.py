#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the programs of the packages for arm64 under qemu-aarch64-static.

    run.py PACKAGE ROOT    PACKAGE is that of the daemon, beside that of the agent; ROOT is the directory with the libraries of
                           arm64

Prints a line for each test; exit status 1 if one failed. Needs the Python package varlink."""

import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
QEMU = "qemu-aarch64-static"
# The timeout of a step in seconds, for emulation on a busy machine.
TIMEOUT = 120
# The samples per second of the recordings.
RATE = 25

POSES = {
    "portrait": (0.0, 9.81, 0.0), "landscapeLeft": (9.81, 0.0, 0.0), "portraitUpsideDown": (0.0, -9.81, 0.0),
    "landscapeRight": (-9.81, 0.0, 0.0), "faceUp": (0.0, 0.0, 9.81), "faceDown": (0.0, 0.0, -9.81),
}


class Failure(Exception):
    """A test failed."""


def expect(condition: object, message: str) -> None:
    if not condition:
        raise Failure(message)


class Bench:
    """The unpacked packages, and a directory for the tests."""

    def __init__(self, package: Path, root: Path, place: Path) -> None:
        self.root, self.place = root, place
        self.contents = place / "contents"
        agent = package.with_name(package.name.replace("orientationd_", "orientation-autorotate_"))
        for unpacked in (package, agent):
            subprocess.run(["dpkg-deb", "--extract", unpacked, self.contents], check=True)
        self.poses = place / "poses.csv"
        # All poses, two seconds each.
        samples = (pose for pose in POSES.values() for _ in range(2 * RATE))
        lines = (f"{number / RATE},{x},{y},{z}\n" for number, (x, y, z) in enumerate(samples))
        self.poses.write_text("".join(lines))

    def command(self, program: str, *arguments: object) -> list[str]:
        """Return the command of a program of the package."""
        (file,) = self.contents.glob(f"usr/*bin/{program}")
        return [QEMU, "-L", str(self.root), str(file), *map(str, arguments)]

    def run(self, program: str, *arguments: object) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            self.command(program, *arguments), stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT, check=False)


def versions(bench: Bench) -> str:
    """each program prints its version"""
    seen = set()
    for program in ("orientationd", "orientationctl", "orientation-autorotate"):
        done = bench.run(program, "--version")
        expect(done.returncode == 0, f"{program}: {done.stderr.decode()}")
        seen.add(done.stdout.decode().split()[-1])
    expect(len(seen) == 1, f"different versions: {seen}")
    return seen.pop()


def first_orientations(command: list[str], read: Callable[[str], str | None]) -> list[str]:
    """Run a client until it has printed all poses, and return them in the order of their first lines."""
    seen: dict[str, None] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as client:
        # A client that prints nothing must not block the test.
        timeout = threading.Timer(TIMEOUT, client.kill)
        timeout.start()
        try:
            for line in client.stdout:
                if (orientation := read(line)) in POSES:
                    seen[orientation] = None
                if len(seen) == len(POSES):
                    break
        finally:
            timeout.cancel()
            client.kill()
    return list(seen)


def through_the_socket(bench: Bench) -> str:
    """six poses of a recording, through the socket to orientationctl and a Python client"""
    path, log = bench.place / "socket", bench.place / "orientationd.log"
    with open(log, "wb") as errors:
        daemon = subprocess.Popen(
            bench.command("orientationd", "--sensor", f"replay:{bench.poses}?speed=1&loop=1", "--socket", path),
            stdin=subprocess.DEVNULL, stderr=errors)
    try:
        end = time.monotonic() + TIMEOUT
        while not path.exists():
            expect(daemon.poll() is None and time.monotonic() < end, f"no socket: {log.read_text()}")
            time.sleep(0.1)
        clients = {
            "orientationctl watch": (
                bench.command("orientationctl", "watch", "--json", "--socket", path),
                lambda line: json.loads(line).get("orientation")),
            "Python": (
                [sys.executable, str(REPOSITORY / "Examples/clients/follow_varlink.py"), str(path)], lambda line: line.strip()),
        }
        for name, (command, read) in clients.items():
            seen = first_orientations(command, read)
            expect(len(seen) == len(POSES), f"{name} received {', '.join(seen) or 'nothing'}: {log.read_text()[-500:]}")
        done = bench.run("orientationctl", "doctor", "--json", "--timeout", 60, "--socket", path)
        findings = json.loads(done.stdout)
        expect(done.returncode in (0, 2) and findings, f"doctor: status {done.returncode}: {done.stderr.decode()}")
    finally:
        daemon.terminate()
        status = daemon.wait(TIMEOUT)
    expect(status == 0, f"the daemon ended with status {status}: {log.read_text()[-500:]}")
    return f"{len(POSES)} of {len(POSES)} each; doctor: {findings.get('problems')} problems on this machine"


TESTS = [versions, through_the_socket]


def main(package: Path, root: Path) -> int:
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        bench = Bench(package, root, Path(place))
        for test in TESTS:
            began = time.monotonic()
            try:
                result = test(bench)
            except (Failure, subprocess.SubprocessError, ValueError) as error:
                result = f"FAILED  {error}"
                failed += 1
            print(f"{test.__doc__}: {result}  {time.monotonic() - began:.1f} s", flush=True)
    print(f"{failed} FAILED" if failed else "all tests passed")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*map(Path, sys.argv[1:])))
