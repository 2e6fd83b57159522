# SPDX-License-Identifier: Apache-2.0
"""Two outputs of an X server, one of which turns with the device."""

import re

from harness import eventually, expect, run, test
from hub import Hub
from panels import FORCES, install_agent, tap_corners
from sessions import Agent, Xorg
from touch import TouchScreen

PANEL, MONITOR = "Virtual-1", "Virtual-2"


class Xorg2(Xorg):
    """Xorg with a monitor at the right side of the panel."""

    def __enter__(self) -> "Xorg2":
        super().__enter__()
        self.arrange("--output", PANEL, "--auto", "--pos", "0x0", "--output", MONITOR, "--auto", "--right-of", PANEL)
        eventually(lambda: f"the second output: {self.rectangles()}", lambda: MONITOR in self.rectangles())
        return self

    def arrange(self, *options: str) -> None:
        run("xrandr", *options, env=self.environment)

    def rectangles(self) -> dict[str, tuple[int, int, int, int, str]]:
        """Return the outputs that are on: width, height, x, y and rotation by name."""
        text = run("xrandr", "--query", env=self.environment, check=False)
        found = re.findall(
            r"^(\S+) connected (?:primary )?(\d+)x(\d+)\+(\d+)\+(\d+) (?:(left|inverted|right) )?\(", text, re.MULTILINE)
        return {name: (int(width), int(height), int(x), int(y), rotation or "normal")
                for name, width, height, x, y, rotation in found}

    def line(self) -> str:
        lines = run("xrandr", "--query", env=self.environment, check=False).splitlines()
        return next((line for line in lines if line.startswith(f"{PANEL} connected") and "+0+0" in line), "")


@test("Xorg turns one of two outputs")
def two() -> str:
    install_agent()
    hub, touch = Hub(), TouchScreen()
    seen, wrong = [], []
    try:
        hub.hold(*FORCES["top"])
        with Xorg2() as session:
            before = session.rectangles()
            width, height, *_ = before[PANEL]
            monitor = before[MONITOR]
            expect(monitor[2] == width, f"side by side: {before}")
            with Agent(session, "--when", "always", "--output", PANEL) as agent:
                for edge in [*FORCES, "top", "left"]:
                    hub.hold(*FORCES[edge])
                    agent.turns(edge)
                    right = height if edge in ("left", "right") else width
                    expected = (*monitor[:2], right, *monitor[3:])
                    eventually(lambda: f"{MONITOR} at {right}, {edge} up: {session.rectangles()}",
                               lambda: session.rectangles().get(MONITOR) == expected)
                    seen.append(f"{edge} {right}")
                    wrong.append(tap_corners(session, touch, edge))
                session.arrange("--output", MONITOR, "--off")
                hub.hold(*FORCES["bottom"])
                agent.turns("bottom")
                session.arrange("--output", MONITOR, "--auto", "--right-of", PANEL)
                hub.hold(*FORCES["right"])
                agent.turns("right")
                eventually(lambda: f"{MONITOR} beside the panel: {session.rectangles()}",
                           lambda: session.rectangles().get(MONITOR, (0, 0, 0))[2] == height)
            eventually(lambda: f"the layout from before: {session.rectangles()}",
                       lambda: session.rectangles()[PANEL] == before[PANEL])
    finally:
        touch.remove()
        hub.unplug()
    expect(not any(wrong), "\n".join(filter(None, wrong)))
    return f"{PANEL} {width} x {height}; {MONITOR} at its right side: {', '.join(seen)}"
