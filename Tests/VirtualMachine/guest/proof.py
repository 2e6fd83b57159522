# SPDX-License-Identifier: Apache-2.0
"""What a proof is: a function that returns what was seen, or raises Unproven."""

import subprocess
import time
from collections.abc import Callable
from typing import TypeVar

# Seconds in which what has to happen happens, in an emulated guest on a busy machine.
PATIENCE = 90.0
# Seconds between two looks at something that has no event of its own.
PAUSE = 0.2

Value = TypeVar("Value")
PROOFS: list[tuple[str, Callable[[], str]]] = []


class Unproven(Exception):
    """Something was not as it has to be."""


class Inapplicable(Exception):
    """This guest, or this package, has nothing of the kind."""


def proof(name: str) -> Callable[[Callable[[], str]], Callable[[], str]]:
    """Adds a function to the proofs, which are made in the order in which they are written."""
    def add(function: Callable[[], str]) -> Callable[[], str]:
        PROOFS.append((name, function))
        return function
    return add


def expect(condition: object, complaint: str) -> None:
    if not condition:
        raise Unproven(complaint)


def eventually(what: str, look: Callable[[], Value], patience: float = PATIENCE) -> Value:
    """The first thing true that `look` gives."""
    end = time.monotonic() + patience
    while True:
        value = look()
        if value:
            return value
        if time.monotonic() > end:
            raise Unproven(f"not within {patience:.0f} s: {what}")
        time.sleep(PAUSE)


def run(*command: str, check: bool = True, **options) -> str:
    """What a program prints, on either of its outputs."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900,
        **options)
    if check and done.returncode != 0:
        raise Unproven(f"{' '.join(command)} ended with {done.returncode}: {done.stdout.strip()[-600:]}")
    return done.stdout.strip()
