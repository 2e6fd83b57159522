# SPDX-License-Identifier: Apache-2.0
"""Desktops that rotate the display themselves, by the package orientationd-sensorproxy."""

from harness import eventually, expect, run, test
from hinge import Hinge
from hub import Hub
from panels import FORCES, install_agent
from sessions import Desktop, KWin, Mutter
from touch import TouchScreen

REFUSAL = "orientationd: cannot hold the orientation: permission denied: requires an active session of logind at this machine"


def follows(desktop: Desktop) -> str:
    """Turn an upright tablet, hold landscape, and show another terminal meanwhile."""
    install_agent()
    run("apt-get", "install", "--yes", "/vm/orientationd-sensorproxy.deb")
    hub, hinge, touch = Hub(), Hinge(), TouchScreen()
    try:
        with desktop:
            def fold_and_turn(edge: str) -> None:
                eventually(f"{hinge.path} in {desktop.name}", lambda: desktop.reads(hinge.path))
                # KWin forgets tablet mode with the terminal, until the switch changes.
                hinge.fold(False)
                hinge.fold(True)
                desktop.turns(edge, desktop.input)

            hub.hold(*FORCES["bottom"])
            fold_and_turn("bottom")
            for edge in ["left", "right", "top"]:
                hub.hold(*FORCES[edge])
                desktop.turns(edge, desktop.input)

            log = desktop.start("hold", "orientationctl", "hold", "--landscape", "--", "sleep", "infinity", user=desktop.USER)
            program = desktop.programs[-1]
            desktop.turns("left", log)
            elsewhere = {**desktop.environment, "XDG_RUNTIME_DIR": "/nonexistent"}
            message = run("orientationctl", "hold", "--portrait", "--", "true", user="games", env=elsewhere)
            expect(REFUSAL in message, f"to another user: {message}")

            desktop.show(desktop.OTHER_TERMINAL)
            eventually("a suspended hold", lambda: "The hold is suspended" in desktop.ask("orientationctl", "display"))
            hub.hold(*FORCES["bottom"])
            eventually("a suspended desktop", lambda: not desktop.reads(hinge.path))
            desktop.show(desktop.TERMINAL)
            fold_and_turn("right")
            program.kill()
            desktop.turns("bottom", log)
    finally:
        touch.remove()
        hinge.remove()
        hub.unplug()
    return "four poses; a hold turns it, not that of a user without a session; suspended behind another terminal; killed: back"


@test("KWin turns, and holds reach it")
def kwin() -> str:
    return follows(KWin())


@test("mutter turns, and holds reach it")
def mutter() -> str:
    return follows(Mutter())
