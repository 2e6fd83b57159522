# SPDX-License-Identifier: Apache-2.0
"""phosh, which rotates the display itself: it follows the daemon as a client of the SensorProxy service, without the agent."""

import signal
import subprocess
import time
from collections.abc import Callable
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


class Session:
    """A system bus and a session bus, phosh, and the daemon with a simulated sensor."""

    def __init__(self, room: session.Room, pictures: Path) -> None:
        self.room, self.pictures = room, pictures
        for kind in ("system", "session"):
            address = f"unix:path={room.directory}/{kind}-bus"
            room.environment[f"DBUS_{kind.upper()}_BUS_ADDRESS"] = address
            room.start(["dbus-daemon", "--session", "--nofork", f"--address={address}"], f"{kind}-bus.log")
            room.wait((room.outside / f"{kind}-bus").is_socket, f"the {kind} bus")
        # The settings are in a file, which phosh watches.
        room.environment["GSETTINGS_BACKEND"] = "keyfile"
        self.set_lock(False)
        self.daemon = self.start_daemon()
        self.compositor = Phosh(room)
        room.wait(lambda: self.is_claimed, "the claim of phosh")

    def start_daemon(self) -> subprocess.Popen[bytes]:
        process = self.room.start(
            ["orientationd", "--dbus", "--sensor", "fake:", "--natural-orientation", "portrait", "--socket",
             f"{self.room.directory}/orientationd.sock", "--state-directory", f"{self.room.directory}/state"],
            "orientationd.log")
        self.room.wait(lambda: self.room.run(["orientationctl", "status"]).returncode == 0, "orientationd")
        self.turn("portrait")
        return process

    def failed(self) -> None:
        """Clean up after a test that failed."""
        self.set_lock(False)

    @property
    def is_claimed(self) -> bool:
        """Whether the sensor runs; no other client uses it."""
        status = Path(f"/proc/{self.daemon.pid}/status").read_text()
        return any(line.split() == ["Threads:", "2"] for line in status.splitlines())

    def set_lock(self, is_locked: bool) -> None:
        self.room.run(["gsettings", "set", *LOCK, str(is_locked).lower()], check=True)

    def turn(self, pose: str) -> None:
        self.room.run(["orientationctl", "simulate", "turn", pose], check=True)

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


def flat(it: Session) -> None:
    """lying flat keeps the rotation"""
    it.turn("landscapeLeft")
    it.expect("270", "landscapeLeft")
    it.turn("faceUp")
    it.expect_kept("flat")


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


TESTS: list[Callable[[Session], None]] = [poses, flat, lock, daemon_restart]
