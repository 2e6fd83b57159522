# SPDX-License-Identifier: Apache-2.0
"""Run the tests in sequence and print a line for each."""

import importlib
import time
import traceback
from pathlib import Path

from harness import TESTS, TestFailure, TestSkip
from service import Journal, journal_of_all

# In this order, after the module that installs the package.
MODULES = Path("/vm/modules").read_text().splitlines()
CHOSEN = set(Path("/vm/chosen").read_text().splitlines())


def main() -> None:
    for module in MODULES:
        importlib.import_module(f"tests.{module}")
    unknown = CHOSEN - {name for name, _ in TESTS} - set(MODULES)
    if unknown:
        print(f"unknown test: {', '.join(sorted(unknown))}")
        return
    failed = 0
    for name, function in TESTS:
        module = function.__module__.removeprefix("tests.")
        if CHOSEN and not CHOSEN & {name, module} and module != "installing":
            continue
        journal = Journal()
        began = time.monotonic()
        try:
            summary, outcome = function(), "ok"
        except TestSkip as reason:
            summary, outcome = str(reason), "skipped"
        except TestFailure as failure:
            summary, outcome = str(failure), "FAILED"
        except Exception:
            summary, outcome = traceback.format_exc(), "FAILED"
        print(f"{outcome:7}  {name:38} {time.monotonic() - began:4.0f} s  {summary}", flush=True)
        if outcome == "FAILED":
            failed += 1
            print("\n".join(f"        | {line}" for line in journal.lines()), flush=True)
    Path("/vm/kept/journal.txt").write_text(journal_of_all())
    print(f"{failed} tests failed" if failed else "all tests passed", flush=True)


main()
