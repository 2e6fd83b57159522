#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draw docs/classifier-bands.svg: the orientation of each attitude, after two previous ones. Needs matplotlib.

    draw-bands.py ORIENTATIONCTL [CLASSIFIER]
"""
import math
import pathlib
import subprocess
import sys

import matplotlib
from matplotlib import pyplot

PICTURE = pathlib.Path(__file__).resolve().parent.parent / "docs/classifier-bands.svg"
TURNS, TILTS = range(-180, 180), range(-90, 90)
# Longer than the pause after which a calm reading decides at once.
PAUSE = 10
PREVIOUS = {"portrait": (0, 0), "faceUp": (0, 90)}
# The colours of plot, and the places of the names.
NAMES = {
    "portrait": ("#a6d4f2", [(0, 0)]), "portraitUpsideDown": ("#5fa8d8", [(-155, 0), (155, 0)]),
    "landscapeLeft": ("#ffd9a0", [(94, 0)]), "landscapeRight": ("#f0a860", [(-94, 0)]),
    "faceUp": ("#b9e5c9", [(0, 80)]), "faceDown": ("#8fc2a5", [(0, -80)])}


def reading(turn: float, tilt: float) -> str:
    turn, tilt = math.radians(turn), math.radians(tilt)
    vector = (math.cos(tilt) * math.sin(turn), math.cos(tilt) * math.cos(turn), math.sin(tilt))
    return ",".join(f"{9.80665 * part:.6f}" for part in vector)


def rows(tool: str, classifier: str, previous: str) -> list[list[str]]:
    """The orientation for each tilt and turn, each right after the previous orientation."""
    attitudes = [(turn + 0.5, tilt + 0.5) for tilt in TILTS for turn in TURNS]
    lines = [f"{PAUSE * (2 * index + odd)},{reading(*(attitude if odd else PREVIOUS[previous]))}"
             for index, attitude in enumerate(attitudes) for odd in (0, 1)]
    command = [tool, "classify", "--time-unit", "s", "--classifier", classifier, "-"]
    output = subprocess.run(command, input="\n".join(lines), text=True, check=True, stdout=subprocess.PIPE).stdout
    changes = {int(float(time)) // PAUSE: name for time, name in (line.split(",") for line in output.split())}
    names = [changes.get(2 * index + 1, previous) for index in range(len(attitudes))]
    return [names[start:start + len(TURNS)] for start in range(0, len(names), len(TURNS))]


def main() -> None:
    tool, classifier = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "standard"
    matplotlib.rcParams.update({"svg.hashsalt": "bands", "svg.fonttype": "none", "font.size": 13})
    figure, maps = pyplot.subplots(len(PREVIOUS), figsize=(7.2, 7.6), layout="constrained")
    figure.suptitle(f"Orientation by attitude, classifier: {classifier}")
    colours = matplotlib.colors.ListedColormap([colour for colour, _ in NAMES.values()])
    for chart, previous in zip(maps, PREVIOUS):
        numbers = [[list(NAMES).index(name) for name in row] for row in rows(tool, classifier, previous)]
        chart.imshow(numbers, colours, origin="lower", extent=(-180, 180, -90, 90), aspect="auto",
                     interpolation="nearest", vmin=0, vmax=len(NAMES) - 1)
        chart.set(title=f"previous: {previous}", xlabel="turn in degrees", ylabel="tilt in degrees",
                  xticks=range(-180, 181, 45), yticks=range(-90, 91, 45))
        chart.grid(linestyle=":", color="#666666")
        for name, (_, places) in NAMES.items():
            for place in places:
                text = "upside\ndown" if name == "portraitUpsideDown" else name
                chart.annotate(text, place, ha="center", va="center", fontsize=11)
    figure.savefig(PICTURE, metadata={"Date": None, "Title": f"Hysteresis of the classifier {classifier}"})


if __name__ == "__main__":
    main()
