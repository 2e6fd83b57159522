# SPDX-License-Identifier: Apache-2.0
"""A HID sensor hub with one accelerometer, as in convertibles, emulated with /dev/uhid.

The kernel's drivers make an IIO device of it, with a trigger and a buffer.
"""

import os
import select
import struct
import threading
import time
from pathlib import Path

from harness import eventually, run

GRAVITY = 9.80665
# Events of linux/uhid.h, which all have the same size.
DESTROY, GET_REPORT, GET_REPORT_REPLY, CREATE, INPUT, SET_REPORT, SET_REPORT_REPLY = 1, 9, 10, 11, 12, 13, 14
EVENT_SIZE = 4 + 4376
INPUT_REPORT = 2
BUS_I2C = 0x18
# The values of the selectors reporting state and power state of a sensor that is on; indexes from 1.
ALL_EVENTS, FULL_POWER = 2, 2


def item(prefix: int, value: int) -> bytes:
    """Encode a short item of a report descriptor from its prefix without the size, and its value."""
    for code, (size, form) in enumerate([(1, "<b"), (2, "<h"), (4, "<i")], start=1):
        if -(1 << (8 * size - 1)) <= value < 1 << (8 * size - 1):
            return bytes([prefix | code]) + struct.pack(form, value)
    raise ValueError(value)


def usage(number: int) -> bytes:
    return bytes([0x0A]) + struct.pack("<H", number)


def collection(kind: int, *contents: bytes) -> bytes:
    return item(0xA0, kind) + b"".join(contents) + b"\xC0"


def selector(name: int, first: int, count: int) -> bytes:
    """Encode a one-byte feature with named values."""
    values = b"".join(usage(first + index) for index in range(count))
    return (usage(name) + item(0x14, 1) + item(0x24, count) + item(0x74, 8) + item(0x94, 1)
            + collection(2, values, b"\xB1\x00"))


def descriptor() -> bytes:
    """Encode an accelerometer: its features (reporting, power, interval in ms) and its input report in mg."""
    interval = (usage(0x030E) + item(0x14, 0) + item(0x24, 0x7FFFFFFF) + item(0x74, 32) + item(0x94, 1)
                + item(0x54, 0) + item(0xB0, 2))
    axes = b"".join(
        usage(0x0453 + axis) + item(0x14, -32767) + item(0x24, 32767) + item(0x74, 16) + item(0x94, 1)
        + item(0x54, -3 & 15) + item(0x80, 2) for axis in range(3))
    accelerometer = collection(
        0, item(0x84, 1), selector(0x0316, 0x0840, 6), selector(0x0319, 0x0850, 6), interval, axes)
    return item(0x04, 0x20) + usage(0x0001) + collection(1, usage(0x0073), accelerometer)


class Hub:
    """The hub, plugged in until `unplug`. It starts in faceUp."""

    def __init__(self) -> None:
        run("modprobe", "uhid")
        self.reading = (0.0, 0.0, -GRAVITY)
        self.settings = [1, 1, 100]
        # Whether it stopped reporting, as some firmware does after system sleep.
        self.hangs = False
        self.node = os.open("/dev/uhid", os.O_RDWR | os.O_CLOEXEC)
        contents = descriptor()
        before = set(devices())
        self.put(CREATE, struct.pack(
            "<128s64s64sHHIIII", b"sensor hub", b"", b"", len(contents), BUS_I2C, 0x1234, 0x5678, 0, 0) + contents)
        self.is_ending = False
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()
        name = eventually("the hub's accelerometer in /sys", lambda: set(devices()) - before).pop()
        self.device = Path("/sys/bus/iio/devices", name)
        run("udevadm", "settle")

    def hold(self, x: float, y: float, z: float) -> None:
        """Set the specific force in m/s². HID has the opposite sign."""
        self.reading = (-x, -y, -z)

    def unplug(self) -> None:
        if self.is_ending:
            return
        self.is_ending = True
        self.thread.join()
        self.put(DESTROY, b"")
        os.close(self.node)
        eventually("removal of the accelerometer", lambda: not self.device.exists())

    def is_captured(self) -> bool:
        return (self.device / "buffer/enable").read_text().strip() == "1"

    def put(self, kind: int, contents: bytes) -> None:
        os.write(self.node, (struct.pack("<I", kind) + contents).ljust(EVENT_SIZE, b"\0"))

    def report(self) -> bytes:
        return b"\x01" + struct.pack("<3h", *(round(value / GRAVITY * 1000) for value in self.reading))

    def serve(self) -> None:
        """Answer the driver, and send readings at the interval that it set."""
        due = time.monotonic()
        while not self.is_ending:
            if select.select([self.node], [], [], max(min(due - time.monotonic(), 0.1), 0))[0]:
                self.answer(os.read(self.node, EVENT_SIZE))
            if time.monotonic() < due:
                continue
            reporting, power, interval = self.settings
            due = max(due, time.monotonic() - 1) + max(interval, 10) / 1000
            if reporting == ALL_EVENTS and power == FULL_POWER and not self.hangs:
                report = self.report()
                self.put(INPUT, struct.pack("<H", len(report)) + report)

    def answer(self, event: bytes) -> None:
        kind, number = struct.unpack_from("<II", event)
        if kind == GET_REPORT and event[9] == INPUT_REPORT and self.hangs:
            return  # The kernel times out and returns zeros.
        if kind == GET_REPORT:
            feature = b"\x01" + struct.pack("<BBI", *self.settings)
            report = self.report() if event[9] == INPUT_REPORT else feature
            self.put(GET_REPORT_REPLY, struct.pack("<IHH", number, 0, len(report)) + report)
        elif kind == SET_REPORT:
            self.settings = list(struct.unpack_from("<BBI", event, 4 + 8 + 1))
            self.put(SET_REPORT_REPLY, struct.pack("<IH", number, 0))


def devices() -> list[str]:
    folder = Path("/sys/bus/iio/devices")
    return [path.name for path in folder.glob("iio:device*")] if folder.exists() else []
