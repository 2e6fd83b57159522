# SPDX-License-Identifier: Apache-2.0
"""The service as systemd sees it."""

import time
from pathlib import Path

from proof import eventually, run

UNIT = "orientationd.service"
SOCKET_UNIT = "orientationd.socket"
DROPINS = Path("/run/systemd/system/orientationd.service.d")


def show(name: str, unit: str = UNIT) -> str:
    return run("systemctl", "show", "--value", "--property", name, unit)


def is_active(unit: str = UNIT) -> bool:
    return show("ActiveState", unit) == "active"


def process() -> int:
    return int(show("MainPID"))


def stop() -> None:
    """Stops the service; its socket goes on listening."""
    run("systemctl", "stop", UNIT, check=False)
    run("systemctl", "reset-failed", UNIT, SOCKET_UNIT, check=False)


def restart() -> None:
    run("systemctl", "restart", UNIT)


class Journal:
    """What the service has said since this was made."""

    def __init__(self) -> None:
        self.since = f"@{time.time():.6f}"

    def lines(self) -> list[str]:
        said = run("journalctl", "--quiet", "--unit", UNIT, "--unit", SOCKET_UNIT, "--since", self.since, "--output=cat")
        return said.splitlines()

    def wait(self, words: str) -> str:
        """The first line with these words."""
        return eventually(
            f"'{words}' in the journal", lambda: next((line for line in self.lines() if words in line), None))


def journal_of_all() -> str:
    """All that the service has said in this guest."""
    return run("journalctl", "--no-pager", "--unit", UNIT, "--unit", SOCKET_UNIT, check=False) + "\n"


class DropIn:
    """Changes to the unit for a while."""

    def __init__(self, text: str, name: str = "proof.conf") -> None:
        self.file = DROPINS / name
        self.text = text

    def __enter__(self) -> "DropIn":
        DROPINS.mkdir(parents=True, exist_ok=True)
        self.file.write_text(self.text)
        stop()
        run("systemctl", "daemon-reload")
        return self

    def __exit__(self, *_: object) -> None:
        self.file.unlink()
        DROPINS.rmdir()
        stop()
        run("systemctl", "daemon-reload")
