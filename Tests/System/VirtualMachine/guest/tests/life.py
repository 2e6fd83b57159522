# SPDX-License-Identifier: Apache-2.0
"""Activation and the watchdog."""

import os
import signal

import service
from harness import eventually, expect, test
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
