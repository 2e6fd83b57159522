# SPDX-License-Identifier: Apache-2.0
"""The six poses of a device, as specific force in m/s²."""

from collections.abc import Callable

from harness import TestFailure
from varlink import Watcher

POSES = {
    "portrait": (0.0, 9.8, 0.0),
    "landscapeLeft": (9.8, 0.0, 0.0),
    "portraitUpsideDown": (0.0, -9.8, 0.0),
    "landscapeRight": (-9.8, 0.0, 0.0),
    "faceUp": (0.0, 0.0, 9.8),
    "faceDown": (0.0, 0.0, -9.8),
}


def go_through(watcher: Watcher, hold: Callable[[float, float, float], None]) -> str:
    """Turn a device through all poses; raise TestFailure if a pose is not received."""
    for orientation, force in POSES.items():
        hold(*force)
        try:
            watcher.wait_for(orientation)
        except TestFailure as failure:
            raise TestFailure(f"held at {force}: {failure}") from failure
    return f"{len(POSES)} of {len(POSES)}"
