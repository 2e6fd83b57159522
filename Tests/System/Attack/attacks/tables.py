# SPDX-License-Identifier: Apache-2.0
"""More than six users that fill the daemon's table of connections and its buffers."""

import contextlib
import re
import resource
import time
from pathlib import Path

import varlink
from attack import FAILS, Attack, Environment, Target
from daemon import Daemon
from users import REFERENCE, Child

# With 32 connections each, more than the table of 256.
USERS = 18
MONITOR = varlink.message(f"{varlink.ORIENTATION}.Monitor", more=True)
DESCRIBE = varlink.message("org.varlink.service.GetInterfaceDescription", interface=varlink.ORIENTATION)
LONG_CALL = varlink.message("org.varlink.service.GetInfo", text="x" * 3_900)
UNIT = Path(__file__).resolve().parents[4] / "systemd/orientationd.service"
# The memory limit of the service in KiB.
MEMORY_MAX = int(re.search(r"^MemoryMax=(\d+)M$", UNIT.read_text(), re.MULTILINE)[1]) << 10


def hold_connections(target: Target, first: bytes = MONITOR) -> None:
    """Open as many connections as a user may have, and hold them."""
    held = varlink.connect_all(target.path, 32)
    for client in held:
        with contextlib.suppress(OSError):
            client.socket.setblocking(False)
            client.socket.send(first)
    for _ in target.attempts():
        time.sleep(0.2)
        # Replaces a connection that the daemon closed.
        held += varlink.connect_all(target.path, 1)
        del held[:-40]


def hoard(target: Target) -> None:
    """Fill the buffer of each connection with an incomplete message."""
    hold_connections(target, b'{"method":"' + b"x" * 4_000)


def unread(target: Target) -> None:
    """Fill each connection with unread replies, and with calls behind them."""
    hold_connections(target, DESCRIBE * 60 + LONG_CALL * 16)


def abandoned(target: Target) -> None:
    """Hold as many sockets as possible that the daemon has closed, each with unread replies.

    The replies stay in the kernel, charged to the daemon, for as long as the attacker keeps the socket."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    held = []
    # What follows the calls is no call: the daemon closes the connection.
    calls = DESCRIBE * 14 + b"[]\0"
    for _ in target.attempts():
        with contextlib.suppress(OSError):
            client = varlink.Client(target.path)
            held.append(client)
            client.socket.setblocking(False)
            client.socket.send(calls)


def a_seated_user_is_served(environment: Environment, daemon: Daemon) -> None:
    """Check a connection of the user with the active session, and root's, while the table is full."""
    def call() -> None:
        with varlink.Client(daemon.path) as client:
            client.call(varlink.GET)
    child = Child(REFERENCE, call)
    try:
        child.wait(varlink.ANSWER)
    except RuntimeError as error:
        environment.expect(False, f"a connection of the seated user: {str(error).splitlines()[-1]}")
    with contextlib.suppress(*FAILS), varlink.Client(daemon.path) as client:
        users = client.call("org.orientationd.Control.Status")["connections"]
        count = sum(user["connections"] for user in users)
        environment.remarks.append(f"{count} connections of {len(users)} users")


def fits_into_the_unit(environment: Environment, daemon: Daemon) -> None:
    environment.expect(daemon.peak() < MEMORY_MAX, f"{daemon.peak()} KiB exceed MemoryMax of the unit")
    environment.remarks.append(f"peak {daemon.peak()} KiB")


def stays_small(environment: Environment, daemon: Daemon) -> None:
    """Check that the connections took less than 64 KiB each, with the rest of the daemon."""
    environment.expect(daemon.peak() < 64 * 32 + (16 << 10), f"{daemon.peak()} KiB for 32 connections")
    environment.remarks.append(f"peak {daemon.peak()} KiB")


# The kernel permits 65,536.
GROUPS = 65_000

ROWS = [
    Attack("connections with 65,000 groups", hold_connections, groups=GROUPS, after=stays_small),
    Attack("a full table", hold_connections, attackers=USERS, seconds=6, during=a_seated_user_is_served),
    Attack("a full table, full buffers", hoard, attackers=USERS, seconds=8, during=a_seated_user_is_served,
           after=fits_into_the_unit),
    Attack("closed connections, unread replies", abandoned, attackers=2, seconds=8, after=fits_into_the_unit),
    Attack("a full table, closed connections", abandoned, attackers=USERS, seconds=8, after=fits_into_the_unit),
    Attack("a full table, unread replies", unread, attackers=USERS, seconds=8, during=a_seated_user_is_served,
           after=fits_into_the_unit),
]
