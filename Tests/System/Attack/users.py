# SPDX-License-Identifier: Apache-2.0
"""Processes of other users, whose numbers have no account and only their own group."""

import contextlib
import json
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable

# The user of the daemon, the user whose calls are measured, and the first of the attackers.
DAEMON, REFERENCE, ATTACKER = 61_000, 61_001, 61_010


# The first supplementary group of an attacker that has some.
GROUP = 200_000


def become(user: int, groups: int = 0) -> None:
    """Drop root permanently, with so many supplementary groups; descriptors stay open."""
    os.setgroups(range(GROUP, GROUP + groups))
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


class Child:
    """A function in a process of another user; its result is sent back as JSON."""

    def __init__(self, user: int, function: Callable[[], object], groups: int = 0) -> None:
        read, write = os.pipe()
        sys.stdout.flush()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(read)
            # In its own session: Ctrl-C reaches only the suite, which ends the child.
            os.setsid()
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            try:
                become(user, groups)
                answer = {"result": function()}
            except BaseException:
                answer = {"trace": traceback.format_exc()}
            with contextlib.suppress(OSError):
                os.write(write, json.dumps(answer).encode())
            os._exit(0)
        os.close(write)
        self.pipe = read

    @property
    def is_running(self) -> bool:
        """Whether the function is running."""
        return not select.select([self.pipe], [], [], 0)[0]

    def wait(self, seconds: float) -> object:
        """Return the function's result, or None after the timeout; raise its exception."""
        data, end = b"", time.monotonic() + seconds
        while select.select([self.pipe], [], [], max(end - time.monotonic(), 0))[0]:
            more = os.read(self.pipe, 1 << 16)
            if not more:
                break
            data += more
        self.end()
        answer = json.loads(data or b'{"result": null}')
        if "trace" in answer:
            raise RuntimeError(answer["trace"])
        return answer["result"]

    def end(self) -> None:
        if self.pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            os.close(self.pipe)
            self.pid = 0
