# SPDX-License-Identifier: Apache-2.0
"""Installation on a fresh Debian."""

import grp
import pwd
from pathlib import Path

from harness import expect, test, run
from service import UNIT, SOCKET_UNIT, is_active, show

# The maximum exposure level of systemd-analyze.
EXPOSURE = 1.2


@test("apt install ./orientationd.deb")
def install() -> str:
    run("apt-get", "update")
    run("apt-get", "install", "--yes", "/vm/orientationd.deb")
    run("udevadm", "settle")
    user, group = pwd.getpwnam("orientationd"), grp.getgrnam("orientationd")
    expect(user.pw_gid == group.gr_gid, "the user's group is not its own")
    members = group.gr_mem + grp.getgrnam("orientation").gr_mem
    expect(not members, f"the groups have members: {members}")
    expect(is_active(SOCKET_UNIT), "the socket is not listening")
    expect(not is_active(), "the service runs without a client")
    link = Path("/run/varlink/registry/org.orientationd.Orientation")
    expect(link.resolve() == Path("/run/orientationd/orientationd.sock"), "the socket is not in the registry")
    version = run("dpkg-query", "--show", "--showformat=${Version}", "orientationd")
    return f"{version}; user {user.pw_uid}, two groups without members, the socket listens, the service is not started"


@test("systemd and udev accept unit and rule")
def verified() -> str:
    errors = run("systemd-analyze", "verify", "--man=no", UNIT, SOCKET_UNIT)
    expect("orientationd" not in errors, errors)
    rule = "/usr/lib/udev/rules.d/70-orientationd.rules"
    if "verify" not in run("udevadm", "--help"):
        return "units; this udev has no udevadm verify"
    run("udevadm", "verify", rule)
    return "units and rule"


@test("systemd-analyze security")
def confined() -> str:
    table = run("systemd-analyze", "security", "--no-pager", UNIT)
    with open("/vm/kept/security.txt", "w") as kept:
        kept.write(table)
    exposure = float(table.rsplit("exposure level for", 1)[1].split(":")[1].split()[0])
    expect(exposure <= EXPOSURE, f"{exposure} is more than {EXPOSURE}")
    memory = int(show("MemoryMax"))
    expect(memory < 1 << 40, "the service's memory has no limit")
    return f"{exposure}; at most {memory >> 20} MiB of memory"
