# SPDX-License-Identifier: Apache-2.0
"""Processes with false names: any user can choose the process name, the arguments and the executable's name."""

import contextlib
import ctypes
import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

from attack import Attack, Environment, Target, plain
from daemon import Daemon
from users import ATTACKER

NAMES = ["iio-sensor-proxy", "sensorfwd", "orientationd"]
PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15
# The timeout of `orientationctl doctor` in seconds.
TIMEOUT = 20


def impostors(target: Target) -> None:
    """For each name, run an executable of that name, and this program with that process name."""
    folder, libc = Path(target.path).parent / "attacker", ctypes.CDLL(None)
    children = []
    for name in NAMES:
        for path in (str(folder / name), None):
            child = os.fork()
            if child == 0:
                libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
                if path:
                    os.execv(path, [name, "60"])
                libc.prctl(PR_SET_NAME, name.encode())
                signal.pause()
            children.append(child)
    (folder / "processes").write_text(json.dumps(children))
    for _ in target.attempts():
        signal.sigtimedwait([], max(target.left, 0))
    for child in children:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


@contextlib.contextmanager
def with_programs(environment: Environment) -> Iterator[Daemon]:
    """Create a directory of the attacker with its programs."""
    folder = environment.folder / "attacker"
    folder.mkdir()
    for name in NAMES:
        shutil.copy("/usr/bin/sleep", folder / name)
        os.chown(folder / name, ATTACKER, ATTACKER)
    os.chown(folder, ATTACKER, ATTACKER)
    with plain(environment) as daemon:
        yield daemon


def doctor_ignores_impostors(environment: Environment, daemon: Daemon) -> None:
    """Check that root's report names no impostor: a recommended command would affect it."""
    processes = json.loads((environment.folder / "attacker/processes").read_text())
    environment.expect(len(processes) == 2 * len(NAMES), "the impostors did not start")
    for words in (["doctor", "--all"], ["doctor", "--json"]):
        done = subprocess.run([environment.programs / "orientationctl", "--socket", daemon.path, *words], text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)
        environment.expect(done.returncode in (0, 2), f"doctor exited with {done.returncode}: {done.stderr[-200:]}")
        named = [number for number in processes if re.search(rf"[ (]{number}[);]", done.stdout)]
        environment.expect(not named, f"{' '.join(words)} names an attacker's process: {named}")
        environment.expect("iio-sensor-proxy is not running" in done.stdout, f"{' '.join(words)} takes an impostor for a service")


ROWS = [Attack("names of processes", impostors, stage=with_programs, during=doctor_ignores_impostors)]
