#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Install a Debian package in guests with a kernel, udev and systemd of their own, and prove there what the service promises.
One line per proof; exit status 1 if one of them failed."""

import argparse
import contextlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import image
import machine

HERE = Path(__file__).resolve().parent
# Seconds after which a guest is given up; emulated on a busy machine, all proofs take several minutes.
PATIENCE = 3000
# The rooms of proofs, each share in a guest of its own, at the same time: an emulated guest keeps about one processor busy.
# The package is installed in each.
SHARES = [["life", "sensing", "rights"], ["neighbours", "trouble", "removal"]]


def raised(package: Path, folder: Path) -> None:
    """The same package with a higher version, for the proof of an upgrade."""
    contents = folder / "contents"
    subprocess.run(["dpkg-deb", "--raw-extract", package, contents], check=True)
    control = contents / "DEBIAN/control"
    lines = control.read_text().splitlines()
    control.write_text("".join(
        (f"{line}+upgrade" if line.startswith("Version: ") else line) + "\n" for line in lines))
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", contents, folder / "upgrade.deb"],
        check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(contents)


def prepare(place: Path, package: Path, rooms: list[str], proofs: list[str]) -> None:
    """What a guest sees in its shared folder."""
    shared = place / "shared"
    shutil.copytree(HERE / "guest", shared)
    shutil.copy(package, shared / "orientationd.deb")
    raised(package, shared)
    (shared / "rooms").write_text("\n".join(["installing", *rooms]))
    (shared / "chosen").write_text("\n".join(proofs))
    (shared / "kept").mkdir()


def is_proven(guest: machine.Guest, end: float) -> bool:
    """Prints what the guest says, as it comes."""
    proven = False
    try:
        for line in guest.report(end):
            print(line, flush=True)
            # Not always the last line: the guest's own good-bye may come through too.
            proven = proven or line == "all proven"
    except machine.GuestError as error:
        print("\n".join(guest.console()[-40:]), f"FAILED  the guest  {error}", sep="\n", flush=True)
        return False
    return proven


def main(package: Path, cache: Path, suite: str, proofs: list[str]) -> int:
    began = time.monotonic()
    folder = image.ensure(suite, cache)
    print(f"{suite}, {'KVM' if machine.has_kvm() else 'emulated'}", flush=True)
    # What is chosen are a few proofs of any room.
    shares = [sum(SHARES, [])] if proofs else SHARES
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as running:
        places = [Path(name, str(number)) for number in range(len(shares))]
        for place, rooms in zip(places, shares):
            prepare(place, package, rooms, proofs)
        end = time.monotonic() + PATIENCE
        guests = [running.enter_context(machine.Guest(folder, place)) for place in places]
        proven = [is_proven(guest, end) for guest in guests]
        kept = folder / "kept"
        shutil.rmtree(kept, ignore_errors=True)
        for place in places:
            shutil.copytree(place / "shared/kept", kept, dirs_exist_ok=True)
    print(f"{time.monotonic() - began:.0f} s; what the guests kept is in {kept}")
    return 0 if all(proven) else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", type=Path, help="the Debian package")
    parser.add_argument("cache", type=Path, help="the folder that keeps the guests' images")
    parser.add_argument("suite", nargs="?", default="trixie", help="which Debian: trixie or bookworm")
    parser.add_argument("proofs", nargs="*", metavar="proof", help="make these alone, after the installation")
    given = parser.parse_args()
    # So that the guests end too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main(given.package, given.cache.resolve(), given.suite, given.proofs))
