# SPDX-License-Identifier: Apache-2.0
"""The apps of Examples/gtk and Examples/sdl under sway with the agent: the output turns, and the app does not turn twice."""

import sys
from collections.abc import Callable
from pathlib import Path

import session
from compositors import WLROOTS, Wlroots
from session import Failure

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "Windows"))

from screenshot import COLOURS, Area, Picture, is_upright  # noqa: E402

APPS = [HERE.parents[2] / "Examples" / name / ".build/release" / f"reader-{name}" for name in ("gtk", "sdl")]
# The mode of the output, and the transform in each pose of a device with this wide panel.
WIDTH, HEIGHT = 1280, 800
POSES = {"portrait": "90", "landscapeRight": "180", "portraitUpsideDown": "270", "landscapeLeft": "normal"}


class Desktop(Wlroots):
    """sway with a single wide output."""

    name = "sway"
    environment = WLROOTS | {"WLR_HEADLESS_OUTPUTS": "1"}

    def command(self) -> list[str]:
        self.room.write("sway.conf", f"output HEADLESS-1 resolution {WIDTH}x{HEIGHT}\ndefault_border none\n")
        return ["sway", "-c", f"{self.room.directory}/sway.conf"]

    def prepare(self) -> None:
        self.room.wait(lambda: self.internal in self.outputs(), "the output")


class Session:
    """sway, the daemon with a simulated laptop, the agent, and an app."""

    def __init__(self, room: session.Room, program: str, pictures: Path) -> None:
        self.room, self.program, self.pictures = room, program, pictures
        room.start(["orientationd", "--sensor", "fake:natural=landscapeLeft", "--socket",
                    f"{room.directory}/orientationd.sock"], "orientationd.log")
        room.wait(lambda: room.tool("status").returncode == 0, "orientationd")
        self.desktop = Desktop(room)
        room.start(["orientation-autorotate", "--output", self.desktop.internal], "agent.log")
        self.turn("landscapeLeft")

    def turn(self, pose: str) -> None:
        """Turn the device, and wait until the agent has rotated the output."""
        self.room.tool("simulate", "turn", pose, check=True)
        self.room.wait(
            lambda: self.desktop.outputs()[self.desktop.internal].transform == POSES[pose], f"the output in {pose}")

    def start(self, *options: str) -> None:
        self.app = self.room.start(
            [self.program, "--desktop", "--frames", *options], "app.log", GDK_BACKEND="wayland", GSK_RENDERER="cairo",
            GTK_A11Y="none", SDL_VIDEODRIVER="wayland", SDL_RENDER_DRIVER="software", DBUS_SESSION_BUS_ADDRESS="disabled:")

    def end(self) -> None:
        self.room.end(self.app)
        (self.room.outside / "app.log").unlink()

    def failed(self) -> None:
        """Clean up after a test that failed."""
        self.end()

    def picture(self) -> Picture:
        """Return the picture as the user sees it: upright in the rotated output."""
        self.room.run(["grim", "-t", "ppm", f"{self.room.directory}/picture.ppm"], check=True)
        return Picture.from_ppm((self.room.outside / "picture.ppm").read_bytes())

    def expect(self, holds: Callable[[dict[str, Area], int, int], bool], what: str) -> None:
        """Wait until the parts of the app are where they belong in the picture."""
        picture = None

        def is_there() -> bool:
            nonlocal picture
            if self.app.poll() is not None:
                raise Failure(f"the app has ended: {self.room.read('app.log')[-500:]}")
            picture = self.picture()
            return holds(picture.areas(COLOURS), picture.width, picture.height)

        try:
            self.room.wait(is_there, what)
        except Failure as failure:
            if picture:
                (self.pictures / f"{self.program}-failed.png").write_bytes(picture.png())
            raise Failure(f"{failure}: {picture and picture.areas(COLOURS)} {self.room.read('app.log')[-500:]}") from None

    def keep(self, name: str) -> None:
        (self.pictures / f"{self.program}-{name}.png").write_bytes(self.picture().png())


def reader(it: Session) -> None:
    """the output turns, and the app is upright and does not turn itself"""
    for options in [[], ["--fullscreen"]]:
        it.start(*options)
        for pose in ["landscapeLeft", *POSES]:
            it.turn(pose)
            it.expect(lambda areas, width, height: is_upright(areas, "top", width, height), f"upright in {pose} {options}")
            it.keep(pose)
        if moving := [line for line in it.room.read("app.log").splitlines() if line.endswith(" %") and " 100 " not in line]:
            raise Failure(f"the app has turned: {moving}")
        it.end()


def beside(it: Session) -> None:
    """a window beside another is upright in its own size"""
    it.start()
    it.expect(lambda areas, width, height: is_upright(areas, "top", width, height), "the reader")
    other = it.room.start(["foot"], "foot.log")
    for pose in ["portrait", "landscapeLeft"]:
        it.turn(pose)
        it.expect(lambda areas, width, height: is_upright(areas, "top", width // 2, height), f"half of the output in {pose}")
    it.room.end(other)
    it.expect(lambda areas, width, height: is_upright(areas, "top", width, height), "the whole output again")
    it.end()


TESTS: list[Callable[[Session], None]] = [reader, beside]
