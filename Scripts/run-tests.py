#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run test commands one after another, and end with their total.

    run-tests.py COMMAND...

Each COMMAND is a shell command that runs Swift Testing. Output is passed on as plain lines: without control sequences, and
cut to 300 characters. The end lists the failures, the skipped tests with their reasons, and one total. The exit status is
that of the first command that failed; later ones still run."""
import io
import re
import subprocess
import sys
import time

# What is longer is the value of an expression: its beginning shows which.
LONGEST = 300
# CSI and OSC sequences, two-character escapes, and then all other control characters but the tabulator.
SEQUENCES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|\x1b.|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
RAN = re.compile(r"Test run with (\d+) tests?\b.* (passed|failed) after")
FAILED = re.compile(r"^\S+ (Test .+?) (?:recorded an issue|failed after)")
SKIPPED = re.compile(r"^\S+ ((?:Test|Suite) .+) skipped(?:: \"(.*)\")?\.?$")


def plain(line: str) -> str:
    """The line as a terminal shows it."""
    # Of what overwrites itself the last state counts.
    line = SEQUENCES.sub("", line.rstrip("\r\n").rsplit("\r", 1)[-1])
    return line if len(line) <= LONGEST else f"{line[:LONGEST - 4]} ..."


def main(commands: list[str]) -> int:
    began = time.monotonic()
    status, total = 0, 0
    failed: dict[str, None] = {}
    skipped: dict[str, str] = {}
    for command in commands:
        process = subprocess.Popen(command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        # A carriage return ends no line here: it overwrites one.
        for raw in io.TextIOWrapper(process.stdout, errors="replace", newline="\n"):
            line = plain(raw)
            print(line, flush=True)
            if found := RAN.search(line):
                total += int(found[1])
            if found := FAILED.match(line):
                failed[found[1]] = None
            if found := SKIPPED.match(line):
                skipped[found[1]] = found[2] or "no reason given"
        status = status or process.wait()
    for name in failed:
        print(f"FAILED   {name}")
    for name, reason in skipped.items():
        print(f"skipped  {name}: {reason}")
    print(f"{total} tests: {total - len(failed) - len(skipped)} passed, {len(failed)} failed, {len(skipped)} skipped; "
          f"{time.monotonic() - began:.0f} s" + (f"; exit status {status}" if status else ""))
    return status if status > 0 else 128 - status if status else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
