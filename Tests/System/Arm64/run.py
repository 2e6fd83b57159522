#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the programs of the packages for arm64 under qemu-aarch64-static.

    run.py PACKAGE ROOT TOOL [RECORDING...]    PACKAGE is that of the daemon, beside that of the agent; ROOT is the directory with
                                               the libraries of arm64, TOOL this machine's orientationctl; the recordings are
                                               compared in addition to those made here

Prints a line for each test; exit status 1 if one failed. Needs the Python package varlink."""

import collections
import json
import math
import os
import random
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
# The classifiers and formats that are compared.
WAYS = [("--classifier", name, *form) for name in ("standard", "calm", "quick") for form in ((), ("--json",))]


class Failure(Exception):
    """A test failed."""


def expect(condition: object, message: str) -> None:
    if not condition:
        raise Failure(message)


def held(scale: float = 1.0) -> list[tuple[float, float, float]]:
    """Return samples of all poses, two seconds each."""
    return [tuple(scale * value for value in pose) for pose in POSES.values() for _ in range(2 * RATE)]


def moved(seed: int, noise: float) -> list[tuple[float, float, float]]:
    """Return samples of a device that turns about changing axes with changing speed for two minutes, with noise."""
    chance = random.Random(seed)
    x, y, z = 0.0, 9.81, 0.0
    samples = []
    for _ in range(120):
        speed, rests = chance.choice([0.0, 0.0, 0.5, 2.0, 6.0]), chance.randrange(3)
        for _ in range(RATE):
            cosine, sine = math.cos(speed / RATE), math.sin(speed / RATE)
            if rests == 0:
                x, y = cosine * x - sine * y, sine * x + cosine * y
            elif rests == 1:
                y, z = cosine * y - sine * z, sine * y + cosine * z
            else:
                z, x = cosine * z - sine * x, sine * z + cosine * x
            samples.append(tuple(value + chance.gauss(0, noise) for value in (x, y, z)))
    return samples


def write(file: Path, samples: list[tuple[float, float, float]]) -> Path:
    lines = (f"{number / RATE},{x!r},{y!r},{z!r}\n" for number, (x, y, z) in enumerate(samples))
    file.write_text("".join(lines))
    return file


class Bench:
    """The unpacked packages, and a directory for the tests."""

    def __init__(self, package: Path, root: Path, tool: Path, recordings: list[Path], place: Path) -> None:
        self.package, self.root, self.tool, self.place = package, root, tool, place
        self.contents = place / "contents"
        agent = package.with_name(package.name.replace("orientationd_", "orientation-autorotate_"))
        for unpacked in (package, agent):
            subprocess.run(["dpkg-deb", "--extract", unpacked, self.contents], check=True)
        self.poses = write(place / "poses.csv", held())
        self.recordings = [
            self.poses, write(place / "in-g.csv", held(1 / 9.80665)), write(place / "wrong-scale.csv", held(0.51)),
            *(write(place / f"moved-{seed}.csv", moved(seed, noise)) for seed, noise in enumerate([0, 0.05, 0.5, 3])),
            *recordings,
        ]

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


def same_bytes(bench: Bench) -> str:
    """orientationctl classify prints the same bytes as on this machine"""
    size, changes = 0, collections.Counter()
    for recording in bench.recordings:
        for way in WAYS:
            there = bench.run("orientationctl", "classify", *way, recording)
            here = subprocess.run(
                [bench.tool, "classify", *way, recording], stdin=subprocess.DEVNULL, capture_output=True, check=False)
            expect(
                here.returncode == 0 and here.stdout,
                f"{recording.name}, {' '.join(way)}: this machine's orientationctl: status {here.returncode}, {len(here.stdout)} "
                f"bytes: {here.stderr.decode(errors='replace')[-500:]}")
            expect(
                (there.returncode, there.stdout) == (here.returncode, here.stdout),
                f"{recording.name}, {' '.join(way)}: status {there.returncode} and {here.returncode}; first difference in byte "
                f"{len(os.path.commonprefix([there.stdout, here.stdout]))} of {len(here.stdout)}")
            size += len(here.stdout)
            changes[recording] += len(here.stdout.splitlines())
    expect(changes[bench.poses] >= len(POSES) * len(WAYS), "too few changes of the poses")
    return f"{len(bench.recordings)} recordings in {len(WAYS)} ways, {size} bytes"


TESTS = [versions, through_the_socket, same_bytes]


def main(package: Path, root: Path, tool: Path, recordings: list[Path]) -> int:
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        bench = Bench(package, root, tool, recordings, Path(place))
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
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(*map(Path, sys.argv[1:4]), [Path(name) for name in sys.argv[4:]]))
