# SPDX-License-Identifier: Apache-2.0
"""What the service may, and what others may ask of it."""

import grp
import os
import pwd
import subprocess
import tempfile
import time
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


# Passes the last reference to a TCP socket whose closing takes half a minute, on a connection that sends more calls than are
# read, and closes that; then says so and keeps the other end of the TCP socket until it is ended.
PASSING = """
import os, socket, struct, time
listener = socket.create_server(("127.0.0.1", 0))
for calls in (1, 1700):
    slow = socket.create_connection(listener.getsockname())
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 30))
    slow.setblocking(False)
    try:
        while True: slow.send(bytes(1 << 20))
    except BlockingIOError: pass
    client = socket.socket(socket.AF_UNIX)
    client.connect("/run/orientationd/orientationd.sock")
    client.sendall(b'{"method":"org.orientationd.Orientation.Monitor","more":true}\\0')
    client.recv(65536)
    client.sendall(b'{"method":"org.varlink.service.GetInfo"}\\0' * calls)
    try: socket.send_fds(client, [b" "], [slow.fileno()])
    except PermissionError: slow.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    slow.close()
    client.close()
print("passed", flush=True)
time.sleep(60)
"""


@proof("passed descriptors do not stop the loop")
def passed_descriptors() -> str:
    state()
    first = service.process()
    attacker = subprocess.Popen(
        ["python3", "-c", PASSING], user="somebody", group="somebody", extra_groups=[], stdout=subprocess.PIPE, text=True)
    try:
        expect(attacker.stdout.readline() == "passed\n", "the attacker could not pass them")
        began = time.monotonic()
        for _ in range(3):
            state()
        seconds = time.monotonic() - began
        # The sockets take 30 s to close, each.
        expect(seconds < 25, f"other clients waited {seconds:.0f} s")
    finally:
        attacker.kill()
        attacker.wait()
    expect(service.process() == first, "the service was started anew")
    return f"other clients are answered, within {seconds:.1f} s; kernel {os.uname().release}"


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
            # The service's group is for the nodes, not for people: membership changes nothing here.
            for groups in ((), ("orientationd",)):
                try:
                    as_somebody("orientationctl", "record", "--duration", "1", str(refused), groups=groups)
                    raise AssertionError(f"the motion was sent to a member of {groups}")
                except Unproven as refusal:
                    expect("membership in the group orientation" in str(refusal), str(refusal))
                    told = str(refusal).splitlines()[-1]
            as_somebody("orientationctl", "record", "--duration", "1", str(granted), groups=("orientation",))
            lines = len(granted.read_text().splitlines())
            node, enable = f"/dev/{hub.device.name}", f"{hub.device.resolve()}/buffer/enable"
            # dash reads and writes nothing here: opening is what is tried.
            opened = as_somebody(
                "sh", "-c", 'for file; do (: <>"$file") 2>/dev/null && echo "$file"; done; :', "sh", node, enable,
                groups=("orientation",))
            expect(not opened, f"a member of the group orientation opens {opened}")
    finally:
        hub.unplug()
        folder.cleanup()
    return f"status is answered; record {told.split(': ', 1)[-1]!r}; in the group orientation, record wrote {lines} lines, and the node stays closed"
