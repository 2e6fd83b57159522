#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The daemon under load: 1000 subscribers, of which 100 never read and 100 reconnect, for a minute of 20 changes per second.

    Benchmarks/load.py [FOLDER [SECONDS]]     FOLDER has the release build; make load

A recording turns the device 20 times per second and ends at rest. Every connected subscriber must then have the last state,
in order and from one run of the daemon; subscribers that never read must be disconnected; and after all have disconnected,
the daemon must have as much memory and as many descriptors as before. Exit status 1 otherwise.
"""
import json
import os
import pathlib
import random
import resource
import select
import socket
import subprocess
import sys
import tempfile
import time

import commandline

READERS, STALLED, RECONNECTING = 800, 100, 100
CHANGES = 20
MONITOR = b'{"method":"org.orientationd.Orientation.Monitor","more":true}\0'
# Memory growth allowed at the end: the allocator keeps some freed memory.
SLACK_KIB = 512


def recording(seconds):
    """Return a recording with a quarter turn per second, to be played CHANGES times as fast; faceUp at the end."""
    poses = [(0.1, 9.8, 0.2), (9.8, 0.1, 0.2), (0.1, -9.8, 0.2), (-9.8, 0.1, 0.2)]
    turns = int(seconds * CHANGES)
    held = [poses[turn % 4] for turn in range(turns)] + [(0.1, 0.2, 9.8)] * 3
    return "".join(f"{turn + step / 25},{x},{y},{z}\n" for turn, (x, y, z) in enumerate(held) for step in range(25))


def memory(pid):
    """Return the anonymous memory in KiB."""
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Anonymous:"):
            return int(line.split()[1])


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def processor_time(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Subscriber:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.sendall(MONITOR)
        self.rest, self.count, self.state = b"", 0, None

    def read(self):
        """Read what is available; return False at the end of the stream."""
        data = self.socket.recv(1 << 18)
        *messages, self.rest = (self.rest + data).split(b"\0")
        self.count += len(messages)
        if messages:
            newest = json.loads(messages[-1])["parameters"]["state"]
            if self.state and (newest["sequence"], newest["instance"]) <= (self.state["sequence"], self.state["instance"]):
                sys.exit(f"load: states out of order: {newest} after {self.state}")
            self.state = newest
        return bool(data)


class Load:
    def __init__(self, daemon, path):
        self.daemon, self.path = daemon, path
        self.poll, self.readers, self.connected = select.epoll(), {}, 0
        self.stalled = [Subscriber(path) for _ in range(STALLED)]
        for _ in range(READERS + RECONNECTING):
            self.join()
        self.reconnecting = list(self.readers)[READERS:]

    def join(self):
        subscriber = Subscriber(self.path)
        self.readers[subscriber.socket.fileno()] = subscriber
        self.poll.register(subscriber.socket, select.EPOLLIN)
        self.connected += 1
        return subscriber.socket.fileno()

    def leave(self, number):
        subscriber = self.readers.pop(number)
        self.poll.unregister(number)
        subscriber.socket.close()

    def turn(self, seconds):
        for number, _ in self.poll.poll(seconds):
            if not self.readers[number].read():
                sys.exit("load: a reading subscriber was disconnected")

    def run(self, seconds):
        """Replace one reconnecting subscriber every 20 ms: each stays for about two seconds."""
        end, next_join = time.monotonic() + seconds, 0.0
        while time.monotonic() < end:
            self.turn(0.02)
            if time.monotonic() >= next_join:
                next_join = time.monotonic() + 0.02
                index = random.randrange(RECONNECTING)
                self.leave(self.reconnecting[index])
                self.reconnecting[index] = self.join()

    def newest(self):
        return max(reader.state["sequence"] for reader in self.readers.values() if reader.state)

    def settle(self):
        """Wait until all reading subscribers have the same last state."""
        for _ in range(1_000):
            self.turn(0.05)
            newest = self.newest()
            if all(reader.state and reader.state["sequence"] == newest and reader.state["orientation"] == "faceUp"
                   for reader in self.readers.values()):
                return newest
        sys.exit("load: not every subscriber has the last state")

    def dropped(self):
        """Return how many subscribers that never read were disconnected: they read the end of the stream at last."""
        count = 0
        for subscriber in self.stalled:
            subscriber.socket.setblocking(False)
            try:
                while subscriber.socket.recv(1 << 18):
                    pass
                count += 1
            except BlockingIOError:
                pass
            except ConnectionError:
                count += 1
        return count


def until(is_true, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end and not is_true():
        time.sleep(0.1)
    return is_true()


def main():
    arguments = commandline.words(__doc__)
    build = commandline.folder(arguments, most=2)
    try:
        seconds = float(arguments[1]) if len(arguments) > 1 else 60
    except ValueError:
        commandline.fail(f"SECONDS: invalid value '{arguments[1]}': must be a number")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    with tempfile.TemporaryDirectory() as name:
        path, turns = f"{name}/socket", pathlib.Path(name, "turns.csv")
        turns.write_text(recording(seconds + 5))
        daemon = subprocess.Popen([
            build / "orientationd", "--sensor", f"replay:{turns}?speed={CHANGES}", "--socket", path,
            "--state-directory", name, "--connections-per-user", "2000", "--log-level", "notice"])
        try:
            if not until(lambda: os.path.exists(path), 10):
                commandline.fail(f"{build}/orientationd: not ready after 10 s; its messages are above")
            sys.exit(examine(daemon, path, seconds))
        finally:
            daemon.terminate()
            daemon.wait()


def examine(daemon, path, seconds):
    # The first thousand show what the daemon needs for so many; what it gives back then is what it starts with.
    crowd = [Subscriber(path) for _ in range(READERS + STALLED + RECONNECTING)]
    for subscriber in crowd:
        subscriber.read()
    full = memory(daemon.pid)
    for subscriber in crowd:
        subscriber.socket.close()
    until(lambda: descriptors(daemon.pid) < 100, 10)
    time.sleep(1)  # until the sensor is closed
    before, open_before = memory(daemon.pid), descriptors(daemon.pid)
    started, used = time.monotonic(), processor_time(daemon.pid)
    load = Load(daemon, path)
    load.turn(1)
    first = load.newest()
    load.run(seconds)
    rate = (load.newest() - first) / seconds
    most = memory(daemon.pid)
    newest = load.settle()
    span, used = time.monotonic() - started, processor_time(daemon.pid) - used
    dropped = load.dropped()
    received = sum(reader.count for reader in load.readers.values())
    sequence_share = [reader.count / newest for number, reader in load.readers.items() if number not in load.reconnecting]
    for reader in load.readers.values():
        reader.socket.close()
    for subscriber in load.stalled:
        subscriber.socket.close()
    is_empty = until(lambda: descriptors(daemon.pid) <= open_before, 10)
    time.sleep(1)
    after = memory(daemon.pid)
    print(f"{seconds:.0f} s, {rate:.1f} changes per second, {load.connected} subscribers, "
          f"{received} states received")
    print(f"all {len(load.readers)} reading subscribers have the last state; "
          f"they received {min(sequence_share):.1%} to {max(sequence_share):.1%} of the changes")
    print(f"{dropped} of {STALLED} subscribers that never read were disconnected")
    print(f"processor: {used / span:.1%} of one; memory before, at most, after: {before}, {max(full, most)}, {after} KiB")
    print(f"descriptors before and after: {open_before}, {descriptors(daemon.pid)}")
    is_right = is_empty and after <= before + SLACK_KIB and (dropped == STALLED or seconds < 60)
    print("passed" if is_right else "FAILED")
    return 0 if is_right else 1


main()
