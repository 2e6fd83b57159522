# SPDX-License-Identifier: Apache-2.0
"""A hostile board on the network: a TCP server with the part of iiod's protocol that libiio needs to open it."""

import contextlib
import socket
import threading
from collections.abc import Callable
from pathlib import Path

# The document type of libiio's contexts.
DTD = """<?xml version="1.0" encoding="utf-8"?><!DOCTYPE context [<!ELEMENT context (device | context-attribute)*>
<!ELEMENT context-attribute EMPTY><!ELEMENT device (channel | attribute | debug-attribute | buffer-attribute)*>
<!ELEMENT channel (scan-element?, attribute*)><!ELEMENT attribute EMPTY><!ELEMENT scan-element EMPTY>
<!ATTLIST context name CDATA #REQUIRED description CDATA #IMPLIED>
<!ATTLIST device id CDATA #REQUIRED name CDATA #IMPLIED label CDATA #IMPLIED>
<!ATTLIST channel id CDATA #REQUIRED type (input|output) #REQUIRED name CDATA #IMPLIED>
<!ATTLIST scan-element index CDATA #REQUIRED format CDATA #REQUIRED scale CDATA #IMPLIED>
<!ATTLIST attribute name CDATA #REQUIRED filename CDATA #IMPLIED>]>"""


def context(name: str = "accel", label: str = "display", more: str = "") -> bytes:
    """Return the XML of a board with one accelerometer; names may contain character references."""
    channels = "".join(
        f'<channel id="accel_{axis}" type="input"><attribute name="raw" filename="in_accel_{axis}_raw"/>'
        '<attribute name="scale" filename="in_accel_scale"/></channel>' for axis in "xyz")
    return (f'{DTD}<context name="network" description="{name}"><device id="iio:device0" name="{name}" label="{label}">'
            f'{channels}<attribute name="label"/>{more}</device></context>').encode()


def plain(attribute: str) -> bytes:
    """Return the value of an attribute, for a device in faceUp."""
    # The name includes the channel's in some versions of libiio only.
    if attribute.endswith("scale"):
        return b"0.001"
    return b"9810" if "z" in attribute else b"0"


class Board:
    """Serves until its process ends: `xml` returns the context, `read` the value of an attribute."""

    def __init__(self, xml: Callable[[], bytes], read: Callable[[str], bytes] = plain) -> None:
        self.xml, self.read = xml, read
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]

    def serve(self) -> None:
        while True:
            connection = self.listener.accept()[0]
            threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    def talk(self, connection: socket.socket) -> None:
        with connection, contextlib.suppress(OSError):
            for line in connection.makefile("rb"):
                connection.sendall(self.answer(line.strip()))

    def answer(self, line: bytes) -> bytes:
        if line == b"VERSION":
            return b"0.24.0000000\n"
        if line == b"PRINT":
            xml = self.xml()
            return b"%d\n%s\n" % (len(xml), xml)
        # READ iio:device0 INPUT accel_x raw; READ iio:device0 label
        if line.startswith(b"READ "):
            words = line.decode().split()
            value = self.read("_".join(words[3:])) + b"\0"
            return b"%d\n%s\n" % (len(value), value)
        return b"0\n" if line.startswith((b"TIMEOUT", b"SET")) else b"-22\n"


class Fetches:
    """An HTTP server that should get no request; writes each request to a file."""

    def __init__(self, note: Path, answer: Callable[[int], bytes]) -> None:
        self.note, self.answer = note, answer
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]

    def serve(self) -> None:
        while True:
            connection = self.listener.accept()[0]
            with connection, contextlib.suppress(OSError):
                connection.settimeout(2)
                asked = connection.recv(4096).split(b"\r\n")[0]
                with open(self.note, "ab") as note:
                    note.write(asked + b"\n")
                body = self.answer(self.port)
                connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
