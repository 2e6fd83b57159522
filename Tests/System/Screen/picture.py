#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw the moving picture of the README: sway on a device that is carried and turned, as the programs saw it.

    picture.py PROGRAMS CACHE FILE    PROGRAMS has the built programs; CACHE keeps the Debian directory

The daemon plays a simulated walk, the agent rotates sway's output. The angle of the drawn device is that of the samples, its
screen is what grim captured, and it changes when the agent reported it."""

import base64
import html
import json
import math
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import chroot
import debian_root
import run
import session
from compositors import WLROOTS, Wlroots

# The part of the walk that is drawn, in seconds: a turn to landscape and back.
BEGIN, END = 3.0, 22.0
# Seconds between two angles, and over which the samples are averaged: a step shakes them.
STEP, MEAN = 0.1, 0.3
# Pixels of the panel, upright, and of the picture; and how far 1 m/s² more than gravity lifts the device.
PANEL = 200, 320
SIZE = 880, 420
LIFT = 2.5
BOOK = """\
Alice was beginning to get very tired of sitting by her sister on the bank, and of having nothing to do: once or twice she had \
peeped into the book her sister was reading, but it had no pictures or conversations in it, "and what is the use of a book," \
thought Alice, "without pictures or conversations?"

So she was considering in her own mind (as well as she could, for the hot day made her feel very sleepy and stupid) whether the \
pleasure of making a daisy-chain would be worth the trouble of getting up and picking the daisies, when suddenly a White Rabbit \
with pink eyes ran close by her.
"""


# Prints the book again when the terminal has another width.
READER = """\
draw() { printf '\\033[H\\033[2J\\033[?25l'; fold -s -w "$(stty size | cut -d ' ' -f 2)" "$1"; }
trap 'draw "$1"' WINCH
draw "$1"
while :; do sleep 600 & wait; done
"""


class Desktop(Wlroots):
    """sway with one tall output and a book in a terminal."""

    name = "sway"
    environment = WLROOTS | {"WLR_HEADLESS_OUTPUTS": "1"}

    def command(self) -> list[str]:
        self.room.write("foot.ini", "font=DejaVu Sans Mono:size=26\npad=24x24\n[colors]\nbackground=101418\n")
        self.room.write("book", BOOK)
        self.room.write("reader", READER)
        self.room.write(
            "sway.conf", "output HEADLESS-1 resolution 800x1280 background #2e5c6e solid_color\n"
                         "gaps inner 28\ndefault_border none\nbar {\nfont DejaVu Sans 26\n}\n"
                         f"exec foot -c {self.room.directory}/foot.ini sh {self.room.directory}/reader {self.room.directory}/book\n")
        return ["sway", "-c", f"{self.room.directory}/sway.conf"]

    def prepare(self) -> None:
        self.room.wait(lambda: self.internal in self.outputs(), "the output")


def screenshot(room: session.Room) -> bytes:
    """Return a PNG of half the size when the terminal has drawn it: several equal ones in a row."""
    taken: list[bytes] = []

    def is_still() -> bool:
        room.run(["grim", "-s", "0.5", "-l", "9", f"{room.directory}/shot.png"], check=True)
        taken.append((room.outside / "shot.png").read_bytes())
        return len(taken) > 8 and len(set(taken[-4:])) == 1

    room.wait(is_still, "a picture that does not change")
    return taken[-1]


def movement(recording: str) -> tuple[list[float], list[float]]:
    """Return by how many degrees the device is turned clockwise, and how far a step lifts it, from BEGIN, a value per STEP."""
    samples = [[float(word) for word in line.split(",")[:4]] for line in recording.splitlines() if line[:1].isdigit()]
    degrees, lifts = [], []
    for number in range(round((END - BEGIN) / STEP) + 1):
        at = BEGIN + number * STEP
        near = [sample for sample in samples if abs(sample[0] - at) <= MEAN / 2]
        # The sum points up in the device frame.
        degrees.append(-math.degrees(math.atan2(sum(x for _, x, _, _ in near), sum(y for _, _, y, _ in near))))
        nearest = min(samples, key=lambda sample: abs(sample[0] - at))
        lifts.append(LIFT * (9.81 - math.hypot(*nearest[1:])))
    return degrees, lifts


def discrete(attribute: str, times: list[float], values: list[str]) -> str:
    """Return an animation that changes an attribute at these times in seconds; the first value holds from the start."""
    keys = ";".join(f"{(at - BEGIN) / (END - BEGIN):.4f}" for at in [BEGIN, *times])
    return (f'<animate attributeName="{attribute}" calcMode="discrete" dur="{END - BEGIN}s" repeatCount="indefinite" '
            f'values="{";".join(values)}" keyTimes="{keys}"/>')


def shown(times: list[float], from_number: int, to_number: int) -> str:
    """Return an animation that shows something between two of the changes."""
    return discrete("visibility", times, ["visible" if from_number <= number < to_number else "hidden"
                                          for number in range(len(times) + 1)])


def draw(pictures: dict[str, bytes], turns: list[tuple[float, str, str]], degrees: list[float],
         lifts: list[float]) -> str:
    """Return the SVG. Turns are the times of the agent's events, their transforms, and their messages."""
    wide, high = PANEL
    times = [at for at, _, _ in turns]
    states = ["normal", *(transform for _, transform, _ in turns)]
    lift, rotation = (
        f'<animateTransform attributeName="transform" type="{kind}" dur="{END - BEGIN}s" repeatCount="indefinite" '
        f'values="{";".join(values)}"/>'
        for kind, values in (("translate", [f"0 {it:.1f}" for it in lifts]), ("rotate", [f"{it:.1f}" for it in degrees])))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 {SIZE[0]} {SIZE[1]}" '
        f'width="{SIZE[0]}" height="{SIZE[1]}" font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="15">',
        f'<rect width="{SIZE[0]}" height="{SIZE[1]}" rx="10" fill="#11161d"/>',
        f'<g transform="translate(215 {SIZE[1] // 2})"><g>{lift}<g>{rotation}',
        f'<rect x="{-wide / 2 - 14}" y="{-high / 2 - 24}" width="{wide + 28}" height="{high + 48}" rx="20" fill="#3b4654"/>',
        f'<circle cy="{-high / 2 - 12}" r="4" fill="#11161d"/>',
    ]
    for transform, picture in pictures.items():
        # Counter-clockwise in quarters, and the size of the picture in the layout.
        quarters = 0 if transform == "normal" else int(transform) // 90
        size = PANEL if quarters % 2 == 0 else PANEL[::-1]
        visible = discrete("visibility", times, ["visible" if state == transform else "hidden" for state in states])
        parts.append(
            f'<image transform="rotate({-90 * quarters})" x="{-size[0] / 2}" y="{-size[1] / 2}" width="{size[0]}" '
            f'height="{size[1]}" visibility="{"visible" if transform == "normal" else "hidden"}" '
            f'xlink:href="data:image/png;base64,{base64.b64encode(picture).decode()}">{visible}</image>')
    parts.append("</g></g></g>")
    lines = ["$ orientation-autorotate", *(message for _, _, message in turns)]
    for number, line in enumerate(lines):
        colour = "#7fd18b" if number else "#d5dbe3"
        parts.append(f'<text x="435" y="{60 + 26 * number}" fill="{colour}">{html.escape(line)}'
                     + (shown(times, number, len(states)) if number else "") + "</text>")
    for number, text in enumerate(["A simulated walk shakes the sensor.",
                                   f"{END - BEGIN:.0f} seconds, two turns by hand, {len(turns)} rotations."]):
        parts.append(f'<text x="435" y="{SIZE[1] - 70 + 26 * number}" fill="#8b97a6">{text}</text>')
    return "\n".join([*parts, "</svg>", ""])


def record(room: session.Room, desktop: Desktop) -> tuple[dict[str, bytes], list[tuple[float, str, str]]]:
    """Play the walk; return the picture of each rotation, and the time, rotation and message of each."""
    turns: list[tuple[float, str, str]] = []

    def pipe(*command: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(["chroot", str(room.root), *command], env=room.environment, stdout=subprocess.PIPE, text=True,
                                   start_new_session=True)
        room.processes.append(process)
        return process

    def follow(process: subprocess.Popen[str]) -> None:
        for event in map(json.loads, process.stdout):
            if event["event"] == "rotated":
                turns.append((time.monotonic() - began, event["transform"], event["message"]))

    # The recording starts with its first subscriber, and its first sample gives the first state.
    watch = pipe("orientationctl", "watch", "--json", "--count", "1")
    watch.stdout.readline()
    began = time.monotonic()
    agent = pipe("orientation-autorotate", "--output", desktop.internal, "--json")
    threading.Thread(target=follow, args=[agent], daemon=True).start()
    pictures = {"normal": screenshot(room)}
    while time.monotonic() - began < END + 1:
        time.sleep(session.PAUSE)
        for _, transform, _ in turns:
            if transform not in pictures:
                pictures[transform] = screenshot(room)
    return pictures, [turn for turn in turns if BEGIN < turn[0] < END]


def main(programs: Path, cache: Path, file: Path) -> None:
    root = chroot.ensure(cache, only_sway=True)
    debian_root.mount(root, "proc", "dev")
    (root / "run/programs").mkdir()
    for name in run.PROGRAMS:
        shutil.copy(programs / name, root / "run/programs")
    room = session.Room(root, "picture")
    try:
        script = Path(__file__).resolve().parents[3] / "Scripts/simulate-motion.py"
        walk = subprocess.run([script, "walking"], check=True, stdout=subprocess.PIPE, text=True).stdout
        room.write("walk.rec", walk)
        room.start(["orientationd", "--sensor", f"replay:{room.directory}/walk.rec", "--socket",
                    f"{room.directory}/orientationd.sock"], "orientationd.log")
        room.wait(lambda: (room.outside / "orientationd.sock").exists(), "the daemon")
        pictures, turns = record(room, Desktop(room))
        file.write_text(draw(pictures, turns, *movement(walk)))
        print(file, *turns, sep="\n")
    finally:
        room.close()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    debian_root.enter_namespace()
    main(*(Path(argument).resolve() for argument in sys.argv[1:]))
