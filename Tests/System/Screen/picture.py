#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw docs/autorotate.svg: sway with `orientationctl watch` in a terminal, before and after a turn of a simulated device.

    picture.py PROGRAMS CACHE FILE    PROGRAMS has the built programs; CACHE keeps the Debian directory
"""

import base64
import shutil
import struct
import sys
from pathlib import Path

import chroot
import debian_root
import run
import session
from compositors import WLROOTS, Wlroots

# Pixels between the screenshots, and from screenshot to picture.
GAP = 60
SCALE = 0.45


class Desktop(Wlroots):
    """sway with a single wide output and a terminal."""

    name = "sway"
    environment = WLROOTS | {"WLR_HEADLESS_OUTPUTS": "1"}

    def command(self) -> list[str]:
        self.room.write("foot.ini", "font=DejaVu Sans Mono:size=13\n[colors]\nbackground=101418\n")
        self.room.write(
            "sway.conf", "output HEADLESS-1 resolution 1280x800 background #2e5c6e solid_color\n"
                         "gaps inner 24\ndefault_border none\n"
                         f"exec foot -c {self.room.directory}/foot.ini orientationctl watch\n")
        return ["sway", "-c", f"{self.room.directory}/sway.conf"]

    def prepare(self) -> None:
        self.room.wait(lambda: self.internal in self.outputs(), "the output")


def screenshot(room: session.Room, name: str) -> bytes:
    """Return a PNG after the terminal has drawn the newest state: two equal screenshots in a row."""
    taken: list[bytes] = []

    def is_still() -> bool:
        room.run(["grim", f"{room.directory}/{name}.png"], check=True)
        taken.append((room.outside / f"{name}.png").read_bytes())
        return len(taken) > 8 and taken[-1] == taken[-2]

    room.wait(is_still, "a picture that does not change")
    return taken[-1]


def draw(pictures: list[bytes]) -> str:
    """Return an SVG with the pictures beside each other, centred."""
    sizes = [struct.unpack(">II", picture[16:24]) for picture in pictures]
    height = max(size[1] for size in sizes) + 40
    x, parts = 20, []
    for picture, (wide, high) in zip(pictures, sizes):
        top = (height - high) / 2
        parts.append(f'<rect x="{x - 14}" y="{top - 14}" width="{wide + 28}" height="{high + 28}" rx="26" fill="#222"/>')
        data = base64.b64encode(picture).decode()
        parts.append(f'<image x="{x}" y="{top}" width="{wide}" height="{high}" href="data:image/png;base64,{data}"/>')
        x += wide + GAP
    width = x - GAP + 20
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * SCALE:.0f}" height="{height * SCALE:.0f}" '
            f'viewBox="0 0 {width} {height}">' + "".join(parts) + "</svg>\n")


def main(programs: Path, cache: Path, file: Path) -> None:
    root = chroot.ensure(cache)
    debian_root.mount(root, "proc", "dev")
    (root / "run/programs").mkdir()
    for name in run.PROGRAMS:
        shutil.copy(programs / name, root / "run/programs")
    room = session.Room(root, "picture")
    try:
        room.start(["orientationd", "--sensor", "fake:natural=landscapeLeft", "--socket",
                    f"{room.directory}/orientationd.sock"], "orientationd.log")
        room.wait(lambda: room.run(["orientationctl", "simulate", "turn", "landscapeLeft"]).returncode == 0, "the daemon")
        desktop = Desktop(room)
        room.start(["orientation-autorotate", "--output", desktop.internal], "agent.log")
        pictures = [screenshot(room, "wide")]
        room.run(["orientationctl", "simulate", "turn", "portrait"], check=True)
        room.wait(lambda: desktop.outputs()[desktop.internal].transform == "90", "the rotation")
        pictures.append(screenshot(room, "tall"))
        file.write_text(draw(pictures))
        print(file)
    finally:
        room.close()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    debian_root.enter_namespace()
    main(*(Path(argument).resolve() for argument in sys.argv[1:]))
