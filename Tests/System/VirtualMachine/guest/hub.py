# SPDX-License-Identifier: Apache-2.0
"""A HID sensor hub with accelerometers, as in convertibles, emulated with /dev/uhid.

The kernel's drivers make an IIO device of each, with a trigger and a buffer.
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


def descriptor(count: int) -> bytes:
    """Encode a hub with accelerometers, whose reports have numbers from 1."""
    sensors = b"".join(usage(0x0073) + accelerometer(number) for number in range(1, count + 1))
    return item(0x04, 0x20) + usage(0x0001) + collection(1, sensors)


def accelerometer(number: int) -> bytes:
    """Encode an accelerometer: its features (reporting, power, interval in ms) and its input report in mg."""
    interval = (usage(0x030E) + item(0x14, 0) + item(0x24, 0x7FFFFFFF) + item(0x74, 32) + item(0x94, 1)
                + item(0x54, 0) + item(0xB0, 2))
    axes = b"".join(
        usage(0x0453 + axis) + item(0x14, -32767) + item(0x24, 32767) + item(0x74, 16) + item(0x94, 1)
        + item(0x54, -3 & 15) + item(0x80, 2) for axis in range(3))
    return collection(0, item(0x84, number), selector(0x0316, 0x0840, 6), selector(0x0319, 0x0850, 6), interval, axes)


class Hub:
    """The hub, plugged in until `unplug`. Its accelerometers start in faceUp."""

    def __init__(self, count: int = 1) -> None:
        run("modprobe", "uhid")
        self.readings = [(0.0, 0.0, -GRAVITY)] * count
        self.settings = [[1, 1, 100] for _ in range(count)]
        # Whether it stopped reporting, as some firmware does after system sleep.
        self.hangs = False
        self.node = os.open("/dev/uhid", os.O_RDWR | os.O_CLOEXEC)
        contents = descriptor(count)
        before = set(devices())
        self.put(CREATE, struct.pack(
            "<128s64s64sHHIIII", b"sensor hub", b"", b"", len(contents), BUS_I2C, 0x1234, 0x5678, 0, 0) + contents)
        self.is_ending = False
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()
        names = eventually(
            "the hub's accelerometers in /sys", lambda: new if len(new := set(devices()) - before) == count else None)
        # The drivers need not bind in the order of the reports, which is that of the parents: HID-SENSOR-200073.3.auto.
        self.devices = sorted(
            (Path("/sys/bus/iio/devices", name) for name in names), key=lambda path: int(parent(path).split(".")[1]))
        self.device = self.devices[0]
        run("udevadm", "settle")

    def hold(self, x: float, y: float, z: float, sensor: int = 0) -> None:
        """Set the specific force in m/s². HID has the opposite sign."""
        self.readings[sensor] = (-x, -y, -z)

    def unplug(self) -> None:
        if self.is_ending:
            return
        self.is_ending = True
        self.thread.join()
        self.put(DESTROY, b"")
        os.close(self.node)
        eventually("removal of the accelerometers", lambda: not any(device.exists() for device in self.devices))

    def is_captured(self) -> bool:
        return (self.device / "buffer/enable").read_text().strip() == "1"

    def put(self, kind: int, contents: bytes) -> None:
        os.write(self.node, (struct.pack("<I", kind) + contents).ljust(EVENT_SIZE, b"\0"))

    def report(self, sensor: int) -> bytes:
        axes = [round(value / GRAVITY * 1000) for value in self.readings[sensor]]
        return struct.pack("<B3h", sensor + 1, *axes)

    def serve(self) -> None:
        """Answer the driver, and send readings at the intervals that it set."""
        due = [time.monotonic()] * len(self.readings)
        while not self.is_ending:
            if select.select([self.node], [], [], max(min(min(due) - time.monotonic(), 0.1), 0))[0]:
                self.answer(os.read(self.node, EVENT_SIZE))
            for sensor, (reporting, power, interval) in enumerate(self.settings):
                if time.monotonic() < due[sensor]:
                    continue
                due[sensor] = max(due[sensor], time.monotonic() - 1) + max(interval, 10) / 1000
                if reporting == ALL_EVENTS and power == FULL_POWER and not self.hangs:
                    report = self.report(sensor)
                    self.put(INPUT, struct.pack("<H", len(report)) + report)

    def answer(self, event: bytes) -> None:
        kind, number = struct.unpack_from("<II", event)
        sensor = event[8] - 1
        if kind == GET_REPORT and event[9] == INPUT_REPORT and self.hangs:
            return  # The kernel times out and returns zeros.
        if kind == GET_REPORT:
            feature = struct.pack("<BBBI", sensor + 1, *self.settings[sensor])
            report = self.report(sensor) if event[9] == INPUT_REPORT else feature
            self.put(GET_REPORT_REPLY, struct.pack("<IHH", number, 0, len(report)) + report)
        elif kind == SET_REPORT:
            self.settings[sensor] = list(struct.unpack_from("<BBI", event, 4 + 8 + 1))
            self.put(SET_REPORT_REPLY, struct.pack("<IH", number, 0))


def parent(device: Path) -> str:
    """Return the name of the device of the driver of an IIO device."""
    return device.resolve().parent.name


def devices() -> list[str]:
    folder = Path("/sys/bus/iio/devices")
    return [path.name for path in folder.glob("iio:device*")] if folder.exists() else []
