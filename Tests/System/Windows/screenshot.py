# SPDX-License-Identifier: Apache-2.0
"""Pictures of a screen, and where the parts of the example apps are in them."""

import math
import struct
import zlib
from array import array
from dataclasses import dataclass

# The colours of the parts of both apps.
COLOURS = {
    "page 1": 0xFDF6E3, "page 2": 0xE3F0FD, "page 3": 0xE9FDE3, "heading": 0xC82828, "lock": 0x2850C8,
    "locked": 0x8C28C8, "film": 0xE68C14, "next": 0x28A03C, "sky": 0x1A1A40, "hill": 0x1A4D33, "close": 0xDCC828,
}


@dataclass(frozen=True)
class Area:
    """The pixels of one colour: their number, their middle, and the rectangle around them."""

    count: int
    x: float
    y: float
    left: int
    top: int
    right: int
    bottom: int


class Picture:
    """A picture of the screen, with 0xRRGGBB pixels."""

    # The distance of the pixels that are examined.
    STEP = 3

    def __init__(self, width: int, height: int, pixels: memoryview) -> None:
        self.width, self.height, self.pixels = width, height, pixels

    def areas(self, colours: dict[str, int]) -> dict[str, Area]:
        """Return the area of each colour that is in the picture, by name; the lowest bits do not count."""
        names = {colour & 0xF8F8F8: name for name, colour in colours.items()}
        found: dict[str, list[tuple[int, int]]] = {}
        for y in range(0, self.height, self.STEP):
            row = self.pixels[y * self.width:(y + 1) * self.width:self.STEP].tolist()
            for x, pixel in enumerate(row):
                if name := names.get(pixel & 0xF8F8F8):
                    found.setdefault(name, []).append((x * self.STEP, y))
        areas = {}
        for name, points in found.items():
            xs, ys = zip(*points)
            areas[name] = Area(len(points), sum(xs) / len(xs), sum(ys) / len(ys), min(xs), min(ys), max(xs), max(ys))
        return areas

    @classmethod
    def from_ppm(cls, data: bytes) -> "Picture":
        """Return the picture of a PPM file, as grim(1) writes it."""
        kind, width, height, depth = data[:40].split(maxsplit=4)[:4]
        if kind != b"P6" or depth != b"255":
            raise ValueError("not a PPM file with 8 bits")
        body = data[len(data) - int(width) * int(height) * 3:]
        pixels = array("I", (red << 16 | green << 8 | blue for red, green, blue in zip(body[::3], body[1::3], body[2::3])))
        return cls(int(width), int(height), memoryview(pixels))

    def png(self) -> bytes:
        """Return the picture as a PNG file."""
        rows = bytearray()
        for y in range(self.height):
            rows.append(0)
            for pixel in self.pixels[y * self.width:(y + 1) * self.width]:
                rows += bytes((pixel >> 16 & 255, pixel >> 8 & 255, pixel & 255))
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        parts = [(b"IHDR", header), (b"IDAT", zlib.compress(bytes(rows), 9)), (b"IEND", b"")]
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in parts)


def up(edge: str, x: float, y: float, width: float, height: float) -> tuple[float, float]:
    """Return a point of the panel as seen while an edge is up, from -1 to 1: to the right and downwards."""
    right, down = 2 * x / width - 1, 2 * y / height - 1
    return {"top": (right, down), "left": (-down, right), "bottom": (-right, -down), "right": (down, -right)}[edge]


def is_upright(areas: dict[str, Area], edge: str, width: int, height: int) -> bool:
    """Return whether the heading is above, and the buttons are below in their order."""
    names = ["heading", "locked" if "locked" in areas else "lock", "film", "next"]
    if not set(names) <= set(areas):
        return False
    places = [up(edge, areas[name].x, areas[name].y, width, height) for name in names]
    expected = [(0, -1), (-2 / 3, 1), (0, 1), (2 / 3, 1)]
    return all(abs(x - wanted_x) < 0.1 and abs(y - wanted_y) < 0.2
               for (x, y), (wanted_x, wanted_y) in zip(places, expected))


def angle(areas: dict[str, Area]) -> float | None:
    """Return the angle of the reader in degrees, clockwise; None if its parts are not seen."""
    if not {"heading", "film"} <= set(areas):
        return None
    # The film button is straight below the heading.
    (x, y), (under_x, under_y) = [(areas[name].x, areas[name].y) for name in ("heading", "film")]
    return math.degrees(math.atan2(x - under_x, under_y - y))
