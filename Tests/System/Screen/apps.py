# SPDX-License-Identifier: Apache-2.0
"""A client of the agent's socket, `org.orientationd.Display`."""

import json
import socket

import session
from session import Failure

INTERFACE = "org.orientationd.Display"


class App:
    """A connection to the agent."""

    def __init__(self, room: session.Room) -> None:
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.settimeout(session.TIMEOUT)
        self.connection.connect(str(room.outside / "orientation-autorotate/socket"))
        self.received = b""

    def explain(self) -> dict:
        """Call Explain, and return the parameters of its reply."""
        self.connection.sendall(json.dumps({"method": f"{INTERFACE}.Explain"}).encode() + b"\0")
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

    def close(self) -> None:
        self.connection.close()
