# SPDX-License-Identifier: Apache-2.0
"""The service, through systemctl and journalctl."""

import time
from pathlib import Path

from harness import eventually, run

UNIT = "orientationd.service"
SOCKET_UNIT = "orientationd.socket"
DROPINS = Path("/run/systemd/system")


def show(name: str, unit: str = UNIT) -> str:
    return run("systemctl", "show", "--value", "--property", name, unit)


def is_active(unit: str = UNIT) -> bool:
    return show("ActiveState", unit) == "active"


def process() -> int:
    return int(show("MainPID"))


def stop() -> None:
    """Stop the service; its socket continues to listen."""
    run("systemctl", "stop", UNIT, check=False)
    run("systemctl", "reset-failed", UNIT, SOCKET_UNIT, check=False)


def restart() -> None:
    run("systemctl", "restart", UNIT)


class Journal:
    """The log of the service since the creation of this object."""

    def __init__(self) -> None:
        self.since = f"@{time.time():.6f}"

    def lines(self) -> list[str]:
        text = run("journalctl", "--quiet", "--unit", UNIT, "--unit", SOCKET_UNIT, "--since", self.since, "--output=cat")
        return text.splitlines()

    def wait(self, words: str) -> str:
        """Wait for a line with these words and return it."""
        return eventually(
            f"'{words}' in the journal", lambda: next((line for line in self.lines() if words in line), None))


def journal_of_all() -> str:
    """Return the whole log of the service in this guest."""
    return run("journalctl", "--no-pager", "--unit", UNIT, "--unit", SOCKET_UNIT, check=False) + "\n"


class DropIn:
    """A temporary drop-in of the service."""

    def __init__(self, text: str) -> None:
        self.file = DROPINS / f"{UNIT}.d/test.conf"
        self.text = text

    def __enter__(self) -> "DropIn":
        self.file.parent.mkdir(parents=True, exist_ok=True)
        self.file.write_text(self.text)
        self.apply()
        return self

    def __exit__(self, *_: object) -> None:
        self.file.unlink()
        self.file.parent.rmdir()
        self.apply()

    def apply(self) -> None:
        stop()
        run("systemctl", "daemon-reload")
