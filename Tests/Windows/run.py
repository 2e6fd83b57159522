#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the app of Examples/gtk or Examples/sdl in a window without a screen, turn a simulated device, and look where the parts
of the interface are.

    run.py APP PROGRAMS PICTURES [NAME...]    APP is the program; PROGRAMS has orientationd and orientationctl; the
                                              screenshots are written into PICTURES; NAME is a proof

Prints a line for each proof; exit status 1 if one failed. Needs Xvfb and xdotool."""

import subprocess
import sys
import time
from pathlib import Path

import proofs
from session import Failure, Session


def main(app: Path, programs: Path, pictures: Path, names: list[str]) -> int:
    pictures.mkdir(parents=True, exist_ok=True)
    listed = proofs.PROOFS + (proofs.SDL_PROOFS if app.name.endswith("-sdl") else [])
    known = [proof.__name__ for proof in listed]
    if unknown := set(names) - set(known):
        sys.exit(f"run.py: unknown proof {', '.join(sorted(unknown))}; proofs: {', '.join(known)}")
    failed = []
    session = Session(programs, app, pictures)
    try:
        for proof in listed:
            if names and proof.__name__ not in names:
                continue
            began = time.monotonic()
            try:
                proof(session)
                verdict = "passed"
            except (Failure, subprocess.SubprocessError) as error:
                verdict = f"FAILED  {error}"
                failed.append(proof.__name__)
            print(f"{app.name}: {proof.__doc__}: {verdict}  {time.monotonic() - began:.1f} s", flush=True)
    finally:
        session.close()
    print(f"\n{len(failed)} FAILED: {', '.join(failed)}" if failed else "\nall proofs hold", f"pictures: {pictures}", sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(*(Path(argument).resolve() for argument in sys.argv[1:4]), sys.argv[4:]))
