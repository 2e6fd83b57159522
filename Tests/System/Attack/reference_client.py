# SPDX-License-Identifier: Apache-2.0
"""A well-behaved client that calls continuously and measures the latency of each call."""

import os
import select
import time

import varlink
from daemon import Daemon
from users import Child

# Seconds between two calls.
PAUSE = 0.01


class Measures:
    """The latencies of calls in seconds, and the calls that failed."""

    def __init__(self, seconds: list[float], failures: list[str]) -> None:
        self.seconds, self.failures = sorted(seconds), failures

    def milliseconds(self) -> str:
        """Format p50, p99 and maximum."""
        if not self.seconds:
            return f"{'-':>7}{'-':>9}{'-':>10}"
        last = len(self.seconds) - 1
        p50, p99, worst = (self.seconds[round(last * part)] * 1000 for part in (0.5, 0.99, 1.0))
        return f"{p50:7.2f}{p99:9.2f}{worst:10.2f}"


class ReferenceClient:
    """The process of this client."""

    def __init__(self, daemon: Daemon) -> None:
        self.path, self.method, self.kinds = daemon.path, daemon.method, (True, False) if daemon.reconnects else (False,)
        self.replies, reply = os.pipe()
        requests, self.request = os.pipe()
        self.answers = os.fdopen(self.replies, "rb")
        self.child = Child(daemon.reference, lambda: self.call_continuously(requests, reply))
        os.close(reply)
        os.close(requests)

    def take(self) -> Measures:
        """Return the measures since the last call."""
        os.write(self.request, b"?")
        count = int(self.answers.readline())
        seconds = [float(self.answers.readline()) for _ in range(count)]
        failures = [self.answers.readline().decode().strip() for _ in range(int(self.answers.readline()))]
        return Measures(seconds, failures)

    def end(self) -> None:
        self.child.end()
        self.answers.close()
        os.close(self.request)

    def call_continuously(self, requests: int, reply: int) -> None:
        seconds: list[float] = []
        failures: list[str] = []
        kept: varlink.Client | None = None
        while True:
            for is_new in self.kinds:
                start = time.monotonic()
                try:
                    if is_new:
                        with varlink.Client(self.path) as client:
                            client.call(self.method)
                    else:
                        kept = kept or varlink.Client(self.path)
                        kept.call(self.method)
                except (OSError, EOFError, varlink.Refused) as error:
                    failures.append(f"a call on {'a new' if is_new else 'an old'} connection: {error}")
                    kept = None if not is_new else kept
                seconds.append(time.monotonic() - start)
                if select.select([requests], [], [], PAUSE)[0]:
                    if not os.read(requests, 1):
                        return
                    lines = [str(len(seconds)), *map(repr, seconds), str(len(failures)), *failures]
                    os.write(reply, ("\n".join(lines) + "\n").encode())
                    seconds, failures = [], []
