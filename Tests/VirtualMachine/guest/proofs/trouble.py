# SPDX-License-Identifier: Apache-2.0
"""What goes wrong on real systems ends in a clear line, and where it can, in a service that goes on."""

import socket
from pathlib import Path

import service
from chip import Chip
from hub import Hub
from proof import Unproven, expect, proof, run
from trigger import Trigger
from varlink import SOCKET, Client, Watcher, state

STATE = Path("/var/lib/orientationd")


def told(journal: service.Journal, words: str) -> str:
    """The line with these words, which has to be there once."""
    line = journal.wait(words)
    count = sum(words in other for other in journal.lines())
    expect(count == 1, f"said {count} times: {line}")
    return f"'{line}'"


@proof("no IIO in the kernel")
def no_modules() -> str:
    rule = Path("/run/modprobe.d/proof.conf")
    rule.parent.mkdir(exist_ok=True)
    rule.write_text("install industrialio /bin/false\n")
    service.stop()
    run("modprobe", "-r", "kxcjk-1013", "hid-sensor-accel-3d", check=False)
    run("modprobe", "-r", "industrialio_triggered_buffer", "kfifo_buf", "industrialio", check=False)
    expect(not Path("/sys/bus/iio").exists(), "the kernel still has it")
    journal = service.Journal()
    try:
        with Watcher() as watcher:
            waiting = watcher.wait("why", lambda now: now.get("reason") not in (None, "starting"))
            line = told(journal, "no sensor")
            expect(service.is_active(), "it has ended")
        rule.unlink()
        with Watcher() as watcher:
            hub = Hub()
            watcher.wait_for("faceUp")
            hub.unplug()
    finally:
        rule.unlink(missing_ok=True)
    return f"{line}; clients: '{waiting['reason']}'; once the module is there, it senses"


@proof("no permission for the device")
def no_permission() -> str:
    journal = service.Journal()
    with service.DropIn("[Service]\nDeviceAllow=\n"):
        hub = Hub()
        try:
            with Watcher() as watcher:
                watcher.wait_for("faceUp")
                line = told(journal, "polled")
        finally:
            hub.unplug()
    return f"{line}; the orientation is told all the same"


@proof("another program captures the chip")
def captured_by_another() -> str:
    """A KXCJK-1013 gives no single readings while its buffer runs: there is nothing to do but to wait."""
    trigger = Trigger("proof")
    chip = Chip()
    try:
        journal = service.Journal()
        for axis in "xyz":
            (chip.device / f"scan_elements/in_accel_{axis}_en").write_text("1")
        (chip.device / "trigger/current_trigger").write_text(trigger.name)
        (chip.device / "buffer/enable").write_text("1")
        with Watcher() as watcher:
            told = watcher.wait("why", lambda now: "cannot poll" in now.get("reason", ""))["reason"]
            journal.wait("no single readings")
            expect((chip.device / "buffer/enable").read_text() == "1\n", "its buffer was taken away")
            (chip.device / "buffer/enable").write_text("0")
            watcher.wait_for("faceUp")
            chip.hold(9.8, 0, 0)
            watcher.wait_for("landscapeLeft")
            expect((chip.device / "buffer/enable").read_text() == "1\n", "its buffer is not used")
    finally:
        chip.remove()
        trigger.remove()
    return f"'{told}'; its buffer is left alone, and once it has ended, we capture"


@proof("another daemon holds the socket")
def socket_taken() -> str:
    state()
    try:
        run("orientationd", "--sensor", "fake:")
    except Unproven as refusal:
        line = str(refusal).splitlines()[-1]
        expect("already listens" in line, line)
    else:
        raise Unproven("a second daemon started at the same socket")
    expect(service.is_active(), "the first one has ended")
    return f"'{line.split(': ', 1)[-1]}'; the first goes on"


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
            line = told(journal, "will not outlast")
        expect(words in line, line)
        expect(state()["lockedTo"] == "portrait", "the lock does not hold")
        with Client() as client:
            client.call("Control.SetRotationLock", locked=False)
    finally:
        service.stop()
        run("umount", str(STATE))
    return f"{line}; the lock holds until then"


@proof("the state directory is read-only")
def read_only() -> str:
    mounted("ro")
    return keep_lock("Read-only")


@proof("the state directory is full")
def full() -> str:
    mounted("size=4k")
    (STATE / "filler").write_bytes(b"x" * 4096)
    return keep_lock("No space")


@proof("the user and the group are missing")
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


@proof("a drop-in with a line that means nothing")
def meaningless() -> str:
    journal = service.Journal()
    with service.DropIn("[Service]\nWatchdogSec=banana\n"):
        state()
        expect(service.is_active(), "it does not run")
        line = run("journalctl", "--quiet", "--since", journal.since, "--output=cat", "--grep", "banana").splitlines()[0]
    return f"'{line}'; the service runs"


@proof("a drop-in with a wrong option")
def wrong_option() -> str:
    journal = service.Journal()
    with service.DropIn("[Service]\nExecStart=\nExecStart=/usr/sbin/orientationd --sensor elsewhere:\n"):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(SOCKET)
            line = journal.wait("elsewhere")
    service.stop()
    run("systemctl", "start", service.SOCKET_UNIT)
    state()
    return f"'{line}'"
