#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rotate the outputs of real compositors without a screen: each runs in a Debian 13 directory, with a daemon whose sensor is
simulated and the agent. Needs root, for chroot and mounts.

    run.py PROGRAMS CACHE [NAME...]    PROGRAMS has the built programs; CACHE keeps the directory and the pictures;
                                       NAME is a compositor, a proof, or an app of Examples

Prints a line for each proof; exit status 1 if one failed."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import chroot
import compositors
import front
import holds
import proofs
import session
import windows

# The last proof ends every session.
PROOFS = proofs.PROOFS[:-1] + front.PROOFS + holds.PROOFS + proofs.PROOFS[-1:]
PROGRAMS = ["orientationd", "orientationctl", "orientation-autorotate"]


def mount(root: Path) -> None:
    """Mount what programs expect; only this process and its children see it."""
    for name in ("proc", "dev"):
        subprocess.run(["mount", "--rbind", f"/{name}", root / name], check=True)
    for name in ("run", "tmp"):
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", root / name], check=True)
    machine = root / "etc/machine-id"
    if not machine.exists() or not machine.read_text().strip():
        machine.write_text("0123456789abcdef0123456789abcdef\n")


def run(kind: type[compositors.Compositor], root: Path, pictures: Path, kept: Path, chosen: set[str]) -> list[str]:
    """Run the proofs with a compositor; return the names of those that failed."""
    failed = []
    room = session.Room(root, kind.name)
    try:
        it = proofs.Session(room, kind, pictures)
        for proof in PROOFS:
            if chosen and proof.__name__ not in chosen:
                continue
            began = time.monotonic()
            try:
                proof(it)
                verdict = "passed"
            except (session.Failure, subprocess.SubprocessError, StopIteration) as error:
                verdict = f"FAILED  {error}"
                failed.append(f"{kind.name}: {proof.__doc__}")
            notes = "".join(f"  ({note})" for note in it.notes)
            it.notes.clear()
            print(f"{kind.name:6} {proof.__doc__}: {verdict}{notes}  {time.monotonic() - began:.1f} s", flush=True)
    except session.Failure as error:
        print(f"{kind.name:6} start: FAILED  {error}", flush=True)
        failed.append(f"{kind.name}: start")
    finally:
        room.close()
        shutil.rmtree(kept / kind.name, ignore_errors=True)
        (kept / kind.name).mkdir(parents=True)
        for log in room.outside.glob("*.log"):
            shutil.copy(log, kept / kind.name)
    return failed


def run_app(name: str, root: Path, pictures: Path, kept: Path) -> list[str]:
    """Run the proofs of an app in a window; return the names of those that failed."""
    failed = []
    room = session.Room(root, name)
    try:
        it = windows.Session(room, name, pictures)
        for proof in windows.PROOFS:
            began = time.monotonic()
            try:
                proof(it)
                verdict = "passed"
            except (session.Failure, subprocess.SubprocessError) as error:
                verdict = f"FAILED  {error}"
                failed.append(f"{name}: {proof.__doc__}")
                it.end()
            print(f"{name} {proof.__doc__}: {verdict}  {time.monotonic() - began:.1f} s", flush=True)
    finally:
        room.close()
        (kept / name).mkdir(parents=True, exist_ok=True)
        for log in room.outside.glob("*.log"):
            shutil.copy(log, kept / name)
    return failed


def main(programs: Path, cache: Path, names: list[str]) -> int:
    root = chroot.ensure(cache)
    mount(root)
    (root / "run/programs").mkdir()
    apps = {app.name: app for app in windows.APPS}
    pictures = cache / "pictures"
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir()
    kinds = [kind for kind in compositors.ALL if not names or kind.name in names]
    chosen = {proof.__name__ for proof in PROOFS} & set(names)
    chosen_apps = [name for name in apps if not names or name in names]
    unknown = set(names) - chosen - {kind.name for kind in compositors.ALL} - set(apps)
    if unknown:
        sys.exit(f"run.py: unknown name {', '.join(sorted(unknown))}; compositors: "
                 f"{', '.join(kind.name for kind in compositors.ALL)}; apps: {', '.join(apps)}; proofs: "
                 f"{', '.join(proof.__name__ for proof in PROOFS)}")
    for program in [*(programs / name for name in PROGRAMS), *(apps[name] for name in chosen_apps)]:
        shutil.copy(program, root / "run/programs")
    if chosen and not kinds:
        kinds = compositors.ALL
    failed = [name for kind in kinds for name in run(kind, root, pictures, cache / "kept", chosen)]
    failed += [failure for name in chosen_apps for failure in run_app(name, root, pictures, cache / "kept")]
    print(f"\n{len(failed)} FAILED: {'; '.join(failed)}" if failed else "\nall proofs hold",
          f"pictures: {pictures}, logs: {cache / 'kept'}", sep="\n")
    return 1 if failed else 0


def enter_namespace() -> None:
    """Start this program again with mounts of its own."""
    if os.environ.get("SCREEN_TEST_NAMESPACE") == "1":
        return
    if os.geteuid() != 0:
        sys.exit(f"{Path(sys.argv[0]).name}: must be root, for chroot and mounts")
    os.environ["SCREEN_TEST_NAMESPACE"] = "1"
    os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", "--", sys.executable, *sys.argv])


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    enter_namespace()
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3:]))
