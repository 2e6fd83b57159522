# SPDX-License-Identifier: Apache-2.0
"""phosh, which rotates the display itself: it follows the daemon as a client of the SensorProxy service, without the agent.
Programs hold orientations through the daemon."""

import contextlib
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import session
from compositors import WLROOTS, Phoc
from session import Failure

NAME = "phosh"
# The transform that draws the picture upright in each pose of a device with a tall panel.
POSES = {"landscapeRight": "90", "portraitUpsideDown": "180", "landscapeLeft": "270", "portrait": "normal"}
# Seconds in which a transform must not change.
KEPT = 1.0
LOCK = ("org.gnome.settings-daemon.peripherals.touchscreen", "orientation-lock")


class Phosh(Phoc):
    """phoc with a single output and phosh in it, unlocked."""

    name = NAME
    # phosh rotates a built-in panel only: with this value it takes the output HEADLESS-1 for one.
    environment = WLROOTS | {"WLR_HEADLESS_OUTPUTS": "1", "PHOSH_DEBUG": "fake-builtin", "GTK_A11Y": "none",
                             "G_MESSAGES_DEBUG": "phosh-rotation-manager"}

    def command(self) -> list[str]:
        return ["phoc", "--shell", "--exec", "/usr/libexec/phosh --unlocked"]

    def prepare(self) -> None:
        self.room.wait(lambda: self.internal in self.outputs(), "the output of phoc")


class Service:
    """A system bus, and the daemon with a simulated sensor, which serves desktops on it."""

    def __init__(self, room: session.Room) -> None:
        self.room = room
        self.start_bus("system")
        self.write_session()
        self.daemon = self.start_daemon()

    def start_bus(self, kind: str) -> None:
        address = f"unix:path={self.room.directory}/{kind}-bus"
        self.room.environment[f"DBUS_{kind.upper()}_BUS_ADDRESS"] = address
        # Other users may connect, too.
        (self.room.outside / "bus.conf").write_text(
            "<busconfig><include>/usr/share/dbus-1/session.conf</include>"
            '<policy context="mandatory"><allow user="*"/></policy></busconfig>')
        self.room.start(["dbus-daemon", f"--config-file={self.room.directory}/bus.conf", "--nofork",
                         f"--address={address}"], f"{kind}-bus.log")
        self.room.wait((self.room.outside / f"{kind}-bus").is_socket, f"the {kind} bus")

    def start_daemon(self) -> subprocess.Popen[bytes]:
        process = self.room.start(
            ["orientationd", "--dbus", "--sensor", "fake:", "--natural-orientation", "portrait", "--socket",
             f"{self.room.directory}/orientationd.sock", "--state-directory", f"{self.room.directory}/state"],
            "orientationd.log")
        self.room.wait(lambda: self.room.tool("status").returncode == 0, "orientationd")
        self.turn("portrait")
        return process

    def write_session(self) -> None:
        """Write root's active session as logind does, which does not run here."""
        folder = self.room.root / "run/systemd/users"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "0").write_text("STATE=active\nSEATS=seat0\nACTIVE_SEATS=seat0\n")
        seats = self.room.root / "run/systemd/seats"
        seats.mkdir(parents=True, exist_ok=True)
        (seats / "seat0").write_text("ACTIVE_UID=0\nUIDS=0\n")

    @contextlib.contextmanager
    def held(self, *words: str) -> Iterator[None]:
        """Hold orientations; the program is killed at the end."""
        (self.room.outside / "hold.log").unlink(missing_ok=True)
        program = self.room.start(["orientationctl", "hold", *words, "--", "sleep", "600"], "hold.log")
        try:
            self.room.wait(lambda: "holds" in self.room.read("hold.log"), "the message of hold")
            yield
        finally:
            self.room.end(program, signal.SIGKILL)

    def expect_reason(self, text: str) -> None:
        """Wait for a text in the explanation of `orientationctl display`."""
        self.room.wait(lambda: text in self.room.run(["orientationctl", "display"]).stdout, f"'{text}' in orientationctl display")

    @property
    def is_claimed(self) -> bool:
        """Whether the sensor runs; no other client uses it."""
        status = Path(f"/proc/{self.daemon.pid}/status").read_text()
        return any(line.split() == ["Threads:", "2"] for line in status.splitlines())

    def turn(self, pose: str) -> None:
        self.room.tool("simulate", "turn", pose, check=True)


class Session(Service):
    """The service, a session bus, and phosh."""

    def __init__(self, room: session.Room, pictures: Path) -> None:
        self.pictures = pictures
        super().__init__(room)
        self.start_bus("session")
        room.environment["XDG_CURRENT_DESKTOP"] = "Phosh:GNOME"
        # The settings are in a file, which phosh watches.
        room.environment["GSETTINGS_BACKEND"] = "keyfile"
        self.set_lock(False)
        self.compositor = Phosh(room)
        room.wait(lambda: self.is_claimed, "the claim of phosh")

    def failed(self) -> None:
        """Clean up after a test that failed."""
        self.set_lock(False)

    def set_lock(self, is_locked: bool) -> None:
        self.room.run(["gsettings", "set", *LOCK, str(is_locked).lower()], check=True)

    def transform(self) -> str:
        return self.compositor.outputs()[self.compositor.internal].transform

    def expect(self, transform: str, what: str) -> None:
        try:
            self.room.wait(lambda: self.transform() == transform, "")
        except Failure:
            raise Failure(f"{what}: has {self.transform()} instead of {transform}") from None

    def expect_kept(self, what: str) -> None:
        before = self.transform()
        end = time.monotonic() + KEPT
        while time.monotonic() < end:
            if self.transform() != before:
                raise Failure(f"{what}: has {self.transform()} instead of {before}")


def poses(it: Session) -> None:
    """phosh turns the output in four poses"""
    for pose, transform in POSES.items():
        it.turn(pose)
        it.expect(transform, pose)
        path = f"{it.room.directory}/{pose}.png"
        it.room.run(["grim", path], check=True)
        (it.pictures / f"{NAME}-{pose}.png").write_bytes((it.room.outside / f"{pose}.png").read_bytes())


def lock(it: Session) -> None:
    """the rotation lock of phosh stops the sensor"""
    it.turn("portrait")
    it.expect("normal", "portrait")
    it.set_lock(True)
    it.room.wait(lambda: not it.is_claimed, "the end of the claim")
    it.turn("landscapeRight")
    it.expect_kept("locked")
    it.set_lock(False)
    it.expect("90", "unlocked")


def daemon_restart(it: Session) -> None:
    """the daemon killed and started again is claimed again"""
    it.room.end(it.daemon, signal.SIGKILL)
    it.expect_kept("without a daemon")
    it.daemon = it.start_daemon()
    it.room.wait(lambda: it.is_claimed, "the claim of phosh")
    for pose in ("landscapeLeft", "portrait"):
        it.turn(pose)
        it.expect(POSES[pose], pose)


def hold(it: Session) -> None:
    """a program that holds landscape turns the upright display, and killed it turns back; others see the device"""
    it.turn("portrait")
    it.expect("normal", "portrait")
    with it.held("--landscape"):
        it.expect("90", "held")
        it.expect_reason("receives landscape-secondary instead of portrait-primary")
        if "portrait" not in it.room.tool("status", check=True).stdout:
            raise Failure("orientationctl status does not have the pose of the device")
        it.turn("landscapeLeft")
        it.expect("270", "turned to an allowed edge")
        with it.held("--orientations", "portrait-secondary"):
            it.expect("180", "held by a second program")
        it.expect("270", "after the second program")
        it.turn("portrait")
        it.expect("90", "turned back")
    it.expect("normal", "killed")


def hold_locked(it: Session) -> None:
    """the rotation lock of phosh is stronger than a hold, which says so"""
    it.turn("portrait")
    it.expect("normal", "portrait")
    it.set_lock(True)
    it.room.wait(lambda: not it.is_claimed, "the end of the claim")
    with it.held("--landscape"):
        it.expect_kept("locked")
        it.expect_reason("the desktop's rotation lock may be on")
        it.set_lock(False)
        it.expect("90", "unlocked")
    it.expect("normal", "killed")


TESTS: list[Callable[[Session], None]] = [
    poses, lock, daemon_restart, hold, hold_locked]
