#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Install a Debian package in guests with a kernel, udev and systemd of their own, and prove there what the service promises.
One line per proof; exit status 1 if one of them failed. With --check alone: only whether each proof is listed in a share."""

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
# The package is installed in each; apart from that no share needs another.
SHARES = [["life", "sensing", "rights"], ["neighbours", "trouble", "removal"]]

# A guest's last word on its proofs, or its end.
PROVEN = "all proven"
FAILED = "of the proofs failed"


def unlisted() -> list[str]:
    """Files of proofs that no share makes, and shares without a file."""
    files = {path.stem for path in (HERE / "guest/proofs").glob("*.py")}
    return sorted(files ^ {"installing", *sum(SHARES, [])})


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


def print_report(guest: machine.Guest, end: float) -> bool:
    """Prints what a guest says, until it ends; whether all is proven."""
    verdict = ""
    try:
        for line in guest.report(end):
            print(line, flush=True)
            # Not always the last line: the guest's own good-bye may come through too.
            verdict = line if line == PROVEN or line.endswith(FAILED) else verdict
        if not verdict:
            raise machine.GuestError("it ended before its proofs did")
    except machine.GuestError as error:
        print(*guest.console()[-40:], f"FAILED  the guest  {error}", sep="\n", flush=True)
        return False
    return verdict == PROVEN


def keep(places: list[Path], kept: Path) -> None:
    """What the guests looked like, each in a folder of its own."""
    shutil.rmtree(kept, ignore_errors=True)
    for number, place in enumerate(places, 1):
        shutil.copytree(place / "shared/kept", kept / str(number))
        for name in ("report", "console.log"):
            if (place / name).exists():
                shutil.copy(place / name, kept / str(number))


def main(package: Path, cache: Path, suite: str, proofs: list[str]) -> int:
    began = time.monotonic()
    folder = image.ensure(suite, cache)
    print(f"{suite}, {'KVM' if machine.has_kvm() else 'emulated'}", flush=True)
    # Chosen proofs are few, and may be of any room: one guest makes them.
    shares = [sum(SHARES, [])] if proofs else SHARES
    kept = folder / "kept"
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as running:
        places = [Path(name, str(number)) for number in range(len(shares))]
        for place, rooms in zip(places, shares):
            prepare(place, package, rooms, proofs)
        end = time.monotonic() + PATIENCE
        try:
            guests = [running.enter_context(machine.Guest(folder, place)) for place in places]
            proven = []
            for number, (guest, rooms) in enumerate(zip(guests, shares), 1):
                print(f"\nguest {number} of {len(guests)}: {', '.join(rooms)}", flush=True)
                proven.append(print_report(guest, end))
        finally:
            keep(places, kept)
    print(f"\n{'everything is proven' if all(proven) else 'NOT everything is proven'}; "
          f"{time.monotonic() - began:.0f} s; what the guests kept is in {kept}")
    return 0 if all(proven) else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", type=Path, help="the Debian package")
    parser.add_argument("cache", type=Path, help="the folder that keeps the guests' images")
    parser.add_argument("suite", nargs="?", default="trixie", choices=["trixie", "bookworm"], help="which Debian")
    parser.add_argument(
        "proofs", nargs="*", default=[], metavar="proof", help="make only these, after the installation")
    if wrong := unlisted():
        sys.exit(f"run.py: guest/proofs and SHARES differ: {', '.join(wrong)}; list each file in one share")
    if sys.argv[1:] == ["--check"]:
        sys.exit(0)
    given = parser.parse_args()
    if not given.package.is_file():
        parser.error(f"there is no package {given.package}")
    # So that the guests end too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main(given.package, given.cache.resolve(), given.suite, given.proofs))
