# SPDX-License-Identifier: Apache-2.0
"""The panel of a session, its corners, and the agent's package."""

import math
import time
from collections.abc import Callable
from pathlib import Path

from harness import eventually, run
from sessions import Session
from touch import TouchScreen

# The specific force in m/s² while an edge of the panel is up.
FORCES = {"top": (0, 9.8, 0), "left": (-9.8, 0, 0), "bottom": (0, -9.8, 0), "right": (9.8, 0, 0)}

# The corners of the panel, a little inside.
CORNERS = [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)]

# The place in the picture that is at a place of the panel, by the edge that is up. With the left edge up, the top of the
# picture is at the left edge.
PICTURE: dict[str, Callable[[float, float], tuple[float, float]]] = {
    "top": lambda x, y: (x, y), "left": lambda x, y: (1 - y, x), "bottom": lambda x, y: (1 - x, 1 - y),
    "right": lambda x, y: (y, 1 - x),
}

# The greatest distance between the expected and the received place, as a part of the picture's size.
TOLERANCE = 0.01

# The touch screen follows the output within this time in seconds, in an emulated guest.
FOLLOWS = 10.0


def install_agent() -> None:
    if not Path("/usr/bin/orientation-autorotate").exists():
        run("apt-get", "install", "--yes", "/vm/orientation-autorotate.deb")


def panel_size() -> tuple[int, int]:
    """Return the size of the panel in pixels, from the kernel: sway starts with a rotation on a sideways panel."""
    modes = next(Path("/sys/class/drm").glob("card*-Virtual-1/modes")).read_text().split()
    width, height = modes[0].split("x")
    return int(width), int(height)


def edge_up(session: Session) -> str:
    """Return the edge for which the session's transform is right."""
    return next(edge for edge, transform in session.TRANSFORMS.items() if transform == session.transform())


def tap_corners(session: Session, touch: TouchScreen, edge: str) -> str:
    """Touch each corner of the panel, and return the places that stay wrong; empty if all are right."""
    width, height = session.size()
    wrong = []

    def place(corner: tuple[float, float]) -> tuple[float, float]:
        before = len(session.places())
        touch.tap(*corner)
        eventually(f"the touch at {corner} of the panel", lambda: len(session.places()) > before)
        x, y = session.places()[-1]
        return x / width, y / height

    end = time.monotonic() + FOLLOWS
    for corner in CORNERS:
        expected = PICTURE[edge](*corner)
        while math.dist(found := place(corner), expected) > TOLERANCE and time.monotonic() < end:
            pass
        if math.dist(found, expected) > TOLERANCE:
            wrong.append(f"{edge} up, touched at {corner}: ({found[0]:.2f}, {found[1]:.2f}) and not "
                         f"({expected[0]:.2f}, {expected[1]:.2f})")
    return "; ".join(wrong)
