# SPDX-License-Identifier: Apache-2.0
"""The agent in a session, on any panel: its user service, a touch screen added later, and a real hinge switch."""

import json
from pathlib import Path

from harness import eventually, expect, run, test
from hinge import Hinge
from hub import Hub
from panels import FORCES, edge_up, install_agent, tap_corners
from sessions import RUNTIME, Agent, Sway, Xorg
from touch import TouchScreen


@test("remedy startAgent: a session with graphical-session.target")
def user_service() -> str:
    """The doctor's command enables and starts the user service, and the display turns."""
    install_agent()
    hub, unit = Hub(), Path("/run/systemd/user/test-session.target")
    try:
        hub.hold(*FORCES["top"])
        with Sway() as session:
            run("systemctl", "start", "user@0.service")
            environment = session.environment | {
                "XDG_RUNTIME_DIR": "/run/user/0", "WAYLAND_DISPLAY": f"{RUNTIME}/{session.environment['WAYLAND_DISPLAY']}"}
            unit.parent.mkdir(parents=True, exist_ok=True)
            # The target cannot be started by itself.
            unit.write_text("[Unit]\nBindsTo=graphical-session.target\nBefore=graphical-session.target\n")
            for command in (["daemon-reload"], ["import-environment", "WAYLAND_DISPLAY", "SWAYSOCK"], ["start", unit.name]):
                run("systemctl", "--user", *command, env=environment)
            found = json.loads(run("orientationctl", "doctor", "--json", env=environment, check=False))["findings"]
            fix = next(finding["fix"] for finding in found if finding["check"] == "display")
            expect("systemctl --user" in fix, fix)
            run("sh", "-c", fix, env=environment)
            hub.hold(*FORCES["left"])
            session.turns("left", session.input)
            run("systemctl", "--user", "disable", "--now", "orientation-autorotate", env=environment)
    finally:
        unit.unlink(missing_ok=True)
        run("systemctl", "stop", "user@0.service", check=False)
        hub.unplug()
    return fix


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
                eventually("the agent's laptop mode", lambda: "not in tablet mode" in run(
                    "orientation-autorotate", "--list", user=session.USER, env=session.environment, check=False))
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
