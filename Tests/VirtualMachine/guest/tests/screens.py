# SPDX-License-Identifier: Apache-2.0
"""Displays that turn with the device: sway and Xorg with a touch screen, a real sensor hub and a real hinge switch."""

from collections.abc import Callable
from pathlib import Path

from harness import eventually, expect, run, test
from hinge import Hinge
from hub import Hub
from sessions import Agent, Session, Sway, Xorg
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
    """Touch each corner of the panel, and return the wrong places; empty if all are right."""
    width, height = session.size()
    wrong = []
    for corner in CORNERS:
        before = len(session.places())
        touch.tap(*corner)
        eventually(f"the touch at {corner} of the panel", lambda: len(session.places()) > before)
        x, y = session.places()[-1]
        expected = PICTURE[edge](*corner)
        if abs(x / width - expected[0]) > TOLERANCE or abs(y / height - expected[1]) > TOLERANCE:
            wrong.append(f"{edge} up, touched at {corner}: ({x / width:.2f}, {y / height:.2f}) and not "
                         f"({expected[0]:.2f}, {expected[1]:.2f})")
    return "; ".join(wrong)


def turn_and_touch(session: Session) -> str:
    """Turn the device through all poses, twice, and touch the corners in each."""
    install_agent()
    hub, touch = Hub(), TouchScreen()
    wrong = []
    try:
        hub.hold(*FORCES["top"])
        with session:
            width, height = panel_size()
            before = edge_up(session)
            with Agent(session, "--when", "always") as agent:
                for edge in [*FORCES, "top", "bottom", "left"]:
                    hub.hold(*FORCES[edge])
                    agent.turns(edge)
                    size = (height, width) if edge in ("left", "right") else (width, height)
                    expect(session.size() == size, f"{edge} up: {session.size()} and not {size}")
                    wrong.append(tap_corners(session, touch, edge))
            eventually("the rotation from before", lambda: session.transform() == session.TRANSFORMS[before])
            wrong.append(tap_corners(session, touch, before))
            places = len(session.places())
    finally:
        touch.remove()
        hub.unplug()
    expect(not any(wrong), "\n".join(filter(None, wrong)))
    return f"{width} x {height}, first with the {before} edge up; {places} touches at the right places"


@test("sway turns, and touches follow")
def sway() -> str:
    return turn_and_touch(Sway())


@test("Xorg turns, and touches follow")
def xorg() -> str:
    return turn_and_touch(Xorg())


@test("a touch screen added later follows")
def added() -> str:
    install_agent()
    hub, touch = Hub(), None
    try:
        hub.hold(*FORCES["left"])
        with Xorg() as session, Agent(session, "--when", "always") as agent:
            agent.turns("left")
            touch = TouchScreen()
            eventually("the matrix of the touch screen", lambda: "0.000000, -1.000000, 1.000000" in run(
                "xinput", "list-props", "touch screen", env=session.environment, check=False))
            wrong = tap_corners(session, touch, "left")
            expect(not wrong, wrong)
    finally:
        if touch:
            touch.remove()
        hub.unplug()
    return "mapped within the same session"


@test("the display turns in tablet mode only")
def folded() -> str:
    install_agent()
    hub, hinge = Hub(), Hinge()
    try:
        hub.hold(*FORCES["bottom"])
        hinge.fold(False)
        with Sway() as session:
            before = edge_up(session)
            with Agent(session) as agent:
                eventually("the agent's first message", agent.log.read_text)
                expect(edge_up(session) == before, f"as a laptop: {session.transform()}")
                hinge.fold(True)
                agent.turns("bottom")
                other = "right" if before == "left" else "left"
                hub.hold(*FORCES[other])
                agent.turns(other)
                hinge.fold(False)
                agent.turns(before)
    finally:
        hinge.remove()
        hub.unplug()
    return f"a real switch: {before} edge up as a laptop, turned as a tablet, restored"
