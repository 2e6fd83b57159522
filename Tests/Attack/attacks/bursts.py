# SPDX-License-Identifier: Apache-2.0
"""Bursts of calls while the sensor hangs: what is answered at once must not be served twice, or outlive its connection."""

import contextlib

import varlink
from attack import FAILS, Attack, Place, Target
from daemon import Daemon
from machine import hanging, polled

LIST = varlink.message(f"{varlink.ORIENTATION}.ListSensors")
INFO = varlink.message("org.varlink.service.GetInfo")
MONITOR = varlink.message(f"{varlink.ORIENTATION}.Monitor", more=True)


def burst(target: Target) -> None:
    """ListSensors, more calls than are answered in a turn, a subscription, and gone."""
    for _ in target.attempts():
        with contextlib.suppress(*FAILS), target.connect() as client:
            client.socket.sendall(LIST + INFO * 16 + MONITOR)


def listing(target: Target) -> None:
    """Every list of sensors opens a context of libiio, unless callers share one."""
    for _ in target.attempts():
        with contextlib.suppress(*FAILS), target.connect() as client:
            client.socket.sendall(LIST * 16)
            for _ in range(16):
                client.receive()


def nobody_is_left(place: Place, daemon: Daemon) -> None:
    """The status counts the subscriptions: the innocent client and root have none, the stage has one."""
    with contextlib.suppress(*FAILS), varlink.Client(daemon.path) as client:
        count = client.call("org.orientationd.Control.Status")["subscribers"]
        place.expect(count <= 1, f"{count} subscriptions are left of connections that are closed")


ROWS = [
    Attack("bursts while the sensor hangs", burst, stage=hanging, after=nobody_is_left),
    Attack("bursts", burst, stage=polled, attackers=2),
    Attack("lists of sensors without end", listing, stage=polled, attackers=4),
]
