# SPDX-License-Identifier: Apache-2.0
"""Activation, restart, reload."""

import os
import random
import signal
import time

import service
from harness import eventually, expect, test, run
from varlink import Client, Watcher, state

# The calls around the moments at which an idle service exits. An emulated processor takes a second for two of them.
IDLE_TRIES = {"kvm": 3000, "qemu": 300}


def is_explained(now: dict) -> bool:
    return now.get("reason") not in (None, "starting")


@test("socket activation")
def activation() -> str:
    expect(not service.is_active(), "the service runs before the first client")
    with Watcher() as watcher:
        reason = watcher.wait("a reason", is_explained)["reason"]
    expect(service.is_active(), "the first client did not start the service")
    return f"the first client started the service; reason: {reason}"


@test("exit while idle")
def idle_exit() -> str:
    expect("--idle-exit" in service.show("ExecStart"), "the unit has no --idle-exit")
    # Without the limits of starts: no service needs to start ten times per second.
    often = (
        "[Unit]\nStartLimitIntervalSec=0\n"
        "[Service]\nExecStart=\nExecStart=/usr/sbin/orientationd --sensor iio: --idle-exit 0.02\n"
    )
    tries = IDLE_TRIES.get(run("systemd-detect-virt"), 300)
    chance = random.Random(1)
    instances = set()
    with service.DropIn("[Socket]\nTriggerLimitIntervalSec=0\n", unit=service.SOCKET_UNIT), service.DropIn(often):
        with Client() as client:
            client.call("Control.SetRotationLock", locked=True, edge="portrait")
        for _ in range(tries):
            # Each call is served, by the process that is about to exit or by the next one.
            with Client() as client:
                client.send("Orientation.Monitor", more=True)
                instances.add(client.receive()["state"]["instance"])
            time.sleep(chance.uniform(0, 0.04))
        expect(len(instances) > tries / 10, f"only {len(instances)} processes")
        now = state()
        expect(now["locked"] and now["lockedTo"] == "portrait", f"the lock is lost: {now}")
        with Client() as client:
            client.call("Control.SetRotationLock", locked=False)
        eventually("the end of the service", lambda: not service.is_active())
    expect(service.show("Result") == "success", "the service failed")
    return f"{tries} calls, all replied to by {len(instances)} processes; the lock was kept"


@test("the watchdog")
def watchdog() -> str:
    with service.DropIn("[Service]\nWatchdogSec=10s\n"):
        state()
        first = service.process()
        journal = service.Journal()
        os.kill(first, signal.SIGSTOP)
        line = journal.wait("Watchdog timeout")
        eventually("a new process", lambda: service.process() not in (0, first))
        state()
    return f"a hanging process was restarted: '{line}'"
