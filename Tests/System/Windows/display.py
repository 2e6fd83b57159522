# SPDX-License-Identifier: Apache-2.0
"""An X server without a screen, whose frame buffer is a file."""

import os
import struct
import subprocess
from pathlib import Path

from screenshot import Picture


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
