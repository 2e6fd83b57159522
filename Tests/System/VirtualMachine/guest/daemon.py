# SPDX-License-Identifier: Apache-2.0
"""A daemon beside the service, as root, with its own socket and state."""

import subprocess
import tempfile
from pathlib import Path

from harness import eventually
from varlink import Watcher


class Daemon:
    """Use as a context; it has a subscriber."""

    def __init__(self, sensor: str, *options: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.socket = str(Path(self.folder.name, "socket"))
        self.log = Path(self.folder.name, "log")
        with open(self.log, "w") as output:
            self.process = subprocess.Popen(
                ["orientationd", "--sensor", sensor, "--socket", self.socket, "--state-directory", self.folder.name, *options],
                stdout=output, stderr=output)

    def __enter__(self) -> "Daemon":
        try:
            eventually("the socket of a second daemon", Path(self.socket).exists)
            self.watcher = Watcher(self.socket)
        except Exception:
            self.end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.watcher.socket.close()
        self.end()

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()
