# SPDX-License-Identifier: Apache-2.0
"""An upgrade keeps what the user chose; a purge leaves nothing."""

import grp
from pathlib import Path

import service
from hinge import Hinge
from hub import Hub
from proof import expect, proof, run
from varlink import Client, state

# What Debian itself keeps: the package manager's logs and backups, the journal; and what the proofs are made of.
KEPT = ("/proc/", "/sys/", "/run/log/", "/var/log/", "/var/backups/", "/var/lib/dpkg/", "/var/lib/apt/", "/var/cache/", "/vm/",
        # The tag of devices that are there, until the next start.
        "/run/udev/")


@proof("an upgrade keeps the lock")
def upgrade() -> str:
    with Client() as client:
        client.call("Control.SetRotationLock", locked=True, edge="landscapeLeft")
    before = service.process()
    run("apt-get", "install", "--yes", "/vm/upgrade.deb")
    version = run("dpkg-query", "--show", "--showformat=${Version}", "orientationd")
    expect(version.endswith("+upgrade"), f"the version is {version}")
    now = state()
    expect(service.process() != before, "the old program still runs")
    expect((now["locked"], now.get("lockedTo")) == (True, "landscapeLeft"), f"the lock is {now}")
    return f"{version} runs and holds landscapeLeft"


@proof("an upgrade names who needs the new group")
def former_members() -> str:
    # As a version with one group left it.
    run("groupdel", "orientation")
    run("gpasswd", "-a", "somebody", "orientationd")
    try:
        said = run("dpkg", "--install", "/vm/upgrade.deb")
        expect("gpasswd -a somebody orientation\n" in said, f"it does not say how to go on: {said}")
        expect("gpasswd -d somebody orientationd\n" in said, f"it does not say how to end the access: {said}")
        expect(grp.getgrnam("orientationd").gr_mem == ["somebody"], "the membership was taken away")
        expect(grp.getgrnam("orientation").gr_mem == [], "a membership was given")
        again = run("dpkg", "--install", "/vm/upgrade.deb")
        expect("gpasswd" not in again, f"it says so at each upgrade: {again}")
        doctor = run("orientationctl", "doctor", check=False)
        expect("gpasswd -a somebody orientation" in doctor, f"the doctor does not say it: {doctor}")
    finally:
        run("gpasswd", "-d", "somebody", "orientationd")
    return "'gpasswd -a somebody orientation', once; memberships are as they were, and the doctor says it later"


@proof("an upgrade keeps what is switched off")
def switched_off() -> str:
    run("systemctl", "disable", "--now", service.SOCKET_UNIT, service.UNIT)
    run("systemctl", "mask", service.SOCKET_UNIT)
    try:
        run("dpkg", "--install", "/vm/upgrade.deb")
        run("systemctl", "unmask", service.SOCKET_UNIT)
        expect(run("systemctl", "is-enabled", service.SOCKET_UNIT, check=False) == "disabled", "it is enabled again")
        expect(not service.is_active(service.SOCKET_UNIT), "it listens again")
    finally:
        run("systemctl", "unmask", service.SOCKET_UNIT)
        run("systemctl", "enable", "--now", service.SOCKET_UNIT)
    state()
    return "a disabled socket stays so, a masked one hinders no upgrade"


@proof("what it looked like")
def looks() -> str:
    for name, command in [("status", ["systemctl", "status", "--no-pager", "--full", service.UNIT, service.SOCKET_UNIT]),
                          ("files", ["dpkg-query", "--listfiles", "orientationd"]),
                          ("installed-size", ["dpkg-query", "--show", "--showformat=${Installed-Size} KiB\n", "orientationd"])]:
        Path(f"/vm/kept/{name}.txt").write_text(run(*command, check=False) + "\n")
    return "systemctl status and the package's files are kept, and in the end the journal"


@proof("purge leaves nothing")
def purge() -> str:
    hub, hinge = Hub(), Hinge()
    group = run("id", "-g", "orientationd")
    try:
        run("apt-get", "purge", "--yes", "orientationd")
        run("udevadm", "settle")
        run("systemctl", "daemon-reload")
        named = run("find", "/", "/run", "-xdev", "-name", "*orientationd*").splitlines()
        left = [path for path in named if not path.startswith(KEPT)]
        expect(not left, f"left: {left}")
        expect("orientation" not in Path("/etc/passwd").read_text() + Path("/etc/group").read_text(), "an account is there")
        units = run("systemctl", "list-units", "--all", "--plain", "--no-legend", "orientationd*")
        expect(not units, f"units: {units}")
        owned = run("find", "/dev", "/run", "/var", "/etc", str(hub.device.resolve()), "-gid", group, check=False)
        expect(not owned, f"still the group's: {owned}")
        entries = run("getfacl", "--omit-header", "--absolute-names", "--numeric", str(hinge.path))
        expect(f"group:{group}:" not in entries, f"the hinge's list is {entries}")
    finally:
        hub.unplug()
        hinge.remove()
    return "no file, unit, user, group or access; Debian keeps its logs, backups of /etc/passwd, and libraries until autoremove"
