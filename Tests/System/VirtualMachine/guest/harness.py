# SPDX-License-Identifier: Apache-2.0
"""A test is a function that returns a summary, or raises TestFailure or TestSkip."""

import subprocess
import time
from collections.abc import Callable
from typing import TypeVar

# The timeout of a step in seconds, for an emulated guest on a busy machine.
TIMEOUT = 90.0
# Seconds between two evaluations of a condition.
PAUSE = 0.2

Value = TypeVar("Value")
TESTS: list[tuple[str, Callable[[], str]]] = []


class TestFailure(Exception):
    """A condition of the test is false."""


class TestSkip(Exception):
    """This guest or package lacks what the test needs."""


def test(name: str) -> Callable[[Callable[[], str]], Callable[[], str]]:
    """Register a test. Tests run in the order of definition."""
    def add(function: Callable[[], str]) -> Callable[[], str]:
        TESTS.append((name, function))
        return function
    return add


def expect(condition: object, message: str) -> None:
    if not condition:
        raise TestFailure(message)


def eventually(what: str | Callable[[], str], condition: Callable[[], Value], timeout: float = TIMEOUT) -> Value:
    """Wait for `condition` to return a true value, and return it. After the timeout the error has `what`, or its result."""
    end = time.monotonic() + timeout
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise TestFailure(f"timed out after {timeout:.0f} s: {what() if callable(what) else what}")
        time.sleep(PAUSE)


def run(*command: str, check: bool = True, **options) -> str:
    """Run a program and return its standard output and error."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900,
        **options)
    if check and done.returncode != 0:
        raise TestFailure(f"{' '.join(command)} exited with {done.returncode}: {done.stdout.strip()[-600:]}")
    return done.stdout.strip()
