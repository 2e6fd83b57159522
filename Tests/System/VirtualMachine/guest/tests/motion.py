# SPDX-License-Identifier: Apache-2.0
"""The motion event of a chip, with iio_dummy and generated interrupts."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import service
from dummy import Dummy
from harness import eventually, expect, test, run
from poses import POSES
from tests.neighbours import PROXY, Desktop, install_neighbours
from usage import wakeups
from varlink import Client, Watcher

# The chip's own settings of the event, which the daemon restores.
OWN = ("0", "77")
# The interval of readings while the event is armed, in seconds; a turn that is answered sooner was reported by the event.
INTERVAL = 4.5
# The time within which an event has to be answered, in seconds; an emulated guest on a busy machine is slow.
SOON = 2.5


@contextmanager
def chip() -> Iterator[Dummy]:
    run("systemctl", "mask", "--runtime", "--now", PROXY, check=False)
    dummy = Dummy()
    try:
        yield dummy
    finally:
        service.stop()
        dummy.remove()


def answer(watcher: Watcher, orientation: str, move: Callable[[float, float, float], None]) -> float:
    """Turn the device; return the seconds until the orientation is reported."""
    began = time.monotonic()
    move(*POSES[orientation])
    watcher.wait_for(orientation)
    return time.monotonic() - began


def samples() -> int:
    with Client() as client:
        return client.call("Control.Status")["samples"]


@test("a motion event wakes the daemon")
def wakes() -> str:
    with chip() as dummy:
        with Watcher() as watcher:
            watcher.wait_for("faceUp")
            dummy.wait_until_armed()
            held = [os.readlink(path) for path in Path(f"/proc/{service.process()}/fd").iterdir()]
            expect(any("iio:event" in path for path in held), f"the event descriptor is not open: {held}")
            expect(f"/dev/{dummy.device.name}" not in held, "the node is open")
            before = samples()
            at_rest = wakeups(service.process())
            read = samples() - before
            # Over 25 s.
            expect(4 <= read <= 7, f"{read} readings at rest")
            expect(at_rest <= 0.5, f"{at_rest:.2f} wake-ups per second")
            delays = []
            for orientation in ("portrait", "landscapeLeft", "faceDown", "portraitUpsideDown"):
                delays.append(answer(watcher, orientation, dummy.turn))
                dummy.wait_until_armed()
            expect(max(delays) < SOON, f"answered after {delays}")
            # An interrupt that worked before, and misses a turn.
            missed = answer(watcher, "landscapeRight", dummy.hold)
            dummy.wait_until_armed()
        eventually("the chip's own settings", lambda: dummy.settings == OWN)
    return (f"{at_rest:.2f} wake-ups per second, {read} readings in 25 s; {len(delays)} turns with a latency of "
            f"{min(delays):.1f} to {max(delays):.1f} s, one without an event {missed:.1f} s; settings restored")


@test("a motion event and iio-sensor-proxy")
def beside_proxy() -> str:
    install_neighbours()
    with chip() as dummy:
        try:
            with Watcher() as watcher:
                watcher.wait_for("faceUp")
                dummy.wait_until_armed()
                run("systemctl", "unmask", "--runtime", PROXY)
                run("systemctl", "start", PROXY)
                eventually("the end of the event", lambda: dummy.settings == OWN)
                desktop = Desktop()
                try:
                    for orientation, word in [("portrait", "normal"), ("landscapeRight", "left-up")]:
                        dummy.turn(*POSES[orientation])
                        watcher.wait_for(orientation)
                        desktop.wait_for(word)
                    time.sleep(8)
                    expect(dummy.settings == OWN, f"settings {dummy.settings} beside iio-sensor-proxy")
                finally:
                    desktop.close()
                run("systemctl", "stop", PROXY)
                dummy.wait_until_armed()
        finally:
            run("systemctl", "mask", "--runtime", "--now", PROXY, check=False)
    return "disarmed while it runs, both reported every turn; armed again afterwards"
