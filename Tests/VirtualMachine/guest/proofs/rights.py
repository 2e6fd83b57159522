# SPDX-License-Identifier: Apache-2.0
"""What the service may, and what others may ask of it."""

import grp
import os
import pwd
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path

import service
from hub import Hub
from proof import Unproven, eventually, expect, proof, run
from varlink import Watcher, state

# What capturing has to write, in a device's folder.
WRITTEN = [
    "buffer/enable", "buffer/length", "buffer/watermark", "scan_elements/*_en", "trigger/current_trigger",
    "sampling_frequency", "in_accel*sampling_frequency", "current_timestamp_clock",
]


@proof("its own user, no capabilities")
def no_capabilities() -> str:
    state()
    text = Path(f"/proc/{service.process()}/status").read_text()
    fields = dict(line.split(":\t", 1) for line in text.splitlines())
    user = str(pwd.getpwnam("orientationd").pw_uid)
    expect(set(fields["Uid"].split()) == {user}, f"it runs as {fields['Uid']}")
    sets = {name: int(fields[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}
    expect(not any(sets.values()), f"capabilities {sets}")
    expect(fields["NoNewPrivs"] == "1" and fields["Seccomp"] == "2", "it could gain privileges")
    return f"user {user}; all five capability sets are empty, no new privileges, system calls filtered"


@proof("only what capture writes is opened")
def attributes() -> str:
    hub = Hub()
    try:
        return opened(hub)
    finally:
        hub.unplug()


def opened(hub: Hub) -> str:
    """What the rule has opened: the device's node, and of its attributes only those that capture writes."""
    group = grp.getgrnam("orientationd").gr_gid
    node = Path("/dev", hub.device.name).stat()
    expect((node.st_gid, node.st_mode & 0o777) == (group, 0o660), f"the node is {node}")
    folder = hub.device.resolve()
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    writable = [str(path.relative_to(folder)) for path in files if path.stat().st_mode & 0o022]
    foreign = [name for name in writable if not any(fnmatch(name, pattern) for pattern in WRITTEN)]
    expect(not foreign, f"open besides: {foreign}")
    expect("buffer/enable" in writable, f"open are only {writable}")
    return f"the node, and {len(writable)} of {len(files)} attributes"


@contextmanager
def udev_alone() -> Iterator[Path]:
    """udev as it is where there is no systemd; gives the file of what it says."""
    units = ["systemd-udevd-control.socket", "systemd-udevd-kernel.socket", "systemd-udevd.service"]
    with tempfile.NamedTemporaryFile() as log:
        run("systemctl", "stop", *units)
        # Whether systemd runs is told by what it keeps there.
        hidden = "mount -t tmpfs tmpfs /run/systemd && exec /lib/systemd/systemd-udevd"
        udev = subprocess.Popen(["unshare", "--mount", "sh", "-c", hidden], stdout=log, stderr=log)
        try:
            eventually("udev", Path("/run/udev/control").exists)
            run("udevadm", "control", "--ping")
            yield Path(log.name)
        finally:
            udev.terminate()
            udev.wait()
            run("systemctl", "start", *units)


@proof("the rule without systemd")
def without_systemd() -> str:
    with udev_alone() as log:
        hub = Hub()
        try:
            seen = opened(hub)
            with Watcher() as watcher:
                watcher.wait_for("faceUp")
                eventually("capture", hub.is_captured)
        finally:
            hub.unplug()
        complaints = [line for line in log.read_text().splitlines() if "orientationd" in line]
    expect(not complaints, "\n".join(complaints))
    return f"{seen}, and capture works"


def as_somebody(*command: str, groups: tuple[str, ...] = ()) -> str:
    numbers = [grp.getgrnam(name).gr_gid for name in groups]
    return run(*command, user="somebody", group="somebody", extra_groups=numbers, cwd="/", env={"PATH": "/usr/bin:/bin"})


@proof("another user: orientation, not motion")
def another_user() -> str:
    folder = tempfile.TemporaryDirectory()
    # For somebody else to write to.
    os.chmod(folder.name, 0o777)
    refused, granted = Path(folder.name, "refused"), Path(folder.name, "granted")
    hub = Hub()
    try:
        with Watcher() as watcher:
            watcher.wait_for("faceUp")
            told = as_somebody("orientationctl", "status")
            expect("faceUp" in told, told)
            try:
                as_somebody("orientationctl", "record", "--duration", "1", str(refused))
                raise AssertionError("the motion was told to somebody")
            except Unproven as refusal:
                expect("orientationd" in str(refusal), str(refusal))
                told = str(refusal).splitlines()[-1]
            as_somebody("orientationctl", "record", "--duration", "1", str(granted), groups=("orientationd",))
            lines = len(granted.read_text().splitlines())
    finally:
        hub.unplug()
        folder.cleanup()
    return f"status is answered; record {told.split(': ', 1)[-1]!r}; in the group, record wrote {lines} lines"
