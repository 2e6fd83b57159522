# SPDX-License-Identifier: Apache-2.0
"""Sessions that start the agent themselves: what the doctor prints goes into the configuration, and the next session starts
the agent."""

import json
import re
from collections.abc import Callable

import compositors
import idle
import session
from session import Failure

# Run in the session, with its environment.
DOCTOR = "orientationctl doctor --json >$HOME/doctor.json"
# The status of a second agent.
STATUS = 75


class Login:
    """A session with one output, which begins with the user's configuration."""

    environment = compositors.WLROOTS | {"WLR_HEADLESS_OUTPUTS": "1"}
    internal = other = "HEADLESS-1"

    def doctor(self) -> None:
        """Start the doctor as a program of the session."""


class Sway(Login, compositors.Sway):
    name = "autostart-sway"

    def command(self) -> list[str]:
        return ["sway"]

    def doctor(self) -> None:
        self.message("exec", DOCTOR)


class Labwc(Login, compositors.Labwc):
    name = "autostart-labwc"

    def command(self) -> list[str]:
        return ["labwc", "--startup", f"sh -c '{DOCTOR}'"]

    def prepare(self) -> None:
        compositors.Compositor.prepare(self)


class X11(Login, compositors.X11):
    name = "autostart-x11"
    internal = "default"
    manager = "openbox-session"

    def doctor(self) -> None:
        self.room.run(["sh", "-c", DOCTOR])


ALL: list[type[Login]] = [Sway, Labwc, X11]


class Session:
    """The daemon, and a session without the agent."""

    def __init__(self, room: session.Room, kind: type[Login]) -> None:
        self.room = room
        self.kind = kind
        room.start(["orientationd", "--sensor", "fake:", "--natural-orientation", "portrait", "--socket",
                    f"{room.directory}/orientationd.sock", "--state-directory", f"{room.directory}/state"], "orientationd.log")
        room.wait((room.outside / "orientationd.sock").is_socket, "orientationd")
        room.run(["mkdir", "-p", f"{room.directory}/.config/sway", f"{room.directory}/.config/labwc"], check=True)
        room.write(".config/sway/config", "output * resolution 1280x800\n")
        self.login()

    def login(self) -> None:
        self.compositor = self.kind(self.room)

    def logout(self) -> None:
        """End the compositor and its programs; the daemon remains."""
        for process in self.room.processes[1:]:
            if process.poll() is None:
                self.room.end(process)
        self.room.environment.pop("WAYLAND_DISPLAY", None)
        for path in [*self.room.outside.glob("wayland-*"), *self.room.outside.glob("sway-ipc.*"),
                     *(self.room.root / "tmp/.X11-unix").glob("X7?")]:
            path.unlink()

    def failed(self) -> None:
        """Clean up after a test that failed."""

    def remedy(self) -> tuple[str, str]:
        """Return what the doctor prints about the display: the detail and the command."""
        self.compositor.doctor()
        self.room.wait(lambda: self.room.read("doctor.json").endswith("}\n"), "the doctor")
        findings = json.loads(self.room.read("doctor.json"))["findings"]
        display = next(finding for finding in findings if finding["check"] == "display")
        if not display["summary"].startswith("no program rotates"):
            raise Failure(f"{display}")
        return display["detail"], display["fix"]


def login(it: Session) -> None:
    """what the doctor prints starts the agent at the next login, and the agent turns the display"""
    detail, fix = it.remedy()
    if match := re.search(r"; for each login: add '(.*)' to ~/([^;]*);", detail):
        line, file = match.groups()
        it.room.write(file, it.room.read(file) + line + "\n")
    else:
        # A command that starts the agent now, too.
        command = it.room.start(["sh", "-c", fix], "fix.log")
        if it.room.wait_for_exit(command, fix) != 0:
            raise Failure(f"{fix}: {it.room.read('fix.log')}")
        turn(it, "landscapeRight", "90")
    it.logout()
    it.login()
    turn(it, "landscapeLeft", "270")


def turn(it: Session, pose: str, transform: str) -> None:
    """Turn the device, and wait for the output."""
    it.room.tool("simulate", "turn", pose, check=True)
    it.room.wait(
        lambda: it.compositor.outputs().get(it.kind.internal) is not None
        and it.compositor.outputs()[it.kind.internal].transform == transform, f"{transform}: {it.compositor.outputs()}")


def second_agent(it: Session) -> None:
    """another agent, as the user service would start it, exits, and the first one goes on"""
    result = it.room.run(["orientation-autorotate"])
    if result.returncode != STATUS or "another orientation-autorotate" not in result.stderr:
        raise Failure(f"exit status {result.returncode}: {result.stderr}")
    turn(it, "landscapeRight", "90")


def doctor_after(it: Session) -> None:
    """the doctor finds the agent"""
    findings = json.loads(it.room.run(["orientationctl", "doctor", "--all", "--json"]).stdout)["findings"]
    display = next(finding for finding in findings if finding["check"] == "display")
    if display["level"] != "ok" or "orientation-autorotate (process" not in display["summary"]:
        raise Failure(f"{display}")


def screen_off(it: Session) -> None:
    """the screen is turned off, and on while turned: the sensor stops meanwhile"""
    if not it.compositor.reports_power:
        return
    turn(it, "portrait", "normal")
    it.compositor.set_power(False)
    idle.expect_sensor_off(it.room, "the screen is off")
    it.compositor.set_power(True)
    turn(it, "landscapeRight", "90")


TESTS: list[Callable[[Session], None]] = [login, second_agent, doctor_after, screen_off]
