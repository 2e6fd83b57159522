# SPDX-License-Identifier: Apache-2.0
"""A minimal Varlink client."""

import json
import socket
import struct

ORIENTATION = "org.orientationd.Orientation"
GET = f"{ORIENTATION}.Get"
# The timeout of a reply in seconds. Not a measure of latency: a daemon that exceeds it serves no client.
ANSWER = 5.0


class Refused(Exception):
    """The service replied with an error."""


def message(method: str, more: bool = False, **parameters: object) -> bytes:
    call: dict[str, object] = {"method": method}
    if parameters:
        call["parameters"] = parameters
    if more:
        call["more"] = True
    return json.dumps(call).encode() + b"\0"


class Client:
    """A connection. A call raises Refused, EOFError or OSError (BlockingIOError after ANSWER seconds)."""

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
        """Set the timeout of a call in the kernel: with Python's timeouts connect(2) would not wait for a full queue of the
        listening socket."""
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
        """Subscribe to the orientation; return the first state."""
        self.socket.sendall(message(f"{ORIENTATION}.Monitor", more=True))
        return self.receive()


def connect_all(path: str, count: int) -> list[Client]:
    """Return up to `count` connections, as many as the service accepts."""
    clients = []
    for _ in range(count):
        try:
            clients.append(Client(path))
        except OSError:
            break
    return clients
