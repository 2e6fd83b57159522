#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw the pictures of the documentation from the real output of the programs.

    make-pictures.py PROGRAMS FOLDER           write the SVG files into FOLDER
    make-pictures.py --check PROGRAMS FOLDER   compare the files in FOLDER with what the programs print now; exit 1 if
                                               they differ in more than digits and gauges

PROGRAMS is the folder with orientationd and orientationctl. Needs pyte; see python-packages.txt.
"""
import html
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Tests/Programs/EndToEndTests/Python"))
from terminal import Terminal  # noqa: E402: the path is set above

COLUMNS, ROWS = 80, 22
# Pixels of one character and of the margin.
WIDTH, HEIGHT, MARGIN = 9, 19, 16
# Seconds; only a failure takes this long.
TIMEOUT = 30
BACKGROUND = "#11161d"
COLOURS = {
    "default": "#d5dbe3", "cyan": "#5bc8d8", "green": "#7fd18b", "brown": "#e0c060", "red": "#ef7a7a", "blue": "#7aa6ef",
    "magenta": "#c792ea", "white": "#ffffff", "black": "#6b7684",
}


def watch(programs):
    """The screen of `orientationctl watch` with a simulated device in landscapeLeft."""
    with tempfile.TemporaryDirectory() as folder:
        socket = f"{folder}/socket"
        daemon = subprocess.Popen(
            [f"{programs}/orientationd", "--sensor", "fake:", "--socket", socket, "--state-directory", folder,
             "--log-level", "error"])
        try:
            tool = [f"{programs}/orientationctl", "--socket", socket]
            # Waits for the daemon to listen, and for its first orientation.
            subprocess.run(tool + ["watch", "--count", "1"], check=True, capture_output=True, timeout=TIMEOUT)
            subprocess.run(tool + ["simulate", "turn", "landscapeLeft"], check=True, capture_output=True, timeout=TIMEOUT)
            terminal = Terminal(COLUMNS, ROWS, tool + ["watch"])
            # Words that are on the screen once everything is known and the turn is over.
            wanted = ["landscapeLeft ", "0.0 m/s²", "samples/s", "lock", "changes"]
            deadline = time.monotonic() + TIMEOUT
            while not all(any(word in line for line in terminal.screen.display) for word in wanted):
                if time.monotonic() > deadline or not terminal.read(0.1):
                    raise SystemExit("make-pictures.py: watch: the screen is incomplete:\n"
                                     + "\n".join(terminal.screen.display))
            return terminal.screen
        finally:
            daemon.terminate()
            daemon.wait()


def is_braille(character):
    return "\u2800" <= character <= "\u28ff"


# Column and row of the dot of each bit of a Braille pattern's code point (Unicode Standard, section 21.1).
DOTS = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)]


def braille(run, row):
    """The dots of the Braille patterns among these cells, as the data of an SVG path of small squares."""
    path = ""
    for column, cell in run:
        for bit, (x, y) in enumerate(DOTS):
            if is_braille(cell.data) and (ord(cell.data) - 0x2800) >> bit & 1:
                path += (f"M{MARGIN + column * WIDTH + x * WIDTH / 2 + 1.5:.1f} "
                         f"{MARGIN + row * HEIGHT + (y + 0.5) * HEIGHT / 4:.1f}h2v2h-2z")
    return path


def svg(screen):
    """Draws a screen; each run of characters of one style is pinned to its columns."""
    size = COLUMNS * WIDTH + 2 * MARGIN, ROWS * HEIGHT + 2 * MARGIN
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}" '
        f'viewBox="0 0 {size[0]} {size[1]}">',
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>',
        '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="15" xml:space="preserve">',
    ]
    for row in range(ROWS):
        cells = [(column, screen.buffer[row][column]) for column in range(COLUMNS)]
        for (colour, bold), run in itertools.groupby(cells, lambda cell: (cell[1].fg, cell[1].bold)):
            run = list(run)
            text = "".join(cell.data for _, cell in run)
            if dots := braille(run, row):
                lines.append(f'<path d="{dots}" fill="{COLOURS[colour]}"/>')
            # A font may lack Braille patterns, or have them in another width; their dots are drawn above.
            text = "".join(" " if is_braille(character) else character for character in text)
            # Spaces at the ends need not be drawn.
            start = run[0][0] + len(text) - len(text.lstrip())
            text = text.strip()
            if not text:
                continue
            lines.append(
                f'<text x="{MARGIN + start * WIDTH}" y="{MARGIN + (row + 1) * HEIGHT - 4}" '
                f'textLength="{len(text) * WIDTH}" fill="{COLOURS[colour]}"'
                + (' font-weight="bold"' if bold else "") + f">{html.escape(text)}</text>")
    return "\n".join(lines + ["</g>", "</svg>", ""])


def words(picture):
    """The words of a picture: what stays the same from run to run."""
    text = " ".join(element.text or "" for element in ElementTree.fromstring(picture).iter() if element.text)
    return re.findall(r"[A-Za-z]{2,}", text)


def main():
    os.environ.update(LC_ALL="C.UTF-8", TERM="xterm-256color", NO_COLOR="")
    arguments = sys.argv[1:]
    is_check = arguments[:1] == ["--check"]
    if len(arguments) != 2 + is_check:
        raise SystemExit(__doc__)
    programs, folder = arguments[-2:]
    status = 0
    for name, screen in {"watch.svg": watch}.items():
        path = pathlib.Path(folder) / name
        picture = svg(screen(programs))
        if not is_check:
            path.write_text(picture)
        elif words(path.read_text()) != words(picture):
            print(f"{path}: out of date: run `make pictures`")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
