# SPDX-License-Identifier: Apache-2.0
"""Activation, restart, reload."""

import os
import random
import signal
import time

import service
from hub import Hub
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


@test("an accelerometer appears")
def appearing() -> str:
    service.stop()
    with Watcher() as watcher:
        reason = watcher.wait("a reason", is_explained)["reason"]
        hub = Hub()
        try:
            watcher.wait_for("faceUp")
            eventually("capture from the buffer", hub.is_captured)
        finally:
            hub.unplug()
    return f"from '{reason}' to faceUp, captured from the buffer"


@test("restart after SIGKILL")
def killed() -> str:
    service.restart()
    hub = Hub()
    try:
        with Watcher() as watcher:
            watcher.wait_for("faceUp")
            eventually("capture", hub.is_captured)
            first = service.process()
            os.kill(first, signal.SIGKILL)
            eventually("a new process", lambda: service.process() not in (0, first))
        with Watcher() as watcher:
            watcher.wait_for("faceUp")
            eventually("capture after the restart", hub.is_captured)
        eventually("the end of capture", lambda: not hub.is_captured())
    finally:
        hub.unplug()
    return f"NRestarts={service.show('NRestarts')}; clients are served again, and the orphaned buffer was stopped"


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


@test("systemctl reload")
def reloading() -> str:
    hub = Hub()
    journal = service.Journal()
    try:
        with Watcher() as watcher:
            watcher.wait_for("faceUp")
            first = service.process()
            run("systemctl", "reload", service.UNIT)
            line = journal.wait("reopening the sensors")
            watcher.wait_for("faceUp")
            hub.hold(0, 9.8, 0)
            watcher.wait_for("portrait")
            expect(service.process() == first, "the process was replaced")
    finally:
        hub.unplug()
    return f"the same process, the same connection; '{line}'"
