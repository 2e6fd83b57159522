#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw the picture of an example in a window: upright, in the middle of a turn, in landscape, and with the film.

    picture.py APP PROGRAMS FILE    APP is the program; PROGRAMS has orientationd and orientationctl"""

import sys
from array import array
from pathlib import Path

import tests
from screenshot import Picture
from session import HEIGHT, WIDTH, Session

NAMES = ["portrait", "turning", "landscapeRight", "film"]
# Pixels around the screenshots, and of a screenshot for one of the picture.
GAP = 20
SCALE = 2
BACKGROUND = 0x222222


def mean(picture: Picture, x: int, y: int) -> int:
    """Return the mean colour of a square."""
    pixels = [picture.pixels[(y + down) * picture.width + x + right] for down in range(SCALE) for right in range(SCALE)]
    return sum(sum(pixel >> shift & 255 for pixel in pixels) // len(pixels) << shift for shift in (0, 8, 16))


def draw(pictures: list[Picture]) -> Picture:
    """Return the screenshots beside each other."""
    wide, high = WIDTH // SCALE, HEIGHT // SCALE
    width, height = GAP + (wide + GAP) * len(pictures), high + 2 * GAP
    pixels = array("I", [BACKGROUND]) * (width * height)
    for number, picture in enumerate(pictures):
        left = GAP + (wide + GAP) * number
        for y in range(high):
            for x in range(wide):
                pixels[(GAP + y) * width + left + x] = mean(picture, x * SCALE, y * SCALE)
    return Picture(width, height, memoryview(pixels))


def main(app: Path, programs: Path, file: Path) -> None:
    session = Session(programs, app)
    try:
        for test in (tests.poses, tests.middle, tests.film):
            test(session)
        file.write_bytes(draw([session.taken[name] for name in NAMES]).png())
        print(file)
    finally:
        session.close()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*(Path(argument).resolve() for argument in sys.argv[1:]))
