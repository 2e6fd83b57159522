# SPDX-License-Identifier: Apache-2.0
"""Upgrade and purge."""

from pathlib import Path

import service
from hinge import Hinge
from hub import Hub
from harness import expect, test, run
from varlink import Client, state

# What Debian keeps: logs and backups of the package manager, the journal; and the files of the tests.
KEPT = ("/proc/", "/sys/", "/run/log/", "/var/log/", "/var/backups/", "/var/lib/dpkg/", "/var/lib/apt/", "/var/cache/", "/vm/",
        # The tag of present devices, until the next boot.
        "/run/udev/")


@test("an upgrade keeps the lock")
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


@test("an upgrade keeps disabled units")
def disabled_units() -> str:
    run("systemctl", "disable", "--now", service.SOCKET_UNIT, service.UNIT)
    run("systemctl", "mask", service.SOCKET_UNIT)
    try:
        run("dpkg", "--install", "/vm/upgrade.deb")
        run("systemctl", "unmask", service.SOCKET_UNIT)
        expect(run("systemctl", "is-enabled", service.SOCKET_UNIT, check=False) == "disabled", "the socket is enabled again")
        expect(not service.is_active(service.SOCKET_UNIT), "the socket listens again")
    finally:
        run("systemctl", "unmask", service.SOCKET_UNIT)
        run("systemctl", "enable", "--now", service.SOCKET_UNIT)
    state()
    return "a disabled socket stays disabled; a masked one does not prevent an upgrade"


@test("purge leaves nothing")
def purge() -> str:
    hub, hinge = Hub(), Hinge()
    group = run("id", "-g", "orientationd")
    try:
        run("apt-get", "purge", "--yes", "orientationd")
        # Removed with the daemon, not purged, where a test has installed it.
        run("dpkg", "--purge", "orientation-tablet-switch")
        run("udevadm", "settle")
        run("systemctl", "daemon-reload")
        named = run("find", "/", "/run", "-xdev", "-name", "*orientationd*").splitlines()
        remaining = [path for path in named if not path.startswith(KEPT)]
        expect(not remaining, f"files: {remaining}")
        expect("orientation" not in Path("/etc/passwd").read_text() + Path("/etc/group").read_text(), "an account remains")
        units = run("systemctl", "list-units", "--all", "--plain", "--no-legend", "orientationd*")
        expect(not units, f"units: {units}")
        owned = run("find", "/dev", "/run", "/var", "/etc", str(hub.device.resolve()), "-gid", group, check=False)
        expect(not owned, f"owned by the group: {owned}")
        entries = run("getfacl", "--omit-header", "--absolute-names", "--numeric", str(hinge.path))
        expect(f"group:{group}:" not in entries, f"the access list of the hinge: {entries}")
    finally:
        hub.unplug()
        hinge.remove()
    return "no file, unit, user, group or access; Debian keeps its logs, backups of /etc/passwd, and libraries until autoremove"
