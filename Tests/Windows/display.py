# SPDX-License-Identifier: Apache-2.0
"""An X server without a screen, whose frame buffer is a file, and its pictures."""

import os
import struct
import subprocess
import zlib
from dataclasses import dataclass
from pathlib import Path


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


class Display:
    """Xvfb with one screen, without a window manager."""

    def __init__(self, directory: Path, width: int, height: int) -> None:
        self.directory = directory
        read, write = os.pipe()
        with open(directory / "xvfb.log", "wb") as log:
            self.process = subprocess.Popen(
                ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{width}x{height}x24", "-fbdir", str(directory),
                 "-nolisten", "tcp", "-noreset"], pass_fds=[write], stdout=log, stderr=log)
        os.close(write)
        with open(read) as number:
            self.name = f":{number.readline().strip()}"
        if self.name == ":":
            raise SystemExit(f"Xvfb: does not start: {(directory / 'xvfb.log').read_text()}")

    def picture(self) -> Picture:
        """Return what is on the screen. The file is in the format of xwd(1)."""
        data = (self.directory / "Xvfb_screen0").read_bytes()
        header = struct.unpack(">25I", data[:100])
        size, width, height, line, colours = header[0], header[4], header[5], header[12], header[19]
        if line != width * 4:
            raise SystemExit(f"Xvfb_screen0: {line} bytes in a line of {width} pixels: not supported")
        start = size + colours * 12
        return Picture(width, height, memoryview(data)[start:start + line * height].cast("I"))

    def xdotool(self, *words: str) -> str:
        return subprocess.run(
            ["xdotool", *words], env=os.environ | {"DISPLAY": self.name}, check=True, capture_output=True,
            text=True).stdout.strip()

    def click(self, x: float, y: float) -> None:
        """Press and release the first button of the pointer at a point."""
        self.xdotool("mousemove", str(round(x)), str(round(y)), "click", "1")

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
