# SPDX-License-Identifier: Apache-2.0
"""A minimal Varlink client."""

import json
import socket
import time
from collections.abc import Callable

from harness import TIMEOUT, TestFailure

SOCKET = "/run/orientationd/orientationd.sock"


class Client:
    """A connection."""

    def __init__(self, path: str = SOCKET) -> None:
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(TIMEOUT)
        self.socket.connect(path)
        self.rest = b""

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, method: str, more: bool = False, **parameters: object) -> None:
        call = {"method": f"org.orientationd.{method}", "parameters": parameters, "more": more}
        self.socket.sendall(json.dumps(call).encode() + b"\0")

    def receive(self) -> dict:
        while b"\0" not in self.rest:
            data = self.socket.recv(65536)
            if not data:
                raise EOFError
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        reply = json.loads(message)
        if "error" in reply:
            raise TestFailure(f"{reply['error']} {reply.get('parameters', {})}")
        return reply["parameters"]

    def call(self, method: str, **parameters: object) -> dict:
        self.send(method, **parameters)
        return self.receive()


class Watcher(Client):
    """A subscriber to the orientation."""

    def __init__(self, path: str = SOCKET) -> None:
        super().__init__(path)
        self.send("Orientation.Monitor", more=True)
        self.state = self.receive()["state"]

    def wait(self, what: str, holds: Callable[[dict], bool]) -> dict:
        """Wait for a state that matches, and return it."""
        end = time.monotonic() + TIMEOUT
        while not holds(self.state):
            self.socket.settimeout(max(end - time.monotonic(), 0.01))
            try:
                self.state = self.receive()["state"]
            except TimeoutError as error:
                last = self.state.get("reason") or self.state["orientation"]
                raise TestFailure(f"timed out: {what}; last state: {last}") from error
        return self.state

    def wait_for(self, orientation: str) -> dict:
        return self.wait(orientation, lambda state: state["orientation"] == orientation)


def state() -> dict:
    with Client() as client:
        return client.call("Orientation.Get")["state"]
