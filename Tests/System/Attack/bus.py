# SPDX-License-Identifier: Apache-2.0
"""A minimal D-Bus client, and a private bus with the policy of the system bus."""

import contextlib
import os
import re
import socket
import struct
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from attack import Environment, Skipped
from users import ATTACKER, DAEMON

ROOT = Path(__file__).resolve().parents[3]
POLKIT = ROOT / "Tests/Programs/EndToEndTests/Python/polkit.py"
SYSTEM = Path("/usr/share/dbus-1/system.conf")
CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path={address}</listen><auth>EXTERNAL</auth>{policies}
<policy user="root"><allow own="org.freedesktop.PolicyKit1"/></policy>
<policy context="default"><allow send_destination="org.freedesktop.PolicyKit1"/></policy></busconfig>"""
# dbus-broker-launch executes dbus-broker in /usr/bin, takes its socket as systemd passes it, logs to the journal, and is itself
# a client of the bus. Neither is installed, which would make it the bus of this machine.
COMMANDS = {
    "dbus-daemon": "exec dbus-daemon --nofork --print-address --config-file '{folder}/bus.conf'",
    "dbus-broker": "mount -t overlay none -o lowerdir='{programs}/dbus-broker:/usr/bin' /usr/bin && "
    "mount -t tmpfs none /run && mkdir -p /run/systemd/journal && "
    "mount --bind '{folder}/journal' /run/systemd/journal && echo && "
    "LISTEN_FDS=1 LISTEN_PID=$$ exec dbus-broker-launch --scope system --config-file '{folder}/bus.conf'",
}
# Message types, flags and header fields of the D-Bus specification.
CALL, RETURN, ERROR, SIGNAL = range(1, 5)
NO_REPLY, NO_AUTO_START = 1, 2
PATH, INTERFACE, MEMBER, ERROR_NAME, REPLY_SERIAL, DESTINATION, SENDER, SIGNATURE = range(1, 9)
TYPES = {PATH: b"o", REPLY_SERIAL: b"u", SIGNATURE: b"g"}
BUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus")
SENSOR_PROXY = ("net.hadess.SensorProxy", "/net/hadess/SensorProxy")
PROPERTIES = "org.freedesktop.DBus.Properties"


class Refused(Exception):
    """An error reply, with the name of the error."""


def padded(data: bytes, to: int) -> bytes:
    return data + b"\0" * (-len(data) % to)


def strings(*values: str, data: bytes = b"") -> bytes:
    """Append strings to a body."""
    for value in values:
        data = padded(data, 4) + struct.pack("<I", len(value.encode())) + value.encode() + b"\0"
    return data


def dictionary(values: dict[str, str], data: bytes) -> bytes:
    """Append a dictionary of variants with strings to a body."""
    at = len(padded(data, 4))
    start = data = padded(padded(data, 4) + bytes(4), 8)
    for name, value in values.items():
        data = strings(value, data=strings(name, data=padded(data, 8)) + b"\1s\0")
    return data[:at] + struct.pack("<I", len(data) - len(start)) + data[at + 4:]


def header_field(code: int, value: str | int) -> bytes:
    kind = TYPES.get(code, b"s")
    head = struct.pack("<BB1sB", code, 1, kind, 0)
    if kind == b"u":
        return head + struct.pack("<I", value)
    return head + (struct.pack("<B", len(value)) + value.encode() + b"\0" if kind == b"g" else strings(value))


@dataclass
class Message:
    """A message to send, or a received one."""

    kind: int
    fields: dict[int, str | int]
    body: bytes = b""
    flags: int = NO_AUTO_START

    def data(self, serial: int) -> bytes:
        fields = b""
        for code, value in self.fields.items():
            fields = padded(fields, 8) + header_field(code, value)
        header = struct.pack("<cBBBIII", b"l", self.kind, self.flags, 1, len(self.body), serial, len(fields))
        return padded(header + fields, 8) + self.body


def call(name: str, path: str, interface: str, member: str, *arguments: str, flags: int = NO_AUTO_START) -> Message:
    """Return a call with strings as arguments."""
    fields = {PATH: path, INTERFACE: interface, MEMBER: member, DESTINATION: name}
    if arguments:
        fields[SIGNATURE] = "s" * len(arguments)
    return Message(CALL, fields, strings(*arguments), flags)


def signal(path: str, interface: str, member: str, *arguments: str, to: str | None = None) -> Message:
    """Return a signal with strings as arguments, for one client or for all."""
    fields = {PATH: path, INTERFACE: interface, MEMBER: member, SIGNATURE: "s" * len(arguments)}
    return Message(SIGNAL, fields | ({DESTINATION: to} if to else {}), strings(*arguments))


def properties_changed(path: str, interface: str, values: dict[str, str], to: str | None = None) -> Message:
    message = signal(path, PROPERTIES, "PropertiesChanged", interface, to=to)
    message.fields[SIGNATURE] = "sa{sv}as"
    message.body = padded(dictionary(values, message.body), 4) + bytes(4)
    return message


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
        self.name = self.ask("Hello")[0]

    def receive(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                raise EOFError("the bus closed the connection")
            data += more
        return data

    def next(self) -> Message:
        """Return the next message, with the header fields that are strings or integers of four bytes."""
        _, kind, flags, _, body, _, length = struct.unpack("<cBBBIII", self.receive(16))
        rest, fields, at = self.receive(length + -length % 8 + body), {}, 0
        while at < length:
            code, _, signature = struct.unpack_from("<BB1s", rest, at)
            value = struct.unpack_from("<I", rest, at + 4)[0]
            if signature in (b"s", b"o"):
                fields[code] = rest[at + 8:at + 8 + value].decode()
            elif signature == b"u":
                fields[code] = value
            # The length of a signature is one byte.
            at += {b"g": 4 + rest[at + 4] + 2, b"u": 8}.get(signature, 8 + value + 1)
            at += -at % 8
        return Message(kind, fields, rest[length + -length % 8:], flags)

    def send(self, message: Message) -> int:
        """Send a message; return its serial."""
        self.serial += 1
        self.socket.sendall(message.data(self.serial))
        return self.serial

    def answer(self, serial: int) -> Message:
        """Return the reply to a call; ignore signals and other replies."""
        while True:
            message = self.next()
            if message.fields.get(REPLY_SERIAL) == serial:
                if message.kind == ERROR:
                    raise Refused(message.fields[ERROR_NAME])
                return message

    def call(self, message: Message) -> Message:
        return self.answer(self.send(message))

    def ask(self, member: str, *arguments: str) -> list[str]:
        """Call a method of the bus that returns a string, or a list of strings."""
        body, found = self.call(call(*BUS, BUS[0], member, *arguments)).body, []
        at = 0 if member != "ListNames" else 4
        while at < len(body):
            length, = struct.unpack_from("<I", body, at)
            found.append(body[at + 4:at + 4 + length].decode())
            at += 4 + length + 1
            at += -at % 4
        return found

    def claim(self, sensor: str = "Accelerometer") -> None:
        self.call(claim(sensor))

    def close(self) -> None:
        self.socket.close()


def claim(sensor: str, method: str = "Claim", flags: int = NO_AUTO_START) -> Message:
    return call(*SENSOR_PROXY, SENSOR_PROXY[0], method + sensor, flags=flags)


def policies() -> str:
    """Return the policies of the system bus, and that of the daemon for its user here."""
    if not SYSTEM.exists():
        raise Skipped(f"{SYSTEM}: not found")
    own = (ROOT / "dbus/org.orientationd.conf").read_text().replace('"orientationd"', f'"attack{DAEMON}"')
    return "".join(re.findall("<policy.*?</policy>", re.sub("<!--.*?-->", "", SYSTEM.read_text() + own, flags=re.S), re.S))


@contextlib.contextmanager
def private_bus(environment: Environment, kind: str, polkit: str) -> Iterator[str]:
    """Run a private bus as the system bus, with a replacement of polkit; yield the path of its socket."""
    folder = environment.folder
    if kind == "dbus-broker" and not (environment.programs / kind).exists():
        raise Skipped(f"{kind}: not found")
    accounts, address = folder / "passwd", f"{folder}/bus"
    (folder / "bus.conf").write_text(CONFIGURATION.format(address=address, policies=policies()))
    # The bus accepts users with accounts only: its mount namespace has accounts for these users.
    lines = [f"attack{user}:x:{user}:{user}::/nonexistent:/usr/sbin/nologin\n" for user in range(DAEMON, ATTACKER + 100)]
    accounts.write_text(Path("/etc/passwd").read_text() + "".join(lines))
    mount = f"mount --bind '{accounts}' /etc/passwd && " + COMMANDS[kind].format(folder=folder, programs=environment.programs)
    variables = {"PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={address}"}
    (folder / "journal").mkdir()
    with contextlib.ExitStack() as programs:
        listener = programs.enter_context(socket.socket(socket.AF_UNIX))
        journal = programs.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        journal.bind(f"{folder}/journal/socket")
        # Before the socket is closed, which would not end the thread.
        programs.callback(journal.shutdown, socket.SHUT_RDWR)
        threading.Thread(target=discard, args=[journal.makefile("rb", 0)], daemon=True).start()
        if kind == "dbus-broker":
            listener.bind(address)
            listener.listen(64)
        for command in (["unshare", "--mount", "sh", "-c", mount], ["/usr/bin/python3", str(POLKIT), polkit]):
            try:
                program = subprocess.Popen(
                    # The bus logs each call that it refuses.
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=variables, cwd="/",
                    preexec_fn=lambda: os.dup2(listener.fileno(), 3), pass_fds=(3,))
            except OSError as error:
                raise Skipped(str(error)) from error
            programs.callback(end, program)
            if not program.stdout.readline():
                raise Skipped("the bus or its polkit does not start")
            threading.Thread(target=discard, args=[program.stdout], daemon=True).start()
            os.chmod(address, 0o777)
        yield address


def discard(lines: IO[bytes]) -> None:
    """Read to the end: polkit prints a line for each check, the broker logs each refusal, and a full pipe would block them."""
    with lines:
        for _ in lines:
            pass


def end(program: subprocess.Popen) -> None:
    # dbus-broker-launch ends the broker.
    program.terminate()
    program.wait()
