# SPDX-License-Identifier: Apache-2.0
"""Bursts of calls while the sensor hangs: no call may be answered twice, or after the end of its connection."""

import contextlib

import varlink
from attack import FAILS, Attack, Environment, Target
from daemon import Daemon
from machine import hanging, polled

LIST = varlink.message(f"{varlink.ORIENTATION}.ListSensors")
INFO = varlink.message("org.varlink.service.GetInfo")
MONITOR = varlink.message(f"{varlink.ORIENTATION}.Monitor", more=True)


def burst(target: Target) -> None:
    """Send ListSensors, more calls than one iteration of the loop answers, and a subscription, and disconnect."""
    for _ in target.attempts():
        with contextlib.suppress(*FAILS), target.connect() as client:
            client.socket.sendall(LIST + INFO * 16 + MONITOR)


def listing(target: Target) -> None:
    """List the sensors; each list opens a libiio context, unless callers share one."""
    for _ in target.attempts():
        with contextlib.suppress(*FAILS), target.connect() as client:
            client.socket.sendall(LIST * 16)
            for _ in range(16):
                client.receive()


def state(target: Target) -> None:
    """Ask for the state and disconnect, before or after the reply: the search for sensors of the lid angle starts and stops."""
    for round, _ in enumerate(target.attempts()):
        with contextlib.suppress(*FAILS), target.connect() as client:
            client.socket.sendall([MONITOR, varlink.message(varlink.GET)][round % 2])
            if round % 4 < 2:
                client.receive()


def no_subscription_remains(environment: Environment, daemon: Daemon) -> None:
    """Check the number of subscriptions: the stage has one, the reference client and root have none."""
    with contextlib.suppress(*FAILS), varlink.Client(daemon.path) as client:
        count = client.call("org.orientationd.Control.Status")["subscribers"]
        environment.expect(count <= 1, f"{count} subscriptions remain after their connections")


ROWS = [
    Attack("bursts while the sensor hangs", burst, stage=hanging, after=no_subscription_remains),
    Attack("bursts", burst, stage=polled, attackers=2),
    Attack("endless lists of sensors", listing, stage=polled, attackers=4),
    Attack("requests of the state", state, stage=polled, attackers=4, after=no_subscription_remains),
]
