# SPDX-License-Identifier: Apache-2.0
"""A Varlink client with as little in it as an attacker needs."""

import json
import socket
import struct

ORIENTATION = "org.orientationd.Orientation"
GET = f"{ORIENTATION}.Get"
# Seconds in which a reply has to arrive. Not a measure of speed: a daemon that is silent for so long is taken to serve no
# client at all.
ANSWER = 5.0


class Refused(Exception):
    """The service answered with an error."""


def message(method: str, more: bool = False, **parameters: object) -> bytes:
    call: dict[str, object] = {"method": method}
    if parameters:
        call["parameters"] = parameters
    if more:
        call["more"] = True
    return json.dumps(call).encode() + b"\0"


class Client:
    """One connection; a call raises Refused, EOFError or OSError (BlockingIOError after ANSWER seconds)."""

    def __init__(self, path: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.limit(ANSWER)
        try:
            self.socket.connect(path)
        except OSError:
            self.socket.close()
            raise
        self.rest = b""

    def limit(self, seconds: float) -> None:
        """How long a call may take. Kept by the kernel: with a timeout of Python's, connecting would not wait for room in
        the listening socket's queue."""
        value = struct.pack("@ll", int(seconds), int(seconds % 1 * 1e6) or 1)
        for name in (socket.SO_SNDTIMEO, socket.SO_RCVTIMEO):
            self.socket.setsockopt(socket.SOL_SOCKET, name, value)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def receive(self) -> dict:
        while b"\0" not in self.rest:
            data = self.socket.recv(1 << 16)
            if not data:
                raise EOFError("the connection was closed")
            self.rest += data
        first, self.rest = self.rest.split(b"\0", 1)
        reply = json.loads(first)
        if "error" in reply:
            raise Refused(f"{reply['error']} {reply.get('parameters', '')}")
        return reply.get("parameters", {})

    def call(self, method: str, **parameters: object) -> dict:
        self.socket.sendall(message(method, **parameters))
        return self.receive()

    def monitor(self) -> dict:
        """Subscribes to the orientation; returns the first state."""
        self.socket.sendall(message(f"{ORIENTATION}.Monitor", more=True))
        return self.receive()


def connect_all(path: str, count: int) -> list[Client]:
    """As many connections as the service takes, up to `count`."""
    clients = []
    for _ in range(count):
        try:
            clients.append(Client(path))
        except OSError:
            break
    return clients
