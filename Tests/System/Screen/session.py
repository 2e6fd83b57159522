# SPDX-License-Identifier: Apache-2.0
"""A room for one compositor: an own directory in the chroot, and the processes of a session in it."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

# Seconds until an awaited change counts as missing: programs can be without a processor for many.
TIMEOUT = 60.0
# Seconds between two looks.
PAUSE = 0.02


class Failure(Exception):
    """A failed test, with what was observed."""


class Room:
    """Starts programs in the chroot, with a runtime directory of their own, and ends them."""

    def __init__(self, root: Path, name: str) -> None:
        self.root = root
        # As the programs see it.
        self.directory = f"/run/{name}"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.environment = {
            "PATH": "/run/programs:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": self.directory, "LANG": "C.UTF-8",
            "XDG_RUNTIME_DIR": self.directory, "ORIENTATIOND_SOCKET": f"{self.directory}/orientationd.sock",
            "QT_LOGGING_RULES": "*.debug=false",
        }
        self.outside.mkdir(mode=0o700)

    @property
    def outside(self) -> Path:
        """The directory as this process sees it."""
        return Path(f"{self.root}{self.directory}")

    def write(self, name: str, text: str) -> None:
        path = self.outside / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    def read(self, name: str) -> str:
        path = self.outside / name
        return path.read_text(errors="replace") if path.exists() else ""

    def sockets(self) -> set[str]:
        return {path.name for path in self.outside.glob("wayland-*") if path.is_socket()}

    def first(self, pattern: str) -> str:
        """Return the path of a file as the programs see it."""
        return f"{self.directory}/{next(self.outside.glob(pattern)).name}"

    def _inside(self, command: list[str]) -> list[str]:
        return ["chroot", str(self.root), *command]

    def start(self, command: list[str], log: str, **environment: str) -> subprocess.Popen[bytes]:
        """Start a program whose output goes to a log."""
        with open(self.outside / log, "ab") as file:
            process = subprocess.Popen(
                self._inside(command), env=self.environment | environment, stdin=subprocess.DEVNULL, stdout=file,
                stderr=file, start_new_session=True)
        self.processes.append(process)
        return process

    def run(self, command: list[str], check: bool = False) -> subprocess.CompletedProcess[str]:
        """Run a program to its end."""
        result = subprocess.run(
            self._inside(command), env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            timeout=TIMEOUT, check=False)
        if check and result.returncode != 0:
            raise Failure(f"{' '.join(command)}: exit status {result.returncode}: {result.stderr.strip()[-300:]}")
        return result

    def tool(self, *words: str, check: bool = False) -> subprocess.CompletedProcess[str]:
        """Run orientationctl; by default its calls time out after 5 s. It ends before the timeout here, and says why."""
        return self.run(["orientationctl", "--timeout", f"{TIMEOUT / 2:.0f}", *words], check)

    def wait(self, condition: Callable[[], object], what: str) -> None:
        """Wait until a condition holds."""
        end = time.monotonic() + TIMEOUT
        while not condition():
            if time.monotonic() > end:
                raise Failure(f"timed out: {what}")
            time.sleep(PAUSE)

    def wait_for_exit(self, process: subprocess.Popen[bytes], what: str) -> int:
        try:
            return process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            raise Failure(f"{what} still runs") from None

    def end(self, process: subprocess.Popen[bytes], how: signal.Signals = signal.SIGKILL) -> None:
        """Signal a program and its children, and wait for it."""
        try:
            os.killpg(process.pid, how)
        except ProcessLookupError:
            pass
        process.wait(TIMEOUT)

    def close(self) -> None:
        for process in reversed(self.processes):
            if process.poll() is None:
                self.end(process)
