# SPDX-License-Identifier: Apache-2.0
"""A minimal D-Bus client, and a private bus as the system bus."""

import contextlib
import os
import socket
import struct
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from attack import Environment, Skipped
from users import ATTACKER, DAEMON

POLKIT = Path(__file__).resolve().parents[2] / "Programs/EndToEndTests/Python/polkit.py"
CONFIGURATION = """<busconfig><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth><policy context="default">
<allow user="*"/><allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/><allow send_type="method_return"/>
<allow send_type="error"/><allow send_type="signal"/></policy></busconfig>"""
# Message types and header fields of the D-Bus specification.
CALL, RETURN, ERROR = 1, 2, 3
PATH, INTERFACE, MEMBER, ERROR_NAME, REPLY_SERIAL, DESTINATION = range(1, 7)
NO_AUTO_START = 2
BUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus")
SENSOR_PROXY = ("net.hadess.SensorProxy", "/net/hadess/SensorProxy")


class Refused(Exception):
    """An error reply, with the name of the error."""


def padded(data: bytes, to: int) -> bytes:
    return data + b"\0" * (-len(data) % to)


class BusClient:
    """A connection to a bus. A call raises Refused, OSError or EOFError."""

    def __init__(self, address: str, seconds: float) -> None:
        self.serial = 0
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(seconds)
        self.socket.connect(address)
        self.socket.sendall(b"\0AUTH EXTERNAL %s\r\nBEGIN\r\n" % str(os.getuid()).encode().hex().encode())
        while not self.receive(1) == b"\n":
            pass
        self.call(*BUS, "Hello")

    def receive(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                raise EOFError("the bus closed the connection")
            data += more
        return data

    def send(self, name: str, path: str, member: str, interface: str | None = None) -> int:
        """Send a call without arguments; return its serial."""
        self.serial += 1
        fields = b""
        for code, kind, text in ((PATH, b"o", path), (INTERFACE, b"s", interface or name), (MEMBER, b"s", member),
                                 (DESTINATION, b"s", name)):
            fields = padded(fields, 8) + struct.pack("<BB1sBI", code, 1, kind, 0, len(text)) + text.encode() + b"\0"
        header = struct.pack("<cBBBIII", b"l", CALL, NO_AUTO_START, 1, 0, self.serial, len(fields))
        self.socket.sendall(padded(header + fields, 8))
        return self.serial

    def answer(self, serial: int) -> None:
        """Wait for the reply to a call; ignore signals and other replies."""
        while True:
            head = self.receive(16)
            _, kind, _, _, body, _, length = struct.unpack("<cBBBIII", head)
            rest = self.receive(length + -length % 8 + body)
            found, name, at = 0, "", 0
            while at < length:
                code, _, signature = struct.unpack_from("<BB1s", rest, at)
                value = struct.unpack_from("<I", rest, at + 4)[0]
                if code == REPLY_SERIAL:
                    found = value
                if code == ERROR_NAME:
                    name = rest[at + 8:at + 8 + value].decode()
                # The length of a signature is one byte; other fields are strings, or integers of four bytes.
                at += {b"g": 4 + rest[at + 4] + 2, b"u": 8}.get(signature, 8 + value + 1)
                at += -at % 8
            if found == serial:
                if kind == ERROR:
                    raise Refused(name)
                return

    def call(self, name: str, path: str, member: str) -> None:
        self.answer(self.send(name, path, member))

    def claim(self) -> None:
        self.call(*SENSOR_PROXY, "ClaimAccelerometer")

    def close(self) -> None:
        self.socket.close()


@contextlib.contextmanager
def private_bus(environment: Environment) -> Iterator[str]:
    """Run a private bus as the system bus, with a polkit that allows everything; yield the path of its socket."""
    folder = environment.folder
    configuration, accounts, address = folder / "bus.conf", folder / "passwd", f"{folder}/bus"
    configuration.write_text(CONFIGURATION.format(folder=folder))
    # The bus accepts users with accounts only: its mount namespace has accounts for these users.
    lines = [f"attack{user}:x:{user}:{user}::/nonexistent:/usr/sbin/nologin\n" for user in range(DAEMON, ATTACKER + 100)]
    accounts.write_text(Path("/etc/passwd").read_text() + "".join(lines))
    mount = f"mount --bind '{accounts}' /etc/passwd && exec dbus-daemon --nofork --print-address --config-file '{configuration}'"
    variables = {"PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={address}"}
    with contextlib.ExitStack() as programs:
        for command in (["unshare", "--mount", "sh", "-c", mount], ["/usr/bin/python3", str(POLKIT), "allow"]):
            try:
                program = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=variables, cwd="/")
            except OSError as error:
                raise Skipped(str(error)) from error
            programs.callback(end, program)
            if not program.stdout.readline():
                raise Skipped("the bus or its polkit does not start")
            threading.Thread(target=discard, args=[program.stdout], daemon=True).start()
            os.chmod(address, 0o777)
        yield address


def discard(lines: IO[bytes]) -> None:
    """Read to the end: polkit prints a line for each check, and a full pipe would block it."""
    with lines:
        for _ in lines:
            pass


def end(program: subprocess.Popen) -> None:
    program.kill()
    program.wait()
