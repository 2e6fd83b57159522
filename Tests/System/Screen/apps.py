# SPDX-License-Identifier: Apache-2.0
"""A client of the agent's socket, `org.orientationd.Interface`."""

import json
import socket

import session
from session import Failure

INTERFACE = "org.orientationd.Interface"


class App:
    """A connection to the agent."""

    def __init__(self, room: session.Room) -> None:
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.settimeout(session.TIMEOUT)
        self.connection.connect(str(room.outside / "orientation-autorotate/socket"))
        self.received = b""

    def call(self, method: str, parameters: dict, more: bool = False) -> dict:
        """Call a method, and return the parameters of the first reply."""
        call = {"method": f"{INTERFACE}.{method}", "parameters": parameters} | ({"more": True} if more else {})
        self.connection.sendall(json.dumps(call).encode() + b"\0")
        return self.reply()

    def reply(self) -> dict:
        while b"\0" not in self.received:
            try:
                part = self.connection.recv(1 << 16)
            except OSError as error:
                raise Failure(f"the agent does not reply: {error}") from None
            if not part:
                raise Failure("the agent closed the connection")
            self.received += part
        text, _, self.received = self.received.partition(b"\0")
        reply = json.loads(text)
        if error := reply.get("error"):
            raise Failure(f"{error}: {reply.get('parameters')}")
        return reply["parameters"]

    def explain(self) -> dict:
        return self.call("Explain", {})

    def hold(self, supported: list[str], more: bool = True) -> dict:
        return self.call("Hold", {"supported": supported}, more)

    def send_raw(self, data: bytes) -> None:
        """Send bytes, as far as the agent accepts them."""
        try:
            self.connection.sendall(data)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def is_closed(self, wait: bool = True) -> bool:
        """Return whether the agent closed the connection."""
        self.connection.settimeout(session.TIMEOUT if wait else 0.01)
        try:
            while self.connection.recv(1 << 16):
                pass
            return True
        except ConnectionError:
            return True
        except (TimeoutError, BlockingIOError):
            return False

    def close(self) -> None:
        self.connection.close()
