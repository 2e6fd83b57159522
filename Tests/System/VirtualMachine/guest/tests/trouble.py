# SPDX-License-Identifier: Apache-2.0
"""Faults of real systems: each is logged in one line, and the service continues if possible."""

import socket
from pathlib import Path

import service
from chip import Chip
from hub import Hub
from harness import expect, test, run
from trigger import Trigger
from varlink import SOCKET, Client, Watcher, state

STATE = Path("/var/lib/orientationd")


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


@test("no permission for the device")
def no_permission() -> str:
    journal = service.Journal()
    with service.DropIn("[Service]\nDeviceAllow=\n"):
        hub = Hub()
        try:
            with Watcher() as watcher:
                watcher.wait_for("faceUp")
                line = logged_once(journal, "polled")
        finally:
            hub.unplug()
    return f"{line}; the sensor is polled"


@test("another program captures the chip")
def captured_by_another() -> str:
    """A KXCJK-1013 cannot be polled while its buffer runs: the daemon waits."""
    trigger = Trigger("test")
    chip = Chip()
    try:
        journal = service.Journal()
        for axis in "xyz":
            (chip.device / f"scan_elements/in_accel_{axis}_en").write_text("1")
        (chip.device / "trigger/current_trigger").write_text(trigger.name)
        (chip.device / "buffer/enable").write_text("1")
        with Watcher() as watcher:
            reason = watcher.wait("a reason", lambda now: "cannot poll" in now.get("reason", ""))["reason"]
            journal.wait("cannot poll")
            expect((chip.device / "buffer/enable").read_text() == "1\n", "its buffer was stopped")
            (chip.device / "buffer/enable").write_text("0")
            watcher.wait_for("faceUp")
            chip.hold(9.8, 0, 0)
            watcher.wait_for("landscapeLeft")
            expect((chip.device / "buffer/enable").read_text() == "1\n", "no capture after the other program's")
    finally:
        chip.remove()
        trigger.remove()
    return f"'{reason}'; the buffer is not changed, and captured from afterwards"


def mounted(options: str) -> None:
    service.stop()
    STATE.mkdir(exist_ok=True)
    owner = run("id", "-u", "orientationd")
    run("mount", "-t", "tmpfs", "-o", f"uid={owner},gid={owner},mode=0700,{options}", "tmpfs", str(STATE))


def keep_lock(words: str) -> str:
    journal = service.Journal()
    try:
        with Client() as client:
            client.call("Control.SetRotationLock", locked=True, edge="portrait")
            line = logged_once(journal, "cannot store the rotation lock")
        expect(words in line, line)
        expect(state()["lockedTo"] == "portrait", "the rotation lock is off")
        with Client() as client:
            client.call("Control.SetRotationLock", locked=False)
    finally:
        service.stop()
        run("umount", str(STATE))
    return f"{line}; the lock holds"


@test("the state directory is read-only")
def read_only() -> str:
    mounted("ro")
    return keep_lock("Read-only")


@test("the state directory is full")
def full() -> str:
    mounted("size=4k")
    (STATE / "filler").write_bytes(b"x" * 4096)
    return keep_lock("No space")


@test("the user and the group are missing")
def no_group() -> str:
    service.stop()
    journal = service.Journal()
    run("userdel", "orientationd")
    run("groupdel", "orientationd", check=False)
    try:
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(SOCKET)
            line = journal.wait("credentials")
    finally:
        run("systemd-sysusers")
        service.stop()
        run("systemctl", "start", service.SOCKET_UNIT)
    state()
    return f"'{line}'; after systemd-sysusers it starts"
