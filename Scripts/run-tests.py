#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run test commands one after another, and end with their total.

    run-tests.py COMMAND...
    run-tests.py --self-test  check the total of a sample output

Each COMMAND is a shell command that runs Swift Testing. Output is passed on as plain lines: without control sequences, and
cut to 300 characters. The end lists the failures, the reports of sanitizers, the skipped tests with their reasons, and one
total. A command that prints nothing for 15 minutes is ended, and its unfinished tests are failures. The exit status is that
of the first command that failed; later ones still run."""
import io
import os
import re
import signal
import subprocess
import sys
import threading
import time

# The maximum line length. Longer lines contain the value of an expression; its beginning identifies it.
LONGEST = 300
# The maximum time without a line, in seconds. The slowest step, a build under a sanitizer, takes less than half of it.
SILENCE = 900
# CSI and OSC sequences, two-character escapes, and then all other control characters but the tabulator.
SEQUENCES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|\x1b.|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
RAN = re.compile(r"Test run with (\d+) tests?\b.* (passed|failed) after")
# The name of a test, without the count of its arguments. The total of a run and each of the arguments look similar.
NAME = r"^\S+ (Test (?!run with \d|case passing ).+?)(?: with \d+ test cases?)?"
STARTED = re.compile(NAME + r" started\.$")
ENDED = re.compile(NAME + r" (?:passed|failed) after [\d.]+ seconds\b")
# One line per failed test; an issue is recorded before, and is the only line when the program crashes.
FAILED = re.compile(NAME + r" failed after [\d.]+ seconds with \d+ issues?\b")
ISSUE = re.compile(NAME + r" recorded an issue (?:at|with) ")
# A sanitizer's report, or the end of a program that crashed: neither belongs to a test.
REPORT = re.compile(r"^(?:SUMMARY: \w+Sanitizer: |error: Exited with unexpected signal).*")
# Each test of a skipped suite has its own line.
SKIPPED = re.compile(NAME + r" skipped(?:: \"(.*)\")?\.?$")


def plain(line: str) -> str:
    """The line as a terminal shows it."""
    # Keep only the text after the last carriage return.
    line = SEQUENCES.sub("", line.rstrip("\r\n").rsplit("\r", 1)[-1])
    return line if len(line) <= LONGEST else f"{line[:LONGEST - 4]} ..."


class Total:
    """The failed and skipped tests of all commands, and their number."""

    def __init__(self):
        self.tests = 0
        self.failed: list[str] = []
        self.issues: list[str] = []
        self.skipped: list[tuple[str, str]] = []
        self.reports: list[str] = []
        self.running: list[str] = []

    def add(self, line: str):
        if found := STARTED.match(line):
            self.running.append(found[1])
        elif (found := ENDED.match(line)) and found[1] in self.running:
            self.running.remove(found[1])
        if found := RAN.search(line):
            self.tests += int(found[1])
        elif REPORT.match(line):
            self.reports.append(line)
        elif found := FAILED.match(line):
            self.failed.append(found[1])
        elif found := ISSUE.match(line):
            self.issues.append(found[1])
        elif found := SKIPPED.match(line):
            self.skipped.append((found[1], found[2] or "no reason given"))

    def end(self, was_silent: bool):
        """Ends a command; tests that run when it was ended for its silence have failed."""
        if was_silent:
            self.failed += [f"{name}: did not end" for name in self.running]
        self.running = []

    def lines(self) -> list[str]:
        """The failures, the skipped tests and the total."""
        failed = self.failed + [name for name in dict.fromkeys(self.issues) if name not in self.failed]
        # A program that crashed printed no number of tests.
        passed = max(self.tests - len(failed) - len(self.skipped), 0)
        return [
            *(f"FAILED   {name}" for name in failed),
            *dict.fromkeys(self.reports),
            *(f"skipped  {name}: {reason}" for name, reason in self.skipped),
            f"{self.tests} tests: {passed} passed, {len(failed)} failed, {len(self.skipped)} skipped",
        ]


def self_test():
    # Printed by Swift Testing 6.3 for eight tests in two suites.
    output = """\
\u279c Suite Skipped skipped: "no root"
\u279c Test noReason() skipped.
\u25c7 Test odd(n:) started.
\u279c Test off() skipped: "not "here""
\u279c Test "one thing" skipped: "no root"
\u279c Test two() skipped: "no root"
\u25c7 Test case passing 1 argument n \u2192 2 to odd(n:) started.
\u2718 Test odd(n:) recorded an issue with 1 argument n \u2192 2 at A.swift:7:52: Expectation failed: (n \u2192 2) != 2
\u2718 Test case passing 1 argument n \u2192 2 to odd(n:) failed after 0.001 seconds with 1 issue.
\u2501 Test known() recorded a known issue at A.swift:11:41: Expectation failed: 1 == 2
\u2718 Test odd(n:) with 3 test cases failed after 0.001 seconds with 1 issue.
\u2718 Test bad() recorded an issue at A.swift:10:4: Caught error: E()
\u2714 Test "with a "name"" passed after 0.002 seconds.
\u2501 Test known() passed after 0.002 seconds with 1 known issue.
\u2718 Test bad() failed after 0.002 seconds with 1 issue.
\u2718 Suite Mixed failed after 0.003 seconds with 3 issues (including 1 known issue).
SUMMARY: ThreadSanitizer: data race A.swift:7 in odd
\u2718 Test run with 8 tests in 2 suites failed after 0.003 seconds with 3 issues (including 1 known issue).
"""
    total = Total()
    for line in output.splitlines():
        total.add(plain(line))
    expected = [
        "FAILED   Test odd(n:)", "FAILED   Test bad()", "SUMMARY: ThreadSanitizer: data race A.swift:7 in odd",
        "skipped  Test noReason(): no reason given",
        'skipped  Test off(): not "here"', 'skipped  Test "one thing": no root', "skipped  Test two(): no root",
        "8 tests: 2 passed, 2 failed, 4 skipped",
    ]
    if total.lines() != expected:
        sys.exit("run-tests: self-test: unexpected total:\n" + "\n".join(total.lines()))
    total = Total()
    printed = ['\u25c7 Test "a" started.', "\u25c7 Test b() started.", "\u2714 Test b() passed after 0.001 seconds."]
    status = run("".join(f"echo '{line}'; " for line in printed) + "sleep 60", total, silence=0.5)
    if status != -signal.SIGKILL or total.lines()[0] != 'FAILED   Test "a": did not end':
        sys.exit(f"run-tests: self-test: unexpected end of a silent command: {status} {total.lines()}")


def run(command: str, total: Total, silence: float = SILENCE) -> int:
    """Runs a command, adds its tests to the total, and returns its exit status."""
    process = subprocess.Popen(
        command, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    was_silent = threading.Event()

    def end():
        was_silent.set()
        os.killpg(process.pid, signal.SIGKILL)

    try:
        # A carriage return ends no line here: it overwrites one.
        lines = io.TextIOWrapper(process.stdout, errors="replace", newline="\n")
        while True:
            timer = threading.Timer(silence, end)
            timer.daemon = True
            timer.start()
            raw = lines.readline()
            timer.cancel()
            if not raw:
                break
            line = plain(raw)
            print(line, flush=True)
            total.add(line)
        status = process.wait()
    except BaseException:
        # The command is not in the terminal's process group: Ctrl-C does not reach it.
        os.killpg(process.pid, signal.SIGTERM)
        raise
    if was_silent.is_set():
        print(f"run-tests: {command}: ended after {silence:g} s without output", flush=True)
    total.end(was_silent.is_set())
    return status


def main(commands: list[str]) -> int:
    if commands == ["--self-test"]:
        self_test()
        return 0
    began = time.monotonic()
    status = 0
    total = Total()
    for command in commands:
        status = run(command, total) or status
    print("\n".join(total.lines()) + f"; {time.monotonic() - began:.0f} s"
          + (f"; exit status {status}" if status else ""))
    return status if status > 0 else 128 - status if status else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
