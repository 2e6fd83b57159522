# SPDX-License-Identifier: Apache-2.0
"""Wake-ups while nothing subscribes."""
import contextlib
import socket
import subprocess
import sys
import time

import programs
from figures import Row, per_second

# Seconds until both programs have started.
SETTLING = 3
# The daemon's option, in seconds.
IDLE_EXIT = 10


def without_subscribers(build, folder):
    """Measure both programs without clients; fails if the daemon does not exit afterwards. It exits only if it is
    started with a socket, as by systemd."""
    path = f"{folder}/idle"
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket(socket.AF_UNIX))
        listener.bind(path)
        listener.listen()
        number = listener.fileno()
        daemon = stack.enter_context(programs.running(
            "bash", "-c", f'LISTEN_PID=$$ LISTEN_FDS=1 exec "$@" 3<&{number}', "-", build / "orientationd",
            "--idle-exit", IDLE_EXIT, "--state-directory", folder, "--log-level", "error", pass_fds=[number]))
        proxy = stack.enter_context(programs.sensor_proxy())
        time.sleep(SETTLING)
        if daemon.poll() is not None:
            sys.exit("bench: orientationd: cannot start; its messages are above")
        (own, _), (peer, _) = per_second(IDLE_EXIT - SETTLING - 2, daemon, proxy)
        try:
            daemon.wait(programs.TIMEOUT)
        except subprocess.TimeoutExpired:
            sys.exit("bench: orientationd: still runs after --idle-exit")
    return [Row("wake-ups per second, no subscriber, until the exit", own, "no process afterwards", peer)]
