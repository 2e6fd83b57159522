# SPDX-License-Identifier: Apache-2.0
"""Panels of each kind that turn with the device: sway and Xorg with a touch screen and a real sensor hub."""

from harness import eventually, expect, test
from hub import Hub
from panels import FORCES, edge_up, install_agent, panel_size, tap_corners
from sessions import Agent, Session, Sway, Xorg
from touch import TouchScreen


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
