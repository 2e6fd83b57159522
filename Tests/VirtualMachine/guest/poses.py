# SPDX-License-Identifier: Apache-2.0
"""The six orientations that a device can be held in, as specific force in m/s²."""

from collections.abc import Callable

from proof import Unproven
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
    """Turns a device from pose to pose; raises Unproven where one is not told of."""
    for orientation, force in POSES.items():
        hold(*force)
        try:
            watcher.wait_for(orientation)
        except Unproven as complaint:
            raise Unproven(f"held at {force}: {complaint}") from complaint
    return f"{len(POSES)} of {len(POSES)}"
