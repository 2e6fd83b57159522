#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of the SensorProxy service, compared with iio-sensor-proxy: latency and CPU of a change, memory, wake-ups.

    Benchmarks/desktops.py [FOLDER]     FOLDER has the release build; make build

One private bus, one emulated chip (umockdev), one claiming client; the two daemons alternate in rounds. The latency is the
time from the change of the chip's reading to the signal at the client. The CPU of a change is that of a daemon while the
device is turned, minus that in the same time at rest. Needs Debian's iio-sensor-proxy,
umockdev, dbus-daemon and python3-gi.
"""
import os
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

import commandline

try:
    from gi.repository import Gio, GLib
except ImportError as error:
    commandline.fail(f"{error}; on Debian, run as root: apt-get install python3-gi, and start this with /usr/bin/python3")

from chips import CHIP
from footprint import BUS, PROXY
from processes import measure

NAME, PATH = "net.hadess.SensorProxy", "/net/hadess/SensorProxy"
ROUNDS, TURNS = 3, 10
POSES = {"right-up": (1024, 0), "bottom-up": (0, -1024), "left-up": (-1024, 0), "normal": (0, 1024)}


class Client:
    """A client that claims the accelerometer and waits for signals."""

    def __init__(self, address):
        self.bus = Gio.DBusConnection.new_for_address_sync(
            address,
            Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
        self.loop = GLib.MainLoop()
        self.orientation = self.received = None
        self.bus.signal_subscribe(
            None, "org.freedesktop.DBus.Properties", "PropertiesChanged", PATH, None, Gio.DBusSignalFlags.NONE, self.receive)

    def receive(self, _bus, _sender, _path, _interface, _name, values):
        changed = values.unpack()[1]
        if "AccelerometerOrientation" in changed:
            self.received = time.perf_counter()
            self.orientation = changed["AccelerometerOrientation"]
            self.loop.quit()

    def claim(self):
        """Wait for an owner of the name, and claim."""
        owner = Gio.bus_watch_name_on_connection(
            self.bus, NAME, Gio.BusNameWatcherFlags.NONE, lambda *_: self.loop.quit(), None)
        self.loop.run()
        Gio.bus_unwatch_name(owner)
        self.bus.call_sync(NAME, PATH, NAME, "ClaimAccelerometer", None, None, Gio.DBusCallFlags.NONE, -1, None)

    def rest(self, seconds):
        GLib.timeout_add(int(seconds * 1000), self.loop.quit)
        self.loop.run()

    def wait(self, orientation):
        while self.orientation != orientation:
            self.loop.run()
        return self.received


def hold(x, y):
    folder = os.environ["UMOCKDEV_DIR"] + "/sys/devices/platform/chip0/iio:device0/"
    for name, value in (("in_accel_x_raw", x), ("in_accel_y_raw", y)):
        # In place and with constant length, as in the kernel: no reader sees a partial number.
        with open(folder + name, "r+b", buffering=0) as file:
            file.write(b"%7d\n" % value)


def cpu(pid):
    """Return the CPU seconds of all threads, none of which ends during the measurement, and those without the sensor thread."""
    spent = {p.parent.name: int(p.read_text().split()[0]) / 1e9 for p in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")}
    is_daemon = "orientationd" in pathlib.Path(f"/proc/{pid}/comm").read_text()
    return sum(spent.values()), spent[str(pid)] if is_daemon else sum(spent.values())


def round_of(command, claimant):
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    hold(*POSES["normal"])
    claimant.orientation = None
    claimant.claim()
    claimant.wait("normal")
    latencies, before, began = [], cpu(process.pid), time.perf_counter()
    for turn in range(TURNS):
        # Not synchronous with the polling of either daemon.
        claimant.rest(random.uniform(0.8, 1.5))
        name = list(POSES)[turn % len(POSES)]
        changed = time.perf_counter()
        hold(*POSES[name])
        latencies.append(claimant.wait(name) - changed)
    middle, span = cpu(process.pid), time.perf_counter() - began
    claimant.rest(span)
    after = cpu(process.pid)
    process.terminate()
    process.wait()
    whole, loop = ((2 * m - b - a) / TURNS for b, m, a in zip(before, middle, after))
    return latencies, whole, loop, (after[0] - middle[0]) / span


def idle(command):
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    time.sleep(2)
    before = measure(process.pid)[3]
    time.sleep(5)
    _, anonymous, _, after, _ = measure(process.pid)
    process.terminate()
    process.wait()
    return anonymous, (after - before) / 5


def in_machine(programs):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "bus.conf").write_text(BUS.format(f"{folder}/bus").replace("system<", "session<"))
        bus = subprocess.Popen(
            ["dbus-daemon", "--nofork", "--print-address", "--config-file", f"{folder}/bus.conf"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        bus.stdout.readline()
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={folder}/bus"
        daemon = [f"{programs}/orientationd", "--socket", f"{folder}/socket", "--state-directory", folder]
        claimant = Client(os.environ["DBUS_SYSTEM_BUS_ADDRESS"])
        rounds = {"orientationd": [], "iio-sensor-proxy": []}
        for _ in range(ROUNDS):
            for name, command in (("orientationd", daemon + ["--dbus"]), ("iio-sensor-proxy", [PROXY])):
                rounds[name].append(round_of(command, claimant))
        median = lambda results, column: statistics.median(result[column] for result in results)
        print(
            f"{'':18} {'turn to signal, ms':>20} {'CPU per change, ms':>20} {'without sensing':>16}"
            f" {'CPU at rest, %':>19}\n{'':18} {'p50':>10} {'p90':>9}")
        for name, results in rounds.items():
            latencies = sorted(latency for result in results for latency in result[0])
            print(
                f"{name:18} {statistics.median(latencies) * 1000:10.0f} {latencies[int(len(latencies) * .9)] * 1000:9.0f}"
                f" {median(results, 1) * 1000:20.2f} {median(results, 2) * 1000:16.2f} {median(results, 3) * 100:19.3f}")
        for name, command in (("without --dbus", daemon), ("with --dbus", daemon + ["--dbus"]), ("iio-sensor-proxy", [PROXY])):
            anonymous, wakes = idle(command)
            print(f"{name:18} {anonymous:6} KiB anonymous memory, {wakes:.1f} wake-ups/s without claims")
        bus.terminate()


def main():
    programs = commandline.folder(commandline.words(__doc__))
    commandline.require("iio-sensor-proxy", "umockdev-run", "dbus-daemon")
    if "UMOCKDEV_DIR" in os.environ:
        return in_machine(programs)
    with tempfile.NamedTemporaryFile("w", suffix=".umockdev") as chip:
        chip.write(re.sub(r"raw=(\d+)", lambda match: "raw=" + match[1].rjust(7), CHIP))
        chip.flush()
        sys.exit(subprocess.call(["umockdev-run", "-d", chip.name, "--", "/usr/bin/python3", __file__, programs]))


if __name__ == "__main__":
    main()
