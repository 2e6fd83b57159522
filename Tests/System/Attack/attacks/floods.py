# SPDX-License-Identifier: Apache-2.0
"""Floods of calls, connections, invalid input and refused requests."""

import contextlib
import functools
import json
import random
import socket

import varlink
from attack import FAILS, Attack, Environment, Target
from daemon import Daemon
from users import ATTACKER

GET = varlink.message(varlink.GET)
MONITOR = varlink.message(f"{varlink.ORIENTATION}.Monitor", more=True)
# A message of nearly the maximum length.
LONG = b'{"method":"' + b"x" * 4_000 + b'"}\0'
# Calls whose parsing takes longest: one below the limits, one with too many values, one that is too long.
EXPENSIVE = [varlink.message(varlink.GET, x=[[]] * 80, y="\u00e9" * 500),
             varlink.message(varlink.GET, x=[[]] * 900), varlink.message(varlink.GET, x=[[]] * 16_000)]
# A run of 1900 combining marks, whose normalization takes milliseconds: as a method, as a parameter and as a value.
MARKS = "\u0301\u0323" * 950
MARKED = [json.dumps(call, ensure_ascii=False).encode() + b"\0" for call in (
    {"method": varlink.GET + MARKS}, {"method": varlink.GET, "parameters": {"a" + MARKS: 1}},
    {"method": "org.orientationd.Control.SetLogLevel", "parameters": {"level": "info" + MARKS}})]
RUBBISH = [b"\0" * 65_536, b"[" * 65_000 + b"\0", b'{"method":1}\0', b"\xff\xfe\0", b'{"method":"a.b","parameters":1e999}\0',
           b"{" * 70_000, b'{"method":"' + b"\\u0000" * 9000 + b'"}\0']
# Requests that an unprivileged user is refused, and invalid ones; both are logged.
REFUSED = [varlink.message("org.orientationd.Control.SetRotationLock", locked=True),
           varlink.message("org.orientationd.Control.ToggleRotationLock"),
           varlink.message("org.orientationd.Control.SetLogLevel", level="trace"),
           varlink.message("org.orientationd.Motion.Monitor", more=True),
           varlink.message("org.orientationd.Display.Hold", supported=["landscape"], more=True),
           varlink.message("org.orientationd.Display.Hold", supported=["landscape"] * 900, more=True),
           varlink.message("org.orientationd.Simulator.SetPose", pose="faceUp"),
           varlink.message(f"{varlink.ORIENTATION}.Nothing"), b"rubbish\0"]
# The maximum number of log lines about one user: each cause is logged once.
LINES = 5


def pipelined(target: Target) -> None:
    """Call as fast as possible; every second attacker never reads a reply."""
    for _ in target.attempts():
        with contextlib.suppress(*FAILS), target.connect() as client:
            while target.left > 0:
                client.socket.sendall(GET * 200 + LONG)
                if target.number % 2:
                    client.socket.recv(1 << 20)


def expensive(among: list[bytes], target: Target) -> None:
    """Keep as many connections as a user may have filled with calls that are expensive to handle."""
    call = among[target.number % len(among)]
    calls = call * (1 + 60_000 // len(call))
    clients = varlink.connect_all(target.path, 32)
    for client in clients:
        client.socket.setblocking(False)
    while clients and target.left > 0:
        for index, client in enumerate(clients):
            try:
                client.socket.send(calls)
                client.socket.recv(1 << 16)
            except BlockingIOError:
                pass
            except OSError:
                # The daemon closes the connection after a call that exceeds its limits.
                with contextlib.suppress(OSError):
                    clients[index] = varlink.Client(target.path)
                    clients[index].socket.setblocking(False)


def storm(target: Target) -> None:
    """Disconnect at every stage of a call."""
    for round, _ in enumerate(target.attempts()):
        with contextlib.suppress(*FAILS), target.connect() as client:
            client.socket.sendall(MONITOR[:round % (len(MONITOR) + 1)])
            if round % 3 == 0:
                client.socket.shutdown(socket.SHUT_WR)


def crowd(target: Target) -> None:
    """Keep the queue of the listening socket full."""
    for _ in target.attempts():
        varlink.connect_all(target.path, 250).clear()


def rubbish(target: Target) -> None:
    choice = random.Random(target.number)
    for _ in target.attempts():
        with contextlib.suppress(*FAILS), target.connect() as client:
            client.socket.sendall(choice.choice(RUBBISH))
            client.socket.shutdown(socket.SHUT_WR)
            while client.socket.recv(1 << 16):
                pass


def refusals(target: Target) -> None:
    """Send requests that are refused, and open too many connections."""
    for round, _ in enumerate(target.attempts()):
        held = varlink.connect_all(target.path, 260 if round % 8 == 0 else 1)
        for call in REFUSED:
            with contextlib.suppress(*FAILS), target.connect() as client:
                client.socket.sendall(call)
                client.receive()
        held.clear()


def log_is_short(environment: Environment, daemon: Daemon) -> None:
    lines = daemon.log_text().splitlines()
    caused = [line for line in lines if str(ATTACKER) in line]
    environment.expect(len(caused) <= LINES, f"one user caused {len(caused)} lines in the log, such as {caused[-1:]}")
    environment.remarks.append(f"{len(caused)} log lines are about the attacker, {len(lines)} in all")


ROWS = [
    Attack("calls at full speed", pipelined, attackers=4),
    Attack("calls that are expensive to parse", functools.partial(expensive, EXPENSIVE), attackers=len(EXPENSIVE)),
    Attack("combining marks in names", functools.partial(expensive, MARKED), attackers=len(MARKED)),
    Attack("connections that end in a call", storm, attackers=2),
    Attack("crowds of connections", crowd, attackers=3),
    Attack("crowds with 65,000 groups", crowd, attackers=3, groups=65_000),
    Attack("calls with 65,000 groups", pipelined, attackers=4, groups=65_000),
    Attack("rubbish", rubbish, attackers=2),
    Attack("requests that are refused", refusals, after=log_is_short),
]
