#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of notifying 1, 100 and 1000 subscribers of a change, compared with three C servers that send the same bytes: one
without JSON, one that parses the call and encodes the change with the daemon's library, and one that also has the daemon's event
loop.

    Benchmarks/fanout.py [FOLDER]     FOLDER has the release build; make build

All servers run at the same time and are measured alternately with the same C client, in several runs, each with new processes:
how the pages of a process lie in the caches differs between processes. The medians of the runs are printed, and for ratios also
the lowest and the highest one. An event is a call of SetRotationLock. Unlike the C servers, the daemon validates it against the
interface and reads the caller's credentials: this cost is measured without subscribers, and the second ratio, the fan-out
alone, excludes it. Memory per subscriber is the growth with the first 100 and the first 1000 subscribers of a process; with 100 it
includes memory that is allocated once. The C server with JSON and sd-event is the floor of an event with the daemon's libraries. The daemon's
sensor is a recording that has ended, so that only the fan-out is measured. Needs gcc and the headers of jansson and
libsystemd.
"""
import contextlib
import os
import pathlib
import select
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import commandline
import targets

HERE = pathlib.Path(__file__).resolve().parent / "fanout"
RUNS = 5
# The events of a run by subscribers. Each burst of 4 events takes 4 seconds: see client.c.
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


def cpu_of(runs):
    """Return the CPU times of the runs, by server."""
    return {server: [figures[1] for figures in found] for server, found in runs.items()}


def ratios(cpu, server, other):
    """Return the ratio of two servers in each run."""
    return [one / another for one, another in zip(cpu[server], cpu[other])]


def ratio_text(values):
    """Return the median of `values`, with the minimum and the maximum, as text."""
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


@contextlib.contextmanager
def running(folder):
    """Run the daemon and the C servers; yields the process and the socket of each by name."""
    # An unprivileged user without a home: the daemon cannot store the lock, so that no change writes a file.
    daemon = subprocess.Popen(
        [folder / "orientationd", "--sensor", f"replay:{folder / 'still.csv'}?speed=max", "--socket", folder / "d",
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
        yield servers
    finally:
        for server, path in servers.values():
            server.terminate()
            server.wait()
            path.unlink(missing_ok=True)


def report(subscribers, runs, triggers):
    """Print the figures of all runs with this number of subscribers. `triggers` are the CPU times of an event without
    subscribers, by server, one per run."""
    cpu = cpu_of(runs)
    for server, found in runs.items():
        accept, event, p50, p99, last, each = (statistics.median(column) for column in zip(*found))
        print(f"| {subscribers} | {server} | {event:.0f} | {p50:.0f} | {p99:.0f} | {last:.0f} | {accept:.1f} | {each:.0f} |")
    fan = {server: statistics.median(cpu[server]) - statistics.median(triggers[server]) for server in cpu}
    for server in SERVERS:
        alone = f", fan-out alone {fan['orientationd'] / fan[server]:.2f}" if fan[server] > 0 else ""
        own = f"; {server} relative to C {ratio_text(ratios(cpu, server, 'C'))}" if server != "C" else ""
        print(f"| {subscribers} | orientationd relative to {server} | {ratio_text(ratios(cpu, 'orientationd', server))}{alone}{own} |"
              + " |" * (len(COLUMNS) - 1), flush=True)


def main():
    build = commandline.folder(commandline.words(__doc__))
    commandline.require("gcc")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o1777)
        shutil.copy(build / "orientationd", folder)
        for program in ("server", "client"):
            commandline.build("gcc", "-O2", "-o", folder / program, HERE / f"{program}.c", "-ljansson", "-lsystemd")
        (folder / "still.csv").write_text("".join(f"{n / 25},0.1,9.8,0.2\n" for n in range(50)))
        runs = {count: {server: [] for server in ("orientationd", *SERVERS)} for count in EVENTS}
        for run in range(RUNS):
            print(f"run {run + 1} of {RUNS}", file=sys.stderr, flush=True)
            with running(folder) as servers:
                # The first server changes from run to run.
                names = [*servers][run % len(servers):] + [*servers][:run % len(servers)]
                for subscribers, events in EVENTS.items():
                    for name in names:
                        server, path = servers[name]
                        runs[subscribers][name].append(client(folder, path, server, subscribers, events))
        print(f"one change is {(folder / 'change').stat().st_size} bytes; medians of {RUNS} runs\n")
        print("| subscribers | server | " + " | ".join(COLUMNS) + " |\n|---:|---|" + "---:|" * len(COLUMNS))
        triggers = cpu_of(runs[0])
        for subscribers, found in runs.items():
            report(subscribers, found, triggers)
        with running(folder) as servers:
            daemon, path = servers["orientationd"]
            p50, p99 = client(folder, path, daemon, "get", 5000)
            print(f"\nGet: p50 {p50:.0f} µs, p99 {p99:.0f} µs")
            print(f"idle, 1000 clients connected: {idle_wakeups(daemon, path, 1000):.1f} wake-ups per second\n")
        for subscribers, limit in TARGETS.items():
            ratio = statistics.median(ratios(cpu_of(runs[subscribers]), "orientationd", "C"))
            targets.report(f"CPU per event with {subscribers} subscribers, relative to C", ratio, limit)
        memory = statistics.median(figures[5] for figures in runs[max(TARGETS)]["orientationd"]) / 1e3
        targets.report("memory of a subscriber", memory, TARGET_MEMORY, " KB")


main()
