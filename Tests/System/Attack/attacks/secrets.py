# SPDX-License-Identifier: Apache-2.0
"""Attempts to read or change more than the user's permissions allow."""

import contextlib
import os
import time
from collections.abc import Iterator

import varlink
from attack import FAILS, Attack, Environment, Target
from daemon import Daemon
from users import ATTACKER

# The resolution for an untrusted user: steps of tilt and disturbance, changes per second.
TILT, DISTURBANCE, RATE = 5.0, 0.5, 1.0


def spy(target: Target) -> str:
    """Poll the state at full speed to reconstruct the motion."""
    start, seen, changes = time.monotonic(), set(), set()
    with contextlib.suppress(*FAILS), target.connect() as client:
        for _ in target.attempts():
            state = client.call(varlink.GET)["state"]
            seen.add((state.get("tilt"), state.get("disturbance")))
            changes.add((state["sequence"], state["timestamp"]))
    seconds = time.monotonic() - start
    for tilt, disturbance in seen:
        for value, step in ((tilt, TILT), (disturbance, DISTURBANCE)):
            assert value is None or abs(value / step - round(value / step)) < 1e-9, f"{value} is finer than {step}"
    # One at the start, and one for each started second.
    assert len(seen) <= seconds * RATE + 2, f"{len(seen)} different measurements in {seconds:.1f} s"
    # The time is that of the last change, which every client may know.
    sequences = {sequence for sequence, _ in changes}
    assert len(changes) == len(sequences), f"{len(changes)} different times of {len(sequences)} changes"
    return f"at most {TILT:.0f} degrees, {DISTURBANCE} m/s2 and {RATE:.0f} measurement a second are seen"


@contextlib.contextmanager
def in_a_shared_folder(environment: Environment) -> Iterator[Daemon]:
    """Start root's daemon in a directory that other users may write to: between bind and chmod one of them could replace the
    socket with a link to one of root's files. It must refuse, unless the directory has the sticky bit, as /tmp does."""
    for mode, is_safe in ((0o777, False), (0o775, False), (0o1777, True)):
        folder = environment.folder / f"{mode:o}"
        folder.mkdir()
        os.chown(folder, 0, ATTACKER)
        folder.chmod(mode)
        try:
            Daemon(environment.programs, folder, user=0, seconds=5).end()
            environment.expect(is_safe, f"root's daemon listens in a directory with mode {mode:o}")
        except RuntimeError as error:
            environment.expect(not is_safe, str(error))
    daemon = Daemon(environment.programs, environment.folder)
    try:
        yield daemon
    finally:
        ended = daemon.end()
        environment.expect(not ended, ended)


def nothing(target: Target) -> None:
    """Do nothing: the attack targets the start of the daemon."""


ROWS = [
    Attack("motion through the state", spy),
    Attack("the socket in a shared directory", nothing, stage=in_a_shared_folder, seconds=0.2),
]
