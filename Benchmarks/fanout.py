#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of notifying 1, 100 and 1000 subscribers of a change, compared with three C servers that send the same bytes: one
without JSON, one that parses the call and encodes the change with the daemon's library, and one that also has the daemon's event
loop.

    Benchmarks/fanout.py [FOLDER]     FOLDER has the release build; make build

All servers run at the same time and are measured alternately in several rounds with the same C client: the medians of
the rounds are printed. An event is a call of SetRotationLock. Unlike the C servers, the daemon validates it against the
interface and reads the caller's credentials: this cost is measured without subscribers, and the second ratio, the fan-out
alone, excludes it. The C server with JSON and sd-event is the floor of an event with the daemon's libraries. The daemon's
sensor is a recording that has ended, so that only the fan-out is measured. Needs gcc and the headers of jansson and
libsystemd.
"""
import os
import pathlib
import select
import shutil
import socket
import statistics
import subprocess
import tempfile
import time

import commandline
import targets

HERE = pathlib.Path(__file__).resolve().parent / "fanout"
# Each burst of 4 events takes 4 seconds: see client.c.
ROUNDS = 5
EVENTS = {0: 12, 1: 4, 100: 12, 1000: 8}
IDLE = 5.0
# The largest ratio to the C server without JSON, by subscribers, and the memory of a subscriber in KB.
TARGETS = {100: 1.15, 1000: 1.10}
TARGET_MEMORY = 0.6
MONITOR = b'{"method":"org.orientationd.Orientation.Monitor","more":true}\0'
LOCK = (b'{"method":"org.orientationd.Control.SetRotationLock","parameters":{"locked":true,"edge":"landscapeLeft"}}\0')
# The C servers, and their arguments after CHANGE.
SERVERS = {"C": (), "C with JSON": ("json",), "C with JSON and sd-event": ("json", "sd-event")}
COLUMNS = ("CPU per event, µs", "p50, µs", "p99, µs", "last of all, µs", "accept all, ms", "bytes each")


def connect(path):
    for _ in range(500):
        try:
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(str(path))
            return connection
        except OSError:
            time.sleep(0.02)
    commandline.fail(f"{path}: cannot connect: timed out; the messages of the server are above")


def message(connection):
    data = b""
    while not data.endswith(b"\0"):
        part = connection.recv(65536)
        if not part:
            commandline.fail("orientationd: the connection was closed before a reply; its messages are above")
        data += part
    return data


def example(path, folder):
    """Store the bytes of the daemon's first reply and of a change."""
    subscriber, control = connect(path), connect(path)
    subscriber.sendall(MONITOR)
    first = message(subscriber)
    time.sleep(1)  # the recording is over
    while select_readable(subscriber):
        first = message(subscriber)
    control.sendall(LOCK)
    message(control)
    (folder / "first").write_bytes(first.split(b"\0")[-2] + b"\0")
    (folder / "change").write_bytes(message(subscriber))


def select_readable(connection):
    return bool(select.select([connection], [], [], 0.2)[0])


def client(folder, path, server, *arguments):
    words = [folder / "client", path, str(server.pid), *map(str, arguments)]
    return [float(word) for word in subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()]


def switches(pid):
    total = 0
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        for line in (task / "status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches"):
                total += int(line.split()[1])
    return total


def idle_wakeups(server, path, count):
    """Return the wake-ups per second of the server with `count` idle clients."""
    clients = [connect(path) for _ in range(count)]
    time.sleep(1)
    before = switches(server.pid)
    time.sleep(IDLE)
    woken = switches(server.pid) - before
    for one in clients:
        one.close()
    return woken / IDLE


def main():
    build = commandline.folder(commandline.words(__doc__))
    commandline.require("gcc")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o1777)
        shutil.copy(build / "orientationd", folder)
        for program in ("server", "client"):
            commandline.build("gcc", "-O2", "-o", folder / program, HERE / f"{program}.c", "-ljansson", "-lsystemd")
        recording = folder / "still.csv"
        recording.write_text("".join(f"{n / 25},0.1,9.8,0.2\n" for n in range(50)))
        # An unprivileged user without a home: the daemon cannot store the lock, so that no change writes a file.
        daemon = subprocess.Popen(
            [folder / "orientationd", "--sensor", f"replay:{recording}?speed=max", "--socket", folder / "d",
             "--log-level", "error", "--connections-per-user", "4096"],
            env={}, user=65534 if os.geteuid() == 0 else None)
        servers = {"orientationd": (daemon, folder / "d")}
        try:
            example(folder / "d", folder)
            for server, arguments in SERVERS.items():
                path = folder / f"c{len(servers)}"
                words = [folder / "server", path, folder / "first", folder / "change", *arguments]
                servers[server] = subprocess.Popen(words), path
            for _, path in servers.values():
                connect(path).close()
            measure(folder, servers)
        finally:
            for server, _ in servers.values():
                server.terminate()
                server.wait()


def measure(folder, servers):
    print(f"one change is {(folder / 'change').stat().st_size} bytes\n")
    print("| subscribers | server | " + " | ".join(COLUMNS) + " |\n|---:|---|" + "---:|" * len(COLUMNS))
    trigger = {}
    reached = []
    for subscribers, events in EVENTS.items():
        rounds = {name: [] for name in servers}
        for _ in range(ROUNDS):
            for name, (server, path) in servers.items():
                rounds[name].append(client(folder, path, server, subscribers, events))
        cpu = {}
        for server, found in rounds.items():
            accept, cpu[server], p50, p99, last, _ = (statistics.median(column) for column in zip(*found))
            # Later rounds reuse freed memory: only the first round shows the memory per subscriber.
            each = found[0][5]
            print(f"| {subscribers} | {server} | {cpu[server]:.0f} | {p50:.0f} | {p99:.0f} | {last:.0f} "
                  f"| {accept:.1f} | {each:.0f} |")
        trigger = trigger or cpu
        fan = {server: cpu[server] - trigger[server] for server in cpu}
        for server in SERVERS:
            alone = f", fan-out alone {fan['orientationd'] / fan[server]:.2f}" if fan[server] > 0 else ""
            own = f"; {server} relative to C {cpu[server] / cpu['C']:.2f}" if server != "C" else ""
            print(f"| {subscribers} | orientationd relative to {server} | {cpu['orientationd'] / cpu[server]:.2f}{alone}{own} |"
                  + " |" * (len(COLUMNS) - 1), flush=True)
        if subscribers in TARGETS:
            reached.append((f"CPU per event with {subscribers} subscribers, relative to C", cpu["orientationd"] / cpu["C"], TARGETS[subscribers]))
            memory = rounds["orientationd"][0][5] / 1e3
    daemon, path = servers["orientationd"]
    p50, p99 = client(folder, path, daemon, "get", 5000)
    print(f"\nGet: p50 {p50:.0f} µs, p99 {p99:.0f} µs")
    print(f"idle, 1000 clients connected: {idle_wakeups(daemon, path, 1000):.1f} wake-ups per second\n")
    for what, value, limit in reached:
        targets.report(what, value, limit)
    targets.report("memory of a subscriber", memory, TARGET_MEMORY, " KB")


main()
