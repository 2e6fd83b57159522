#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the app of Examples/gtk or Examples/sdl in a window without a screen, turn a simulated device, and look where the parts
of the interface are.

    run.py APP PROGRAMS PICTURES [NAME...]    APP is the program; PROGRAMS has orientationd and orientationctl; the
                                              screenshots are written into PICTURES; NAME is a test

Prints a line for each test; exit status 1 if one failed. Needs Xvfb and xdotool."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import tests
from session import Failure, Session


def main(app: Path, programs: Path, pictures: Path, names: list[str]) -> int:
    pictures.mkdir(parents=True, exist_ok=True)
    listed = tests.TESTS + (tests.SDL_TESTS if app.name.endswith("-sdl") else [])
    known = [test.__name__ for test in listed]
    if unknown := set(names) - set(known):
        sys.exit(f"run.py: unknown test {', '.join(sorted(unknown))}; tests: {', '.join(known)}")
    failed = []
    session = Session(programs, app, pictures)
    try:
        for test in listed:
            if names and test.__name__ not in names:
                continue
            began = time.monotonic()
            try:
                test(session)
                verdict = "passed"
            except (Failure, subprocess.SubprocessError) as error:
                verdict = f"FAILED  {error}"
                failed.append(test.__name__)
            print(f"{app.name}: {test.__doc__}: {verdict}  {time.monotonic() - began:.1f} s", flush=True)
    finally:
        session.close()
    print(f"\n{len(failed)} FAILED: {', '.join(failed)}" if failed else "\nall tests passed", f"pictures: {pictures}", sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    # Ends the programs too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main(*(Path(argument).resolve() for argument in sys.argv[1:4]), sys.argv[4:]))
