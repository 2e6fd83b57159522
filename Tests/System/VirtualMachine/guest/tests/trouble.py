# SPDX-License-Identifier: Apache-2.0
"""Faults of real systems: each is logged in one line, and the service continues if possible."""

import socket
from pathlib import Path

import service
from hub import Hub
from harness import expect, test, run
from varlink import SOCKET, Watcher, state


def logged_once(journal: service.Journal, words: str) -> str:
    """Wait for a line with these words, and check that there is only one."""
    line = journal.wait(words)
    count = sum(words in other for other in journal.lines())
    expect(count == 1, f"logged {count} times: {line}")
    return f"'{line}'"


@test("no IIO in the kernel")
def no_modules() -> str:
    rule = Path("/run/modprobe.d/test.conf")
    rule.parent.mkdir(exist_ok=True)
    rule.write_text("install industrialio /bin/false\n")
    service.stop()
    run("modprobe", "-r", "kxcjk-1013", "hid-sensor-accel-3d", check=False)
    run("modprobe", "-r", "industrialio_triggered_buffer", "kfifo_buf", "industrialio", check=False)
    expect(not Path("/sys/bus/iio").exists(), "IIO is still in the kernel")
    journal = service.Journal()
    try:
        with Watcher() as watcher:
            waiting = watcher.wait("a reason", lambda now: now.get("reason") not in (None, "starting"))
            line = logged_once(journal, "waiting for an accelerometer: ")
            expect(service.is_active(), "the service has ended")
        rule.unlink()
        with Watcher() as watcher:
            hub = Hub()
            watcher.wait_for("faceUp")
            hub.unplug()
    finally:
        rule.unlink(missing_ok=True)
    return f"{line}; clients: '{waiting['reason']}'; the orientation is known after the module is loaded"


@test("the user and the group are missing")
def no_group() -> str:
    service.stop()
    journal = service.Journal()
    run("userdel", "orientationd")
    run("groupdel", "orientationd", check=False)
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(SOCKET)
            # From PID 1: journald can miss the unit of the child's message, which says why, because the child exits at once.
            line = journal.wait("status=217/USER")
    finally:
        run("systemd-sysusers")
        service.stop()
        run("systemctl", "start", service.SOCKET_UNIT)
    state()
    return f"'{line}'; after systemd-sysusers it starts"
