# SPDX-License-Identifier: Apache-2.0
"""Attempts to read more than the user's permissions allow."""

import contextlib
import time

import varlink
from attack import FAILS, Attack, Target

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


ROWS = [Attack("motion through the state", spy)]
