# SPDX-License-Identifier: Apache-2.0
"""Compositors of desktops that rotate the display themselves: the agent changes nothing and exits."""

from collections.abc import Callable

import phosh
import session
from compositors import BusCompositor, Mutter
from session import Failure

# The status of the agent on such a desktop.
STATUS = 3


class Session(phosh.Service):
    """The service for desktops, and a compositor with two outputs."""

    def __init__(self, room: session.Room, kind: type[BusCompositor]) -> None:
        super().__init__(room)
        self.compositor = kind(room)

    def failed(self) -> None:
        """Clean up after a test that failed."""


def steps_aside(it: Session) -> None:
    """the agent names the desktop and the package, changes nothing, and exits with status 3"""
    before = it.compositor.outputs()
    process = it.room.start(["orientation-autorotate", "--output", it.compositor.internal], "agent.log")
    status = it.room.wait_for_exit(process, "the agent")
    message = it.room.read("agent.log").strip()
    wanted = (it.compositor.desktop, "orientationd-sensorproxy")
    if status != STATUS or not all(word in message for word in wanted):
        raise Failure(f"exit status {status}: {message}")
    if (after := it.compositor.outputs()) != before:
        raise Failure(f"the outputs are {after} instead of {before}")


def listed(it: Session) -> None:
    """orientationctl display names the desktop"""
    text = it.room.run(["orientationctl", "display"]).stdout
    if f"{it.compositor.desktop} itself" not in text:
        raise Failure(text)


def claims(it: Session) -> None:
    """the compositor claims the sensor, also without an internal panel, and a hold is explained"""
    it.room.wait(lambda: it.is_claimed, "the claim")
    with it.held("--landscape"):
        it.expect_reason("receives landscape-secondary instead of portrait-primary")


def tests(kind: type[BusCompositor]) -> list[Callable[[Session], None]]:
    """Return the tests of a compositor: KWin claims no sensor without an internal panel."""
    return [steps_aside, listed] + ([claims] if kind is Mutter else [])
