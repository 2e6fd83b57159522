# SPDX-License-Identifier: Apache-2.0
"""A fresh Debian takes the package."""

import grp
import pwd

from proof import expect, proof, run
from service import UNIT, SOCKET_UNIT, is_active, show

# The aim of the unit's confinement, as systemd-analyze counts exposure.
EXPOSURE = 1.2


@proof("apt install ./orientationd.deb")
def install() -> str:
    run("apt-get", "update")
    run("apt-get", "install", "--yes", "/vm/orientationd.deb")
    run("udevadm", "settle")
    user, group = pwd.getpwnam("orientationd"), grp.getgrnam("orientationd")
    expect(user.pw_gid == group.gr_gid, "the user has not its own group")
    members = group.gr_mem + grp.getgrnam("orientation").gr_mem
    expect(not members, f"the groups have members from the start: {members}")
    expect(is_active(SOCKET_UNIT), "the socket is not listening")
    expect(not is_active(), "the service runs although nobody asked")
    version = run("dpkg-query", "--show", "--showformat=${Version}", "orientationd")
    return f"{version}; user {user.pw_uid}, two groups without members, its socket listens, the service waits for a client"


@proof("systemd and udev find no fault")
def verified() -> str:
    complaints = run("systemd-analyze", "verify", "--man=no", UNIT, SOCKET_UNIT)
    expect("orientationd" not in complaints, complaints)
    rule = "/usr/lib/udev/rules.d/70-orientationd.rules"
    if "verify" not in run("udevadm", "--help"):
        return "units, and there is no udevadm verify here"
    run("udevadm", "verify", rule)
    return "units and rule"


@proof("systemd-analyze security")
def confined() -> str:
    table = run("systemd-analyze", "security", "--no-pager", UNIT)
    with open("/vm/kept/security.txt", "w") as kept:
        kept.write(table)
    exposure = float(table.rsplit("exposure level for", 1)[1].split(":")[1].split()[0])
    expect(exposure <= EXPOSURE, f"{exposure} is more than {EXPOSURE}")
    memory = int(show("MemoryMax"))
    expect(memory < 1 << 40, "the service's memory has no limit")
    return f"{exposure}; at most {memory >> 20} MiB of memory"
