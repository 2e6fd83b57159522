# SPDX-License-Identifier: Apache-2.0
"""Wake-ups while nothing subscribes, and while a client is subscribed and the device is still."""
import contextlib
import socket
import subprocess
import sys
import time

import programs
from figures import Row, per_second

# In seconds: of a measurement, and until a device is recognized as still.
SPAN, SETTLING = 15, 3
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


def polled(daemon, proxy):
    """Measure both programs with a polled chip and a client each."""
    time.sleep(SETTLING)
    (own, _), (peer, _) = per_second(SPAN, daemon, proxy)
    return [Row("wake-ups per second, subscribed and still, polled", own, 5, peer)]


def captured(build):
    """Measure both programs with a chip that fills a buffer, one after the other: each takes the other's scans."""
    found = []
    with programs.emulated(programs.CAPTURED) as folder, programs.scanning(10):
        for service, client, word in (
            (programs.orientationd(build, folder), programs.watch(build, folder), programs.POSES[0][2]),
            (programs.sensor_proxy(), programs.monitor_sensor(), programs.POSES[0][3]),
        ):
            with service as process, client as follower:
                follower.wait(word)
                time.sleep(SETTLING)
                found += per_second(SPAN, process)
    return [Row("wake-ups per second, subscribed and still, captured", found[0][0], 2.5, found[1][0])]
