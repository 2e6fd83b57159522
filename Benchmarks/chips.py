# SPDX-License-Identifier: Apache-2.0
"""The time from a turn by hand to the line of a client, and the wake-ups at rest, with each kind of chip."""
import contextlib
import math
import os
import random
import statistics
import subprocess
import time

import programs
from figures import Row, per_second

# Turns of each program; their duration in seconds, and the readings written per second.
TURNS, DURATION, HERTZ = 40, 0.4, 100
# Seconds between two turns, at random: independent of the readings, and long enough to come to rest.
PAUSES = 2.0, 3.0
# Scans per second of the captured chip: the frequency that the daemon asks for.
SCANS = 25
# Seconds of the measurement of wake-ups, and until a device is recognized as still.
SPAN, SETTLING = 15, 3


def turn(hold, number):
    """Turn the chip by 90° as a hand does; return when two thirds of it were done: the screen is to follow from there."""
    began, done = time.monotonic(), None
    for step in range(1, round(DURATION * HERTZ) + 1):
        time.sleep(max(0, began + step / HERTZ - time.monotonic()))
        share = (1 - math.cos(math.pi * step / (DURATION * HERTZ))) / 2
        angle = math.pi / 2 * (share if number % 2 else 1 - share)
        hold([round(1024 * math.sin(angle)), round(1024 * math.cos(angle))])
        if done is None and share >= 2 / 3:
            done = time.monotonic()
    return done


def delays(hold, followers):
    """Return the median and the 90th percentile of the delays of each follower, which has the index of its words."""
    found = [[] for _ in followers]
    for number in range(1, TURNS + 1):
        time.sleep(random.uniform(*PAUSES))
        began = turn(hold, number)
        for each, (follower, word) in zip(found, followers):
            each.append(follower.wait(programs.POSES[number % 2][word]) - began)
    return [(statistics.median(each), statistics.quantiles(each, n=10)[-1]) for each in found]


class Chip:
    """The figures of one kind of chip: of both programs, p50 and p90 of the delay, and wake-ups per second."""

    def __init__(self, name, wakeups_aim, own, peer, bus=None):
        self.name, self.wakeups_aim, self.own, self.peer, self.bus = name, wakeups_aim, own, peer, bus

    def rows(self):
        """Return the rows of the table."""
        rows = [Row(f"{self.name}: turn by hand to line at a client, p50, s", self.own[0], 0.14, self.peer[0]),
                Row("p90, s", self.own[1], 0.20, self.peer[1])]
        if self.bus:
            rows += [Row("the same by D-Bus, p50, s", self.bus[0], 0.14, self.peer[0]),
                     Row("p90, s", self.bus[1], 0.20, self.peer[1])]
        return [*rows, Row("wake-ups per second, subscribed and still", self.own[2], self.wakeups_aim, self.peer[2])]


def polled(build, folder, name, wakeups_aim, environment):
    """Measure both programs at the same time, each with a client, and the daemon with one by D-Bus, on a bus of its own."""
    with contextlib.ExitStack() as stack:
        bus = {"DBUS_SYSTEM_BUS_ADDRESS": stack.enter_context(programs.bus())}
        daemon = stack.enter_context(
            programs.orientationd(build, folder, "--dbus", env=os.environ | bus | environment))
        proxy = stack.enter_context(programs.sensor_proxy())
        followers = [(stack.enter_context(client), word) for client, word in (
            (programs.watch(build, folder), 2), (programs.monitor_sensor(), 3),
            (programs.monitor_sensor(env=os.environ | bus), 3))]
        for follower, word in followers:
            follower.wait(programs.POSES[0][word])
        time.sleep(SETTLING)
        (own_wakeups, _), (peer_wakeups, _) = per_second(SPAN, daemon, proxy)
        own, peer, signal = delays(programs.hold, followers)
        return Chip(name, wakeups_aim, (*own, own_wakeups), (*peer, peer_wakeups), signal)


def captured(build):
    """Measure both programs with a chip that fills a buffer, one after the other: each takes the other's scans."""
    found = []
    with programs.emulated(programs.CAPTURED) as folder, programs.scanning(SCANS) as hold:
        for service, client, word in (
            (programs.orientationd(build, folder), programs.watch(build, folder), 2),
            (programs.sensor_proxy(), programs.monitor_sensor(), 3),
        ):
            hold(programs.POSES[0][:2])
            with service as process, client as follower:
                follower.wait(programs.POSES[0][word])
                time.sleep(SETTLING)
                [(wakeups, _)] = per_second(SPAN, process)
                found.append((*delays(hold, [(follower, word)])[0], wakeups))
    return Chip("captured", 2.5, *found)


def measure(build):
    """Measure all kinds; the one with the latest answers comes first."""
    with programs.emulated(programs.POLLED) as folder:
        library = f"{folder}/slow-bus.so"
        # Without the preloaded umockdev, which is for the programs that are measured.
        plain = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, programs.ROOT / "Benchmarks/slow-bus.c"],
                       check=True, env=plain)
        chips = [polled(build, folder, "polled, readings sleep", 10,
                        {"LD_PRELOAD": f"{library}:{os.environ['LD_PRELOAD']}"}),
                 polled(build, folder, "polled, readings do not sleep", 3.5, {})]
    chips.append(captured(build))
    for chip in sorted(chips, key=lambda chip: -chip.own[1]):
        yield from chip.rows()
