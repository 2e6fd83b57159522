# SPDX-License-Identifier: Apache-2.0
"""The sensor is off while no turn can be seen, and suggestions while the rotation is locked."""

import json
import time
from collections.abc import Callable

from session import Failure, Room
from tests import POSES, Session

# Seconds in which the sensor is not read, and the agent does not wake up.
STILL = 3.0
SUGGESTION = "Rotate the display?"


def samples(room: Room) -> tuple[int, bool]:
    """Return how many samples the daemon has read, and whether the sensor is open."""
    status = json.loads(room.tool("daemon", "--json", check=True).stdout)
    return status["samples"], "sensor" in status


def expect_sensor_off(room: Room, what: str) -> None:
    """Check that the sensor stops, and stays off while the device is held in another pose."""
    # The tool reads the natural orientation, which starts the sensor for a second.
    room.tool("simulate", "turn", "landscapeRight", check=True)
    room.wait(lambda: not samples(room)[1], f"{what}: the sensor is off")
    before, _ = samples(room)
    time.sleep(STILL)
    if (after := samples(room)) != (before, False):
        raise Failure(f"{what}: {after[0] - before} samples were read, sensor {'on' if after[1] else 'off'}")


def output_off(it: Session) -> None:
    """the output is turned off, and on while turned: the sensor stops meanwhile"""
    if not it.compositor.reports_power:
        it.notes.append("this compositor does not report it")
        return
    it.turn("portrait")
    it.expect("normal")
    before, _ = samples(it.room)
    time.sleep(STILL)
    if (count := samples(it.room)[0] - before) == 0:
        raise Failure("no samples were read while the output was on")
    it.notes.append(f"{count / STILL:.1f} samples per second while it is on, 0 while it is off")
    it.compositor.set_power(False)
    expect_sensor_off(it.room, "the output is off")
    began = time.monotonic()
    it.compositor.set_power(True)
    it.expect(POSES["landscapeRight"], "the output is on")
    it.notes.append(f"right {time.monotonic() - began:.2f} s after the request to turn it on")
    it.turn("portrait")
    it.expect("normal")


def locked(it: Session) -> None:
    """locked and turned: the sensor stops, the agent sleeps, and the end of the lock turns the display"""
    it.turn("portrait")
    it.expect("normal")
    it.tool("lock", "here")
    expect_sensor_off(it.room, "locked")
    before, _ = it.agent_figures()
    it.expect_kept("normal", STILL, "locked")
    if (count := it.agent_figures()[0] - before) != 0:
        raise Failure(f"{count} wake-ups of the agent while locked")
    began = time.monotonic()
    it.tool("unlock")
    it.expect(POSES["landscapeRight"], "unlocked")
    it.notes.append(f"right {time.monotonic() - began:.2f} s after the request to unlock")
    it.turn("portrait")
    it.expect("normal")


def suggestion(it: Session) -> None:
    """a notification suggests a rotation while locked: a tap on it turns the display, which stays locked"""
    room = it.room
    address = f"unix:path={room.directory}/bus"
    room.environment["DBUS_SESSION_BUS_ADDRESS"] = address
    room.start(["dbus-daemon", "--session", "--nofork", f"--address={address}"], "bus.log")
    room.wait((room.outside / "bus").is_socket, "the session bus")
    room.start(["mako", "--output", it.internal], "mako.log")
    room.wait(lambda: room.run(["makoctl", "list"]).returncode == 0, "mako")

    def count() -> int:
        return room.run(["makoctl", "list"]).stdout.count(SUGGESTION)

    it.restart_agent("--suggest")
    it.turn("portrait")
    it.expect("normal")
    it.tool("lock", "here")
    it.turn("landscapeRight")
    room.wait(lambda: count() == 1, "the suggestion")
    it.picture("suggestion")
    it.turn("landscapeLeft")
    it.expect_kept("normal", STILL, "locked")
    if count() != 1:
        raise Failure(f"{count()} suggestions")
    it.turn("portrait")
    room.wait(lambda: count() == 0, "the suggestion withdrawn")
    it.turn("landscapeLeft")
    room.wait(lambda: count() == 1, "the second suggestion")
    room.run(["makoctl", "invoke"], check=True)
    it.expect(POSES["landscapeLeft"], "after the tap")
    room.wait(lambda: count() == 0, "the suggestion accepted")
    state = json.loads(it.tool("status", "--json").stdout)
    if (state["locked"], state["lockedTo"]) != (True, "landscapeLeft"):
        raise Failure(f"{state}")
    it.tool("unlock")
    it.restart_agent()
    it.turn("portrait")
    it.expect("normal")


TESTS: list[Callable[[Session], None]] = [output_off, locked, suggestion]
