# SPDX-License-Identifier: Apache-2.0
"""A HID sensor hub with accelerometers and Intel's hinge sensor, as in convertibles, emulated with /dev/uhid.

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
# By these the kernel knows Intel's hinge among the custom sensors.
HINGE_MAKER, HINGE_SERIAL = "INTEL", "LUID:020B000000000000"


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


def descriptor(count: int, has_hinge: bool) -> bytes:
    """Encode a hub with accelerometers in mg, then the hinge in degrees; their reports have numbers from 1."""
    sensors = [usage(0x0073) + sensor(number, 0x0453, -3) for number in range(1, count + 1)]
    if has_hinge:
        texts = text(0x0305, HINGE_MAKER) + text(0x0307, HINGE_SERIAL)
        sensors.append(usage(0x00E1) + sensor(count + 1, 0x0544, 0, texts))
    return item(0x04, 0x20) + usage(0x0001) + collection(1, *sensors)


def sensor(number: int, first: int, exponent: int, features: bytes = b"") -> bytes:
    """Encode a sensor: its features (reporting, power, interval in ms, and others) and an input report of three values."""
    interval = (usage(0x030E) + item(0x14, 0) + item(0x24, 0x7FFFFFFF) + item(0x74, 32) + item(0x94, 1)
                + item(0x54, 0) + item(0xB0, 2))
    values = b"".join(
        usage(first + index) + item(0x14, -32767) + item(0x24, 32767) + item(0x74, 16) + item(0x94, 1)
        + item(0x54, exponent & 15) + item(0x80, 2) for index in range(3))
    return collection(
        0, item(0x84, number), selector(0x0316, 0x0840, 6), selector(0x0319, 0x0850, 6), interval, features, values)


def text(name: int, value: str) -> bytes:
    """Encode a constant feature with a text in UTF-16."""
    return usage(name) + item(0x14, 0) + item(0x24, 0x7FFF) + item(0x74, 16) + item(0x94, len(value)) + item(0xB0, 3)


class Hub:
    """The hub, plugged in until `unplug`. Its accelerometers start in faceUp, its hinge at 180°."""

    def __init__(self, count: int = 1, has_hinge: bool = False) -> None:
        run("modprobe", "uhid")
        if has_hinge:
            # The driver reads the serial number when it is probed, but the kernel drops what a hub sends while it is added: udev
            # has to load the driver after that.
            run("modprobe", "--remove", "hid-sensor-custom")
        # In mg and degrees. HID has the opposite sign of the specific force.
        self.readings = [(0, 0, -1000)] * count + [(180, 180, 0)] * has_hinge
        self.hinge = count if has_hinge else None
        # How often the next reads of the hinge return zeros, as some firmware does.
        self.zeros = 0
        self.settings = [[1, 1, 100] for _ in self.readings]
        self.node = os.open("/dev/uhid", os.O_RDWR | os.O_CLOEXEC)
        contents = descriptor(count, has_hinge)
        before = set(devices())
        self.put(CREATE, struct.pack(
            "<128s64s64sHHIIII", b"sensor hub", b"", b"", len(contents), BUS_I2C, 0x1234, 0x5678, 0, 0) + contents)
        self.is_ending = False
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()
        names = eventually(
            "the hub's sensors in /sys", lambda: new if len(new := set(devices()) - before) == len(self.readings) else None)
        self.devices = sorted((Path("/sys/bus/iio/devices", name) for name in names), key=place)
        self.device = self.devices[0]
        run("udevadm", "settle")

    def hold(self, x: float, y: float, z: float, sensor: int = 0) -> None:
        """Set the specific force in m/s²."""
        self.readings[sensor] = tuple(round(-value / GRAVITY * 1000) for value in (x, y, z))

    def unplug(self) -> None:
        if self.is_ending:
            return
        self.is_ending = True
        self.thread.join()
        self.put(DESTROY, b"")
        os.close(self.node)
        eventually("removal of the sensors", lambda: not any(device.exists() for device in self.devices))

    def is_captured(self) -> bool:
        return (self.device / "buffer/enable").read_text().strip() == "1"

    def put(self, kind: int, contents: bytes) -> None:
        os.write(self.node, (struct.pack("<I", kind) + contents).ljust(EVENT_SIZE, b"\0"))

    def report(self, sensor: int) -> bytes:
        return struct.pack("<B3h", sensor + 1, *self.readings[sensor])

    def read(self, sensor: int) -> bytes:
        if sensor == self.hinge and self.zeros:
            self.zeros -= 1
            return struct.pack("<B3h", sensor + 1, 0, 0, 0)
        return self.report(sensor)

    def features(self, sensor: int) -> bytes:
        texts = HINGE_MAKER + HINGE_SERIAL if sensor == self.hinge else ""
        return struct.pack("<BBBI", sensor + 1, *self.settings[sensor]) + texts.encode("utf-16-le")

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
                if reporting == ALL_EVENTS and power == FULL_POWER:
                    report = self.report(sensor)
                    self.put(INPUT, struct.pack("<H", len(report)) + report)

    def answer(self, event: bytes) -> None:
        kind, number = struct.unpack_from("<II", event)
        sensor = event[8] - 1
        if kind == GET_REPORT:
            report = self.read(sensor) if event[9] == INPUT_REPORT else self.features(sensor)
            self.put(GET_REPORT_REPLY, struct.pack("<IHH", number, 0, len(report)) + report)
        elif kind == SET_REPORT:
            self.settings[sensor] = list(struct.unpack_from("<BBI", event, 4 + 8 + 1))
            self.put(SET_REPORT_REPLY, struct.pack("<IH", number, 0))


def parent(device: Path) -> str:
    """Return the name of the device of the driver of an IIO device."""
    return device.resolve().parent.name


def place(device: Path) -> tuple[bool, int]:
    """Return the place of an IIO device in the order of the reports.

    The drivers need not bind in it. It is that of the parents, such as HID-SENSOR-200073.3.auto; that of the hinge is last, and
    has no number in Linux 6.1."""
    kind, *number = parent(device).split(".")
    return kind.startswith("HID-SENSOR-INT"), int(number[0]) if number else 0


def devices() -> list[str]:
    folder = Path("/sys/bus/iio/devices")
    return [path.name for path in folder.glob("iio:device*")] if folder.exists() else []
