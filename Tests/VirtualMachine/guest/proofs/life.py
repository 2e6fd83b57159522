# SPDX-License-Identifier: Apache-2.0
"""The service starts when somebody asks, waits for a sensor, and comes back."""

import os
import signal

import service
from hub import Hub
from proof import eventually, expect, proof, run
from varlink import Watcher, state


def is_explained(now: dict) -> bool:
    return now.get("reason") not in (None, "starting")


@proof("socket activation")
def activation() -> str:
    expect(not service.is_active(), "it runs before anybody asked")
    with Watcher() as watcher:
        reason = watcher.wait("why nothing is known", is_explained)["reason"]
    expect(service.is_active(), "the first client did not start it")
    return f"the first client started it and was told: {reason}"


@proof("stopped, connected to, started")
def started_again() -> str:
    first = service.process()
    service.stop()
    expect(not service.is_active(), "it still runs")
    state()
    expect(service.process() not in (0, first), "no client started it again")
    return "the same socket started it again"


@proof("an accelerometer appears")
def appearing() -> str:
    service.stop()
    with Watcher() as watcher:
        reason = watcher.wait("why nothing is known", is_explained)["reason"]
        hub = Hub()
        try:
            watcher.wait_for("faceUp")
            eventually("capture from its buffer", hub.is_captured)
        finally:
            hub.unplug()
    return f"from '{reason}' to faceUp, captured from its buffer"


@proof("restart after SIGKILL")
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
            eventually("capture anew", hub.is_captured)
        eventually("the end of capture", lambda: not hub.is_captured())
    finally:
        hub.unplug()
    return f"NRestarts={service.show('NRestarts')}; clients are served again, and the orphaned buffer was taken back"


@proof("the watchdog")
def watchdog() -> str:
    with service.DropIn("[Service]\nWatchdogSec=10s\n"):
        state()
        first = service.process()
        journal = service.Journal()
        os.kill(first, signal.SIGSTOP)
        said = journal.wait("Watchdog timeout")
        eventually("a new process", lambda: service.process() not in (0, first))
        state()
    return f"a process that hangs is ended and started anew: '{said}'"


@proof("systemctl reload")
def reloading() -> str:
    hub = Hub()
    journal = service.Journal()
    try:
        with Watcher() as watcher:
            watcher.wait_for("faceUp")
            first = service.process()
            run("systemctl", "reload", service.UNIT)
            said = journal.wait("opening the sensor again")
            watcher.wait_for("faceUp")
            hub.hold(0, 9.8, 0)
            watcher.wait_for("portrait")
            expect(service.process() == first, "it is another process")
    finally:
        hub.unplug()
    return f"the same process, the same connection; '{said}'"
