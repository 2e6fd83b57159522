# SPDX-License-Identifier: Apache-2.0
"""An attack. It runs in two rounds, to distinguish a leak from memory that is kept for reuse."""

import contextlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import varlink
from daemon import Daemon, Size
from reference_client import Measures, ReferenceClient
from users import DAEMON, Child

# Seconds of undisturbed calls before an attack.
QUIET = 1.0
# Seconds that an attacker's last step may take.
OVERTIME = 2.0
# How many descriptors the daemon may open once, on first use: a bus connection, a sensor's files.
OPENED_ONCE = 8
# The connections of the reference client, one of which is temporary.
REFERENCE = 2
# How much memory in KiB an attack may leave, and how much its second round may add: one-time allocations, and partly used
# pages.
KEPT, SLACK = 4096, 1024


class Skipped(Exception):
    """The attack is not possible on this machine."""


@dataclass
class Target:
    """The target of an attack, as its processes receive it."""

    path: str
    number: int
    end: float

    @property
    def left(self) -> float:
        """Seconds until the end of the attack."""
        return self.end - time.monotonic()

    def attempts(self) -> Iterator[None]:
        """Yield for each step of the attack, until its end."""
        while self.left > 0:
            yield

    def connect(self) -> varlink.Client:
        client = varlink.Client(self.path)
        client.limit(max(self.left, 0.05))
        return client


# The exceptions of a step of an attack.
FAILS = (OSError, EOFError, varlink.Refused)


@dataclass
class Environment:
    """The environment of an attack."""

    programs: Path
    folder: Path
    natives: dict[str, Path]
    failures: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def expect(self, condition: object, failure: str) -> None:
        if not condition and failure not in self.failures:
            self.failures.append(failure)


@contextlib.contextmanager
def plain(environment: Environment) -> Iterator[Daemon]:
    """A daemon with a simulated device, at which the user of the reference client has the active session."""
    daemon = Daemon(environment.programs, environment.folder, preload=environment.natives["seat.so"])
    try:
        yield daemon
    finally:
        ended = daemon.end()
        environment.expect(not ended, ended)


@dataclass
class Attack:
    """A row: `act` runs in the process of each attacker until the target's end, and returns a remark or None."""

    name: str
    act: Callable[[Target], str | None]
    stage: Callable[[Environment], "contextlib.AbstractContextManager[Daemon]"] = plain
    attackers: int = 1
    # The number of supplementary groups of each attacker; subordinate groups give an ordinary user as many.
    groups: int = 0
    seconds: float = 3.0
    # 1 is enough for an attack that only delays and allocates nothing.
    rounds: int = 2
    # Runs as root in the middle of each round, during the attack.
    during: Callable[[Environment, Daemon], None] = lambda environment, daemon: None
    # Runs as root at the end, after the attackers.
    after: Callable[[Environment, Daemon], None] = lambda environment, daemon: None

    def make(self, programs: Path, natives: dict[str, Path]) -> "Outcome":
        with tempfile.TemporaryDirectory(prefix="attack-") as name:
            folder = Path(name)
            os.chown(folder, DAEMON, DAEMON)
            folder.chmod(0o755)
            environment = Environment(programs, folder, natives)
            with self.stage(environment) as daemon:
                reference = ReferenceClient(daemon)
                try:
                    return under_attack(self, environment, daemon, reference)
                finally:
                    reference.end()


@dataclass
class Outcome:
    """The result of a row."""

    quiet: Measures | None
    attacked: Measures | None
    sizes: tuple[Size, Size] | None
    environment: Environment


def under_attack(attack: Attack, environment: Environment, daemon: Daemon, reference: ReferenceClient) -> Outcome:
    time.sleep(QUIET)
    quiet = reference.take()
    before = daemon.size()
    first = run_round(attack, environment, daemon, Size(before.descriptors + OPENED_ONCE, before.kibibytes + KEPT, 0))
    second = first
    if attack.rounds > 1:
        second = run_round(attack, environment, daemon, Size(first.descriptors + REFERENCE, first.kibibytes + SLACK, 0))
    attack.after(environment, daemon)
    attacked = reference.take()
    environment.expect(not attacked.failures, f"the reference client: {len(attacked.failures)} calls failed, "
                       f"first {attacked.failures[0] if attacked.failures else ''}")
    if daemon.has_ended:
        environment.expect(False, f"the daemon ended: {daemon.log_text()[-300:]}")
        return Outcome(quiet, attacked, None, environment)
    environment.expect(first.descriptors <= before.descriptors + OPENED_ONCE
                       and second.descriptors <= first.descriptors + REFERENCE,
                       f"descriptors grow: {before.descriptors}, {first.descriptors}, {second.descriptors}")
    environment.expect(first.kibibytes <= before.kibibytes + KEPT and second.kibibytes <= first.kibibytes + SLACK,
                       f"memory grows: {before.kibibytes}, {first.kibibytes}, {second.kibibytes} KiB")
    return Outcome(quiet, attacked, (before, second), environment)


def run_round(attack: Attack, environment: Environment, daemon: Daemon, most: Size) -> Size:
    """Run one round; return the size of the daemon when it is within `most`, or after the timeout."""
    if daemon.has_ended:
        return Size(0, 0, 0)
    end = time.monotonic() + attack.seconds
    children = [Child(daemon.attacker(number), lambda number=number: attack.act(Target(daemon.path, number, end)),
                      attack.groups)
                for number in range(attack.attackers)]
    try:
        time.sleep(attack.seconds / 2)
        expect_root_is_served(environment, daemon)
        attack.during(environment, daemon)
        remarks = {remark_of(child, environment, end) for child in children}
        environment.remarks += sorted(remarks - {None, *environment.remarks})
    finally:
        for child in children:
            child.end()
    if daemon.has_ended:
        return Size(0, 0, 0)
    return daemon.settled(most.descriptors, most.kibibytes)


def remark_of(child: Child, environment: Environment, end: float) -> str | None:
    """Return an attacker's remark. An exception means that the attack succeeded or is faulty."""
    try:
        return child.wait(end - time.monotonic() + OVERTIME)
    except RuntimeError as error:
        environment.expect(False, f"the attacker: {str(error).strip().splitlines()[-1]}")
        return None


def expect_root_is_served(environment: Environment, daemon: Daemon) -> None:
    try:
        with varlink.Client(daemon.path) as client:
            client.call(daemon.method)
    except FAILS as error:
        environment.expect(False, f"root is not served: {error}")
