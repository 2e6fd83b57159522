# SPDX-License-Identifier: Apache-2.0
"""Makes the proofs, one after the other, and says of each in a line what was seen."""

import importlib
import time
import traceback
from pathlib import Path

from proof import PROOFS, Inapplicable, Unproven
from service import Journal, journal_of_all

# In this order, after the room that installs the package.
ROOMS = Path("/vm/rooms").read_text().splitlines()
CHOSEN = set(Path("/vm/chosen").read_text().splitlines())


def main() -> None:
    for room in ROOMS:
        importlib.import_module(f"proofs.{room}")
    unknown = CHOSEN - {name for name, _ in PROOFS}
    if unknown:
        print(f"There is no such proof: {', '.join(sorted(unknown))}")
        return
    failed = 0
    for name, function in PROOFS:
        if CHOSEN and name not in CHOSEN and function.__module__ != "proofs.installing":
            continue
        journal = Journal()
        began = time.monotonic()
        try:
            seen, outcome = function(), "ok"
        except Inapplicable as reason:
            seen, outcome = str(reason), "skipped"
        except Unproven as complaint:
            seen, outcome = str(complaint), "FAILED"
        except Exception:
            seen, outcome = traceback.format_exc(), "FAILED"
        print(f"{outcome:7}  {name:38} {time.monotonic() - began:4.0f} s  {seen}", flush=True)
        if outcome == "FAILED":
            failed += 1
            print("\n".join(f"        | {line}" for line in journal.lines()), flush=True)
    Path("/vm/kept/journal.txt").write_text(journal_of_all())
    print(f"{failed} of the proofs failed" if failed else "all proven", flush=True)


main()
