# SPDX-License-Identifier: Apache-2.0
"""A client that does nothing wrong. Its calls go on all the time, and how long each one takes is measured."""

import os
import select
import time

import varlink
from users import INNOCENT, Child

# Seconds between two calls. Every second call comes on a new connection.
PAUSE = 0.01


class Measures:
    """What the innocent client saw in a while: seconds for each call, and the calls that were not answered."""

    def __init__(self, seconds: list[float], failures: list[str]) -> None:
        self.seconds, self.failures = sorted(seconds), failures

    def milliseconds(self) -> str:
        """p50, p99 and worst."""
        if not self.seconds:
            return f"{'-':>7}{'-':>9}{'-':>10}"
        last = len(self.seconds) - 1
        p50, p99, worst = (self.seconds[round(last * part)] * 1000 for part in (0.5, 0.99, 1.0))
        return f"{p50:7.2f}{p99:9.2f}{worst:10.2f}"


class Innocent:
    """The process of this client."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.told, tell = os.pipe()
        asked, self.ask = os.pipe()
        self.answers = os.fdopen(self.told, "rb")
        self.child = Child(INNOCENT, lambda: self.call_all_the_time(asked, tell))
        os.close(tell)
        os.close(asked)

    def take(self) -> Measures:
        """What was seen since the last time."""
        os.write(self.ask, b"?")
        count = int(self.answers.readline())
        seconds = [float(self.answers.readline()) for _ in range(count)]
        failures = [self.answers.readline().decode().strip() for _ in range(int(self.answers.readline()))]
        return Measures(seconds, failures)

    def end(self) -> None:
        self.child.end()
        self.answers.close()
        os.close(self.ask)

    def call_all_the_time(self, asked: int, tell: int) -> None:
        seconds: list[float] = []
        failures: list[str] = []
        kept: varlink.Client | None = None
        while True:
            for is_new in (True, False):
                begun = time.monotonic()
                try:
                    if is_new:
                        with varlink.Client(self.path) as client:
                            client.call(varlink.GET)
                    else:
                        kept = kept or varlink.Client(self.path)
                        kept.call(varlink.GET)
                except (OSError, EOFError, varlink.Refused) as error:
                    failures.append(f"a call on {'a new' if is_new else 'an old'} connection: {error}")
                    kept = None if not is_new else kept
                seconds.append(time.monotonic() - begun)
                if select.select([asked], [], [], PAUSE)[0]:
                    if not os.read(asked, 1):
                        return
                    lines = [str(len(seconds)), *map(repr, seconds), str(len(failures)), *failures]
                    os.write(tell, ("\n".join(lines) + "\n").encode())
                    seconds, failures = [], []
