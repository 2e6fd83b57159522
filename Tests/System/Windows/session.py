# SPDX-License-Identifier: Apache-2.0
"""A display, a daemon with a simulated sensor, and an app in a window that follows it."""

import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from display import Display
from screenshot import COLOURS, Area, is_upright

# Seconds until an awaited change counts as missing.
TIMEOUT = 30.0
# Seconds between two looks.
PAUSE = 0.01
WIDTH, HEIGHT = 480, 800

# The edge of the tall panel that is up in each pose, and the interface orientation that is upright then.
POSES = {
    "portrait": ("top", "portrait"), "landscapeRight": ("left", "landscapeLeft"),
    "portraitUpsideDown": ("bottom", "portraitUpsideDown"), "landscapeLeft": ("right", "landscapeRight"),
}
class Failure(Exception):
    """A failed test, with what was observed."""


class Session:
    """The display, the daemon and the app."""

    def __init__(self, programs: Path, app: Path, pictures: Path) -> None:
        self.programs, self.program, self.pictures = programs, app, pictures
        self.folder = tempfile.TemporaryDirectory()
        self.directory = Path(self.folder.name)
        self.display = Display(self.directory, WIDTH, HEIGHT)
        self.environment = os.environ | {
            "DISPLAY": self.display.name, "ORIENTATIOND_SOCKET": f"{self.directory}/socket",
            "XDG_RUNTIME_DIR": str(self.directory), "HOME": str(self.directory), "LC_ALL": "C.UTF-8",
            # Only X11, drawn by the processor, without a session bus.
            "GDK_BACKEND": "x11", "GSK_RENDERER": "cairo", "GTK_A11Y": "none", "SDL_VIDEODRIVER": "x11",
            "SDL_RENDER_DRIVER": "software", "DBUS_SESSION_BUS_ADDRESS": "disabled:",
        }
        self.environment.pop("WAYLAND_DISPLAY", None)
        self.app: subprocess.Popen[bytes] | None = None
        with open(self.directory / "orientationd.log", "ab") as log:
            # A simulated phone.
            self.daemon = subprocess.Popen(
                [self.programs / "orientationd", "--sensor", "fake:natural=portrait", "--socket",
                 f"{self.directory}/socket", "--state-directory", str(self.directory / "state")],
                env=self.environment, stdout=log, stderr=log)
        self.wait(lambda: self.tool("status").returncode == 0, "orientationd")

    def tool(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.programs / "orientationctl", "--timeout", f"{TIMEOUT / 2:.0f}", *words], env=self.environment,
            capture_output=True, text=True, timeout=TIMEOUT, check=False)

    def turn(self, pose: str) -> None:
        """Turn the device, and wait until the daemon reports it."""
        result = self.tool("simulate", "turn", pose)
        if result.returncode != 0:
            raise Failure(f"orientationctl simulate turn {pose}: {result.stderr.strip()}")
        self.wait(lambda: f'"orientation":"{pose}"' in self.tool("status", "--json").stdout, f"{pose} of the daemon")

    def start(self, *options: str, **environment: str) -> None:
        """Start the app. Its log has a line for each frame, with the orientation and the progress of the turn, and for each
        orientation of the device."""
        self.end()
        with open(self.directory / "app.log", "wb") as log:
            self.app = subprocess.Popen(
                [self.program, "--frames", *options], env=self.environment | environment, stdout=log, stderr=log)

    def end(self) -> None:
        if app := self.app:
            self.app = None
            app.kill()
            app.wait()
            # The next app is not confused with this one.
            self.wait(lambda: not self.areas(), "the end of the window")

    @property
    def log(self) -> list[str]:
        return (self.directory / "app.log").read_text(errors="replace").splitlines()

    @property
    def frames(self) -> list[str]:
        return [line for line in self.log if line.endswith(" %")]

    def expect_reading(self, pose: str) -> None:
        """Wait until the newest orientation that the app has received is this one."""
        self.wait(lambda: [line for line in self.log if line.startswith("device ")][-1:] == [f"device {pose}"],
                  f"{pose} in the app")

    def wait(self, condition: Callable[[], object], what: str) -> None:
        """Wait until a condition holds."""
        end = time.monotonic() + TIMEOUT
        while not condition():
            if self.app and self.app.poll() is not None:
                raise Failure(f"the app has ended: {(self.directory / 'app.log').read_text(errors='replace')[-500:]}")
            if time.monotonic() > end:
                raise Failure(f"timed out: {what}")
            time.sleep(PAUSE)

    # MARK: the picture

    def areas(self) -> dict[str, Area]:
        return self.display.picture().areas(COLOURS)

    def picture(self, name: str) -> None:
        """Write a picture of the screen."""
        (self.pictures / f"{name}.png").write_bytes(self.display.picture().png())

    def click(self, name: str) -> None:
        area = self.areas().get(name)
        if area is None:
            raise Failure(f"no '{name}' to click")
        self.display.click(area.x, area.y)

    def window(self) -> str:
        """Return the identifier of the app's window."""
        return self.display.xdotool("search", "--onlyvisible", "--name", "Reader").splitlines()[0]

    def expect(self, edge: str, what: str) -> None:
        """Wait until the reader is upright while this edge of the panel is up."""
        try:
            self.wait(lambda: is_upright(self.areas(), edge, WIDTH, HEIGHT), "")
        except Failure as failure:
            self.picture("failed")
            raise Failure(f"{failure} {what}: not upright with the {edge} edge up: {self.areas()}") from None

    def turn_page(self, what: str) -> None:
        """Click the button of the next page, and wait until that is drawn: after everything that was requested before."""
        def pages():
            return [name for name in self.areas() if name.startswith("page ")]

        self.wait(lambda: len(pages()) == 1, f"one page {what}")
        page = pages()[0]
        following = f"page {int(page[-1]) % 3 + 1}"
        self.click("next")
        self.wait(lambda: following in self.areas(), f"{following} after a click {what}")

    def expect_kept(self, edge: str, what: str) -> None:
        """Check that the reader is as before, and still is when it has drawn another page."""
        before = self.frames
        for _ in range(2):
            others = set(self.frames[len(before):]) - set(before[-1:])
            if others or not is_upright(self.areas(), edge, WIDTH, HEIGHT):
                self.picture("failed")
                raise Failure(f"{what}: has turned: {self.frames[-1:]}, {self.areas()}")
            self.turn_page(what)

    def close(self) -> None:
        if self.app:
            self.app.kill()
            self.app.wait()
        self.daemon.terminate()
        self.daemon.wait()
        self.display.close()
        self.folder.cleanup()
