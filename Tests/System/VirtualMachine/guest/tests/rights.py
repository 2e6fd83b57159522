# SPDX-License-Identifier: Apache-2.0
"""Permissions of the service and of its clients."""

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
from harness import TestFailure, eventually, expect, test, run
from varlink import Watcher, state

# The attributes that capture and motion events write.
WRITTEN = [
    "buffer/enable", "buffer/length", "buffer/watermark", "scan_elements/*_en", "trigger/current_trigger",
    "sampling_frequency", "in_accel*sampling_frequency", "in_illuminance*sampling_frequency",
    "in_intensity*sampling_frequency", "in_proximity*sampling_frequency", "in_rot*sampling_frequency", "current_timestamp_clock",
    "events/in_accel*_en", "events/in_accel*_value", "events/in_accel*_period",
]


@test("its own user, no capabilities")
def no_capabilities() -> str:
    state()
    text = Path(f"/proc/{service.process()}/status").read_text()
    fields = dict(line.split(":\t", 1) for line in text.splitlines())
    user = str(pwd.getpwnam("orientationd").pw_uid)
    expect(set(fields["Uid"].split()) == {user}, f"Uid is {fields['Uid']}")
    sets = {name: int(fields[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}
    expect(not any(sets.values()), f"capabilities {sets}")
    expect(fields["NoNewPrivs"] == "1" and fields["Seccomp"] == "2", "no NoNewPrivs or no seccomp filter")
    return f"user {user}; all five capability sets are empty, no new privileges, system calls filtered"


@test("io_uring is refused")
def no_io_uring() -> str:
    # systemd lists the names of all system calls that the filter permits.
    permitted = service.show("SystemCallFilter").split()
    expect("sendto" in permitted, f"the filter does not list what it permits: {permitted[:5]}")
    rings = [name for name in permitted if name.startswith("io_uring")]
    expect(not rings, f"permitted: {rings}")
    return f"not among the {len(permitted)} permitted system calls"


@test("the udev rule opens only what capture writes")
def attributes() -> str:
    hub = Hub()
    try:
        return opened(hub)
    finally:
        hub.unplug()


def opened(hub: Hub) -> str:
    """Check that the rule opened the device's node, and of its attributes only those that capture writes."""
    group = grp.getgrnam("orientationd").gr_gid
    node = Path("/dev", hub.device.name).stat()
    expect((node.st_gid, node.st_mode & 0o777) == (group, 0o660), f"the node is {node}")
    folder = hub.device.resolve()
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    writable = [str(path.relative_to(folder)) for path in files if path.stat().st_mode & 0o022]
    foreign = [name for name in writable if not any(fnmatch(name, pattern) for pattern in WRITTEN)]
    expect(not foreign, f"also writable: {foreign}")
    expect("buffer/enable" in writable, f"writable: {writable}")
    return f"the node, and {len(writable)} of {len(files)} attributes"


@contextmanager
def udev_alone() -> Iterator[Path]:
    """Run udev as on a system without systemd; yield its log file."""
    units = ["systemd-udevd-control.socket", "systemd-udevd-kernel.socket", "systemd-udevd.service"]
    with tempfile.NamedTemporaryFile() as log:
        run("systemctl", "stop", *units)
        # sd_booted(3) tests for this directory.
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


@test("the rule without systemd")
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
        errors = [line for line in log.read_text().splitlines() if "orientationd" in line]
    expect(not errors, "\n".join(errors))
    return f"{seen}, and capture works"


def as_user(*command: str, groups: tuple[str, ...] = ()) -> str:
    numbers = [grp.getgrnam(name).gr_gid for name in groups]
    return run(*command, user="tester", group="tester", extra_groups=numbers, cwd="/", env={"PATH": "/usr/bin:/bin"})


@test("another user: orientation, not motion")
def another_user() -> str:
    folder = tempfile.TemporaryDirectory()
    # Writable for the other user.
    os.chmod(folder.name, 0o777)
    refused, granted = Path(folder.name, "refused"), Path(folder.name, "granted")
    hub = Hub()
    try:
        with Watcher() as watcher:
            watcher.wait_for("faceUp")
            text = as_user("orientationctl", "status")
            expect("face up" in text, text)
            # The service's group is for the nodes, not for people: membership changes nothing here.
            for groups in ((), ("orientationd",)):
                try:
                    as_user("orientationctl", "record", "--duration", "1", str(refused), groups=groups)
                    raise AssertionError(f"samples were sent to a member of {groups}")
                except TestFailure as refusal:
                    expect("membership in the group orientation" in str(refusal), str(refusal))
                    text = str(refusal).splitlines()[-1]
            as_user("orientationctl", "record", "--duration", "1", str(granted), groups=("orientation",))
            lines = len(granted.read_text().splitlines())
            node, enable = f"/dev/{hub.device.name}", f"{hub.device.resolve()}/buffer/enable"
            # Opens the files without reading or writing.
            opened = as_user(
                "sh", "-c", 'for file; do (: <>"$file") 2>/dev/null && echo "$file"; done; :', "sh", node, enable,
                groups=("orientation",))
            expect(not opened, f"a member of the group orientation opens {opened}")
    finally:
        hub.unplug()
        folder.cleanup()
    return f"status works; record: {text.split(': ', 1)[-1]!r}; in the group orientation, record wrote {lines} lines, and the node cannot be opened"
