#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py PACKAGE CACHE [SUITE [PROOF...]]: install a Debian package in a guest with a kernel, udev and systemd of its own,
and prove there what the service promises. One line per proof; exit status 1 if one of them failed."""

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


def main(package: Path, cache: Path, suite: str = "trixie", *proofs: str) -> int:
    began = time.monotonic()
    folder = image.ensure(suite, cache)
    print(f"{suite}, {'KVM' if machine.has_kvm() else 'emulated'}", flush=True)
    proven = False
    with tempfile.TemporaryDirectory() as name:
        shared = Path(name)
        shutil.copytree(HERE / "guest", shared, dirs_exist_ok=True)
        shutil.copy(package, shared / "orientationd.deb")
        raised(package, shared)
        (shared / "chosen").write_text("\n".join(proofs))
        (shared / "kept").mkdir()
        try:
            for line in machine.report(folder, shared, PATIENCE):
                print(line, flush=True)
                # Not always the last: the guest's own good-bye may come through too.
                proven = proven or line == "all proven"
        except machine.GuestError as error:
            proven = False
            console = (folder / "console.log").read_text(errors="replace").splitlines()
            print("\n".join(console[-40:]), f"FAILED  the guest  {error}", sep="\n")
        kept = folder / "kept"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(shared / "kept", kept)
    print(f"{time.monotonic() - began:.0f} s; what the guest kept is in {kept}")
    return 0 if proven else 1


if __name__ == "__main__":
    # So that the guest ends too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]).resolve(), *sys.argv[3:]))
