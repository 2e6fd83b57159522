# SPDX-License-Identifier: Apache-2.0
"""Activation, restart, reload."""

import os
import signal

import service
from hub import Hub
from harness import eventually, expect, test, run
from varlink import Watcher, state


def is_explained(now: dict) -> bool:
    return now.get("reason") not in (None, "starting")


@test("socket activation")
def activation() -> str:
    expect(not service.is_active(), "the service runs before the first client")
    with Watcher() as watcher:
        reason = watcher.wait("a reason", is_explained)["reason"]
    expect(service.is_active(), "the first client did not start the service")
    return f"the first client started the service; reason: {reason}"


@test("activation after a stop")
def started_again() -> str:
    first = service.process()
    service.stop()
    expect(not service.is_active(), "the service still runs")
    state()
    expect(service.process() not in (0, first), "the client did not start the service")
    return "the socket started the service again"


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
            line = journal.wait("opening the sensor again")
            watcher.wait_for("faceUp")
            hub.hold(0, 9.8, 0)
            watcher.wait_for("portrait")
            expect(service.process() == first, "the process was replaced")
    finally:
        hub.unplug()
    return f"the same process, the same connection; '{line}'"
