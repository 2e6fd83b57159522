# SPDX-License-Identifier: Apache-2.0
"""D-Bus: a stranger sends each signal that a program watches, to all clients and to each. The daemon has a claim and owns its
name; `monitor-sensor` and a program with the library for C follow it."""

import contextlib
import functools
import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import varlink
from attack import Attack, Environment, Target
from attacks.desktops import address, has_claim, on_a_bus, turn
from bus import BUS, SENSOR_PROXY, BusClient, Message, properties_changed, signal
from daemon import Daemon
from text import raw_control_characters
from users import REFERENCE

NAME, PLACE = SENSOR_PROXY
CONTROL = "\x1b]0;owned\x07\x9b31m"
FORGED = {"AccelerometerOrientation": "right-up" + CONTROL, "AccelerometerTilt": CONTROL}
TIMEOUT = 10.0
# The lines of monitor-sensor for a turn, and the edges in the states of the library.
TURNED, EDGES = ["    Accelerometer orientation changed: left-up"], ["top", "left"]


def signals(names: list[str], to: str | None) -> Iterator[Message]:
    """Yield each signal that a program watches, and some that none does."""
    for name in names:
        for owner in ("", ":1.99"):
            yield signal(BUS[1], BUS[0], "NameOwnerChanged", name, ":1.1", owner, to=to)
    for member in ("NameLost", "NameAcquired"):
        yield signal(BUS[1], BUS[0], member, NAME, to=to)
    yield properties_changed(PLACE, NAME, FORGED, to=to)
    yield signal("/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep", to=to)


def forge(target: Target) -> str:
    """Send the signals to all clients and to each, and that of libsystemd for a lost connection, for which a bus disconnects."""
    client, sent = BusClient(address(target.path), varlink.ANSWER), 0
    names = client.ask("ListNames")
    for name in names:
        with contextlib.suppress(OSError, EOFError):
            BusClient(address(target.path), varlink.ANSWER).send(
                signal("/org/freedesktop/DBus/Local", "org.freedesktop.DBus.Local", "Disconnected", to=name))
    for _ in target.attempts():
        for to in [None, *names]:
            for message in signals(names, to):
                client.send(message)
                sent += 1
        # Reads the refusals of the policy, and so waits for the bus.
        client.ask("ListNames")
    return f"{sent} signals sent"


class Watcher:
    """A program that follows the service, as another user."""

    def __init__(self, environment: Environment, bus: str, *command: str) -> None:
        self.output = environment.folder / Path(command[0]).name
        with open(self.output, "wb") as file:
            self.program = subprocess.Popen(
                ["setpriv", f"--reuid={REFERENCE}", f"--regid={REFERENCE}", "--clear-groups", *command],
                stdin=subprocess.PIPE, stdout=file, stderr=file, cwd="/",
                env={"PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={bus}",
                     "LD_LIBRARY_PATH": str(environment.programs), "ORIENTATION_BACKEND": "sensorproxy"})

    def wait(self, text: str) -> None:
        end = time.monotonic() + TIMEOUT
        while text not in self.text() and time.monotonic() < end:
            time.sleep(0.02)

    def text(self) -> str:
        return self.output.read_text(errors="surrogateescape")

    def end(self) -> None:
        self.program.kill()
        self.program.wait()
        self.program.stdin.close()


@contextlib.contextmanager
def watched(kind: str, environment: Environment) -> Iterator[Daemon]:
    with on_a_bus(kind, environment) as daemon, contextlib.ExitStack() as programs:
        turn(daemon, "portrait")
        bus = address(daemon.path)
        daemon.monitor = Watcher(environment, bus, str(environment.programs / "monitor-sensor"), "--accel")
        daemon.library = Watcher(environment, bus, str(environment.programs / "driver"))
        for each in (daemon.monitor, daemon.library):
            programs.callback(each.end)
        daemon.monitor.wait("tilt: vertical")
        daemon.library.wait('"edge":"top"')
        daemon.before = len(daemon.log_text().splitlines()), daemon.monitor.text()
        yield daemon


def nothing_has_happened(environment: Environment, daemon: Daemon) -> None:
    """Turn the device: the turn is the first thing that the programs report since the attack."""
    lines, text = daemon.before
    environment.expect(has_claim(daemon), "the claim has ended")
    daemon.monitor.wait(TURNED[-1])
    daemon.library.wait('"edge":"left"')
    for watcher in (daemon.monitor, daemon.library):
        found = raw_control_characters(watcher.output.read_bytes())
        environment.expect(not found, f"{watcher.output.name} prints {found}")
    new = daemon.monitor.text().removeprefix(text).splitlines()
    environment.expect(new == TURNED, f"monitor-sensor printed {new}")
    edges = [json.loads(line)["edge"] for line in daemon.library.text().splitlines()]
    edges = [edge for edge, former in zip(edges, [None, *edges]) if edge not in (former, "unknown")]
    environment.expect(edges == EDGES, f"the library had the edges {edges}")
    more = len(daemon.log_text().splitlines()) - lines
    environment.expect(more == 0, f"the daemon logged {more} lines, such as {daemon.log_text().splitlines()[-1]}")


ROWS = [Attack(f"{kind}: signals of a stranger", forge, stage=functools.partial(watched, kind), after=nothing_has_happened)
        for kind in ("dbus-daemon", "dbus-broker")]
