#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rotate the outputs of real compositors without a screen: each runs in a Debian 13 directory, with a daemon whose sensor is
simulated and the agent; phosh runs without the agent, which steps aside on KWin and mutter. Sessions named autostart-... start the agent
themselves; in remedies-sway, remedies of the doctor do. Needs root, for chroot and mounts.

    run.py PROGRAMS CACHE [NAME...]    PROGRAMS has the built programs; CACHE keeps the directory and the pictures;
                                       NAME is a compositor, phosh, a test, or an app of Examples

Prints a line for each test; exit status 1 if one failed."""

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import aside
import autostart
import chroot
import compositors
import debian_root
import front
import idle
import phosh
import remedies
import session
import tests
import windows

# The last test ends every session.
TESTS = tests.TESTS[:-1] + front.TESTS + idle.TESTS + tests.TESTS[-1:]
PROGRAMS = ["orientationd", "orientationctl", "orientation-autorotate"]


def run(kind: type[compositors.Compositor], root: Path, pictures: Path, kept: Path, chosen: set[str]) -> list[str]:
    """Run the tests with a compositor; return the names of those that failed."""
    failed = []
    room = session.Room(root, kind.name)
    try:
        it = tests.Session(room, kind, pictures)
        for test in TESTS:
            if test.__name__ not in (chosen or {test.__name__}):
                continue
            began = time.monotonic()
            try:
                test(it)
                verdict = "passed"
            except (session.Failure, subprocess.SubprocessError, StopIteration) as error:
                verdict = f"FAILED  {error}"
                failed.append(f"{kind.name}: {test.__doc__}")
            notes = "".join(f"  ({note})" for note in it.notes)
            it.notes.clear()
            print(f"{kind.name:6} {test.__doc__}: {verdict}{notes}  {time.monotonic() - began:.1f} s", flush=True)
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
    """Run the tests of an app in a window; return the names of those that failed."""
    return run_session(name, root, kept, lambda room: windows.Session(room, name, pictures), windows.TESTS)


def run_session(name: str, root: Path, kept: Path, start: Callable, tests: list[Callable]) -> list[str]:
    """Run the tests of a session without the agent's compositors; return the names of those that failed."""
    failed = []
    room = session.Room(root, name)
    try:
        it = start(room)
        for test in tests:
            began = time.monotonic()
            try:
                test(it)
                verdict = "passed"
            except (session.Failure, subprocess.SubprocessError) as error:
                verdict = f"FAILED  {error}"
                failed.append(f"{name}: {test.__doc__}")
                it.failed()
            print(f"{name} {test.__doc__}: {verdict}  {time.monotonic() - began:.1f} s", flush=True)
    except session.Failure as error:
        print(f"{name} start: FAILED  {error}", flush=True)
        failed.append(f"{name}: start")
    finally:
        room.close()
        (kept / name).mkdir(parents=True, exist_ok=True)
        for log in room.outside.glob("*.log"):
            shutil.copy(log, kept / name)
    return failed


def main(programs: Path, cache: Path, names: list[str]) -> int:
    root = chroot.ensure(cache, only_sway=bool(names) and set(names) <= {"sway", "autostart-sway", "remedies-sway"})
    debian_root.mount(root, "proc", "dev")
    (root / "run/programs").mkdir()
    apps = {app.name: app for app in windows.APPS}
    pictures = cache / "pictures"
    shutil.rmtree(pictures, ignore_errors=True)
    pictures.mkdir()
    kinds = [kind for kind in compositors.ALL if not names or kind.name in names]
    chosen = {test.__name__ for test in TESTS} & set(names)
    chosen_apps = [name for name in apps if not names or name in names]
    sessions = [*(kind.name for kind in compositors.ALL + compositors.ROTATING + autostart.ALL), remedies.Sway.name, phosh.NAME]
    unknown = set(names) - chosen - set(sessions) - set(apps)
    if unknown:
        sys.exit(f"run.py: unknown name {', '.join(sorted(unknown))}; compositors: "
                 f"{', '.join(sessions)}; apps: {', '.join(apps)}; tests: "
                 f"{', '.join(test.__name__ for test in TESTS)}")
    for program in [*(programs / name for name in PROGRAMS), *(apps[name] for name in chosen_apps)]:
        shutil.copy(program, root / "run/programs")
    if chosen and not kinds and not set(names) & set(sessions):
        kinds = compositors.ALL
    failed = [name for kind in kinds for name in run(kind, root, pictures, cache / "kept", chosen)]
    for kind in compositors.ROTATING:
        if not names or kind.name in names:
            failed += run_session(
                kind.name, root, cache / "kept", lambda room: aside.Session(room, kind), aside.tests(kind))
    for kind in autostart.ALL:
        if not names or kind.name in names:
            failed += run_session(
                kind.name, root, cache / "kept", lambda room: autostart.Session(room, kind), autostart.TESTS)
    if not names or remedies.Sway.name in names:
        failed += run_session(
            remedies.Sway.name, root, cache / "kept", lambda room: autostart.Session(room, remedies.Sway), remedies.TESTS)
    if not names or phosh.NAME in names:
        failed += run_session(
            phosh.NAME, root, cache / "kept", lambda room: phosh.Session(room, pictures), phosh.TESTS)
    failed += [failure for name in chosen_apps for failure in run_app(name, root, pictures, cache / "kept")]
    print(f"\n{len(failed)} FAILED: {'; '.join(failed)}" if failed else "\nall tests passed",
          f"pictures: {pictures}, logs: {cache / 'kept'}", sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    debian_root.enter_namespace()
    # Ends the programs too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3:]))
