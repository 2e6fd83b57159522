# SPDX-License-Identifier: Apache-2.0
"""A sensor core of a Snapdragon machine, emulated by a thread: QMI service 400 on a QRTR socket of this machine."""

import random
import select
import socket
import struct
import threading
import time

from harness import run

FAMILY = getattr(socket, "AF_QIPCRTR", 42)
CONTROL_PORT = 0xFFFFFFFE
NEW_SERVER, DEL_CLIENT, SERVICE = 4, 6, 400
LOOK_UP = (0xABABABABABABABAB, 0xABABABABABABABAB)
# The sensors: type, identifier, stream type (1: on change), number of the event.
SENSORS = {"accel": ((1, 100), 0, 1025), "ambient_light": ((2, 200), 1, 1025), "proximity": ((3, 300), 1, 769), "rotv": ((4, 400), 0, 1025)}
RATE = 25


def varint(number: int) -> bytes:
    low = bytes()
    while number > 127:
        low, number = low + bytes([number & 127 | 128]), number >> 7
    return low + bytes([number])


def integer(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def double(field: int, value: int) -> bytes:
    return varint(field << 3 | 1) + struct.pack("<Q", value)


def text(field: int, value: bytes) -> bytes:
    return varint(field << 3 | 2) + varint(len(value)) + value


def real(field: int, value: float) -> bytes:
    return varint(field << 3 | 5) + struct.pack("<f", value)


def fields(data: bytes) -> dict[int, bytes | int]:
    """Return the last value of each field of a message."""
    found: dict[int, bytes | int] = {}
    position = 0

    def number() -> int:
        nonlocal position
        value = shift = 0
        while True:
            byte = data[position]
            position, value, shift = position + 1, value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value

    while position < len(data):
        tag = number()
        if tag & 7 == 0:
            found[tag >> 3] = number()
            continue
        size = {1: 8, 5: 4}.get(tag & 7) or number()
        found[tag >> 3] = data[position:position + size]
        position += size
    return found


def identifier(suid: tuple[int, int]) -> bytes:
    return double(1, suid[0]) + double(2, suid[1])


class Core:
    """Use as a context. `force` is the specific force in m/s², `near` the proximity.

    `answers`: "all", "acknowledgements", "refusals" or "nothing". Without `listed` the lists of sensors are empty. With `garbage`
    each sample is followed by a damaged message."""

    def __init__(self, answers: str = "all", listed: bool = True, available: bool = True, garbage: bool = False) -> None:
        self.answers, self.listed, self.available, self.garbage = answers, listed, available, garbage
        self.force = (0.0, 9.8, 0.0)
        self.streams: dict[tuple[tuple[int, int], str], float] = {}
        self.look_ups: set[tuple[tuple[int, int], str]] = set()
        self.watchers: set[tuple[tuple[int, int], str]] = set()
        self.stalled = False
        self.random = random.Random(400)
        run("modprobe", "qrtr")

    def __enter__(self) -> "Core":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        self.socket = socket.socket(FAMILY, socket.SOCK_DGRAM)
        self.node = self.socket.getsockname()[0]
        self.running = True
        self.streams.clear()
        self.look_ups.clear()
        self.socket.sendto(struct.pack("<5I", NEW_SERVER, SERVICE, 1, 0, 0), (self.node, CONTROL_PORT))
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def stop(self) -> None:
        """Remove the core: its clients are notified."""
        self.running = False
        self.thread.join()
        self.socket.close()

    def serve(self) -> None:
        while self.running:
            now = time.monotonic()
            wait = min([due for due in self.streams.values()], default=now + 0.1) - now
            if select.select([self.socket], [], [], min(max(wait, 0), 0.1))[0]:
                self.receive(*self.socket.recvfrom(65536))
            for stream, due in list(self.streams.items()):
                if due <= time.monotonic() and not self.stalled:
                    self.streams[stream] = due + 1 / RATE
                    self.sample(*stream)

    def receive(self, data: bytes, client: tuple[int, int]) -> None:
        if client[1] == CONTROL_PORT:
            if struct.unpack_from("<I", data)[0] == DEL_CLIENT:
                gone = struct.unpack_from("<2I", data, 4)
                for streams in (self.streams, self.look_ups, self.watchers):
                    for key in [key for key in streams if key[0] == gone]:
                        streams.pop(key) if isinstance(streams, dict) else streams.remove(key)
            return
        transaction = struct.unpack_from("<H", data, 1)[0]
        if self.answers == "nothing":
            return
        error = 3 if self.answers == "refusals" else 0
        self.send(struct.pack("<BHHHBHHH", 2, transaction, 0x20, 7, 2, 4, error and 1, error), client)
        if self.answers == "all":
            request = fields(data[12:12 + struct.unpack_from("<H", data, 10)[0]])
            suid = tuple(struct.unpack("<Q", value)[0] for _, value in sorted(fields(request[1]).items()))
            self.handle(client, suid, struct.unpack("<I", request[2])[0], fields(fields(request[4]).get(2, b"")))

    def handle(self, client: tuple[int, int], suid: tuple[int, ...], message: int, payload: dict[int, bytes | int]) -> None:
        if suid == LOOK_UP:
            kind = payload[1].decode()
            self.look_ups.add((client, kind))
            return self.offer(client, kind)
        kind = next(kind for kind, sensor in SENSORS.items() if sensor[0] == suid)
        if message == 1:
            self.watchers.add((client, kind))
            self.describe(client, kind)
        elif kind == "accel" and not self.available:
            self.report(client, suid, 130, integer(1, 6))
        elif message == 513:
            self.streams[client, kind] = time.monotonic()
        elif message == 514:
            self.sample(client, kind)

    def appear(self) -> None:
        """List the sensors, and make the accelerometer available."""
        self.listed = self.available = True
        for look_up in list(self.look_ups):
            self.offer(*look_up)
        for watcher in list(self.watchers):
            self.describe(*watcher)

    def offer(self, client: tuple[int, int], kind: str) -> None:
        found = text(2, identifier(SENSORS[kind][0])) if self.listed and kind in SENSORS else b""
        self.report(client, LOOK_UP, 768, text(1, kind.encode() + b"\0") + found)

    def describe(self, client: tuple[int, int], kind: str) -> None:
        suid, stream, _ = SENSORS[kind]
        values = {0: [text(2, f"{kind}-chip\0".encode())], 3: [integer(5, int(self.available or kind != "accel"))],
                  6: [real(3, 5), real(3, RATE), real(3, 100)], 16: [double(4, stream)]}
        self.report(client, suid, 128, b"".join(
            text(1, integer(1, number) + text(2, b"".join(text(1, value) for value in entries))) for number, entries in values.items()))

    def sample(self, client: tuple[int, int], kind: str) -> None:
        suid, _, message = SENSORS[kind]
        values = {"accel": self.force, "ambient_light": (120.0, 3.0), "rotv": (0.0, 0.0, 0.38268, 0.92388)}.get(kind)
        payload = integer(1, 1) if values is None else b"".join(real(1, value) for value in values) + integer(2, 3)
        self.report(client, suid, message, payload)
        if self.garbage:
            left = b"".join(real(1, value) for value in (9.8, 0.0, 0.0))
            whole = self.frame(suid, message, left)
            kinds = [
                self.random.randbytes(self.random.randrange(200)), whole[:self.random.randrange(len(whole))],
                self.frame(suid, message, real(1, float("nan")) * 3), self.frame(suid, message, left + real(1, 1.0)),
                self.frame((7, 7), message, left), self.frame(suid, message + 1, left),
                struct.pack("<BHHHBHH", 4, 0, 0x22, 5, 2, 60000, 60000)]
            self.send(self.random.choice(kinds), client)

    def report(self, client: tuple[int, int], suid: tuple[int, int], message: int, payload: bytes) -> None:
        self.send(self.frame(suid, message, payload), client)

    def frame(self, suid: tuple[int, int], message: int, payload: bytes) -> bytes:
        event = varint(1 << 3 | 5) + struct.pack("<I", message) + double(2, time.monotonic_ns() * 12 // 625) + text(3, payload)
        report = text(1, identifier(suid)) + text(2, event)
        values = struct.pack("<BHQBHH", 1, 8, 1, 2, len(report) + 2, len(report)) + report
        return struct.pack("<BHHH", 4, 0, 0x22, len(values)) + values

    def send(self, data: bytes, client: tuple[int, int]) -> None:
        try:
            self.socket.sendto(data, socket.MSG_DONTWAIT, client)
        except OSError:
            # The client has left, or does not read.
            pass
