# SPDX-License-Identifier: Apache-2.0
"""The motion event of a chip, with iio_dummy and generated interrupts."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import service
from accelerometer import InputAccelerometer
from chip import Chip
from daemon import Daemon
from dummy import Dummy
from harness import eventually, expect, test, run
from hub import Hub
from poses import POSES
from tests.neighbours import PROXY, Desktop, install_neighbours
from usage import Usage, wakeups
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


@test("a motion event after SIGKILL and a restart")
def killed() -> str:
    with chip() as dummy:
        with Watcher() as watcher:
            watcher.wait_for("faceUp")
            dummy.wait_until_armed()
            first = service.process()
            os.kill(first, 9)
            eventually("a new process", lambda: service.process() not in (0, first))
        with Watcher() as watcher:
            watcher.wait_for("faceUp")
            dummy.wait_until_armed()
            delay = answer(watcher, "portrait", dummy.turn)
        eventually("the chip's own settings", lambda: dummy.settings == OWN)
    expect(delay < SOON, f"answered after {delay:.1f} s")
    return f"armed again, a turn answered after {delay:.1f} s; the settings before the first start are restored"


@test("a motion event while another program has the node open")
def node_open() -> str:
    with chip() as dummy:
        node = os.open(f"/dev/{dummy.device.name}", os.O_RDONLY)
        try:
            with Watcher() as watcher:
                watcher.wait_for("faceUp")
                time.sleep(8)
                expect(dummy.settings == OWN, f"settings {dummy.settings}")
                delay = answer(watcher, "portrait", dummy.hold)
                os.close(node)
                node = -1
                dummy.wait_until_armed()
        finally:
            if node >= 0:
                os.close(node)
    return f"not used, and a turn answered after {delay:.1f} s by polling; used after the node was closed"


@test("a motion event and two daemons")
def two_daemons() -> str:
    with chip() as dummy:
        with Watcher() as watcher:
            watcher.wait_for("faceUp")
            dummy.wait_until_armed()
            with Daemon(f"iio:{dummy.name}") as second:
                second.watcher.wait_for("faceUp")
                time.sleep(8)
                expect(dummy.is_armed(), f"the second daemon changed the event: {dummy.settings}")
                for orientation in ("portrait", "landscapeLeft", "faceUp"):
                    dummy.turn(*POSES[orientation])
                    watcher.wait_for(orientation)
                    second.watcher.wait_for(orientation)
                    dummy.wait_until_armed()
            expect(dummy.settings in (OWN, ("1", "4")), f"settings {dummy.settings}")
            dummy.wait_until_armed()
            delay = answer(watcher, "portrait", dummy.turn)
        eventually("the chip's own settings", lambda: dummy.settings == OWN)
    expect(delay < SOON, f"answered after {delay:.1f} s")
    return "both reported every turn; one at a time uses the event; the chip's own settings are restored"


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


@test("suspend while a motion event is armed", on_request=True)
def suspended() -> str:
    """Suspend to RAM, from which the emulated clock wakes the guest. Not part of a normal run: afterwards, QEMU without KVM
    does not power the guest off."""
    with chip() as dummy:
        with Watcher() as watcher:
            watcher.wait_for("faceUp")
            dummy.wait_until_armed()
            # A turn during suspend, without an event.
            dummy.hold(*POSES["landscapeLeft"])
            asleep = sleep(5)
            began = time.monotonic()
            watcher.wait_for("landscapeLeft")
            found = time.monotonic() - began
            expect(asleep > 2, f"asleep for {asleep:.1f} s")
            dummy.wait_until_armed()
            delay = answer(watcher, "portrait", dummy.turn)
        eventually("the chip's own settings", lambda: dummy.settings == OWN)
    expect(max(found, delay) < SOON, f"answered {found:.1f} s after waking, and after {delay:.1f} s")
    return (f"asleep for {asleep:.0f} s; a turn meanwhile reported {found:.1f} s after waking; armed again, a turn answered "
            f"after {delay:.1f} s")


def sleep(seconds: int) -> float:
    """Suspend the guest for some seconds, once, and return the time that it slept."""
    def asleep() -> float:
        return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)

    before = asleep()
    alarm = Path("/sys/class/rtc/rtc0/wakealarm")
    alarm.write_text("0")
    # The driver of the shared directory cannot resume.
    driver = Path("/sys/bus/virtio/drivers/9pnet_virtio")
    device = next(driver.glob("virtio*")).name
    run("umount", "/vm")
    (driver / "unbind").write_text(device)
    alarm.write_text(f"+{seconds}")
    Path("/sys/power/state").write_text("mem")
    (driver / "bind").write_text(device)
    run("mount", "/vm")
    return asleep() - before


# Seconds of the long measurement at rest, and seconds and turns of the one with motion.
STILL, TURNS = 600, 20


@test("wake-ups and latency", on_request=True)
def measured() -> str:
    """Print a table for docs/motion-events.md. Not part of a normal run: it takes half an hour."""
    install_neighbours()
    run("systemctl", "mask", "--runtime", "--now", PROXY, check=False)
    service.stop()
    rows = []
    hub, i2c, dummy, inputs = Hub(), Chip(), Dummy(), InputAccelerometer()
    inputs.hold(0, 0, 9.8)
    # In use by another program, as far as the daemon knows.
    enable = Path(i2c.device, "events/in_accel_x_thresh_either_en")
    enable.write_text("1")
    try:
        with (Daemon("iio:accel_3d") as captured, Daemon("iio:kxcjk1013") as polled, Daemon("iio:dummy") as armed,
              Daemon("evdev:") as events):
            titled = {"captured (HID sensor hub)": captured, "polled (KXCJK-1013)": polled,
                      "motion event (iio_dummy)": armed, "events of an input device": events}
            for daemon in titled.values():
                daemon.watcher.wait_for("faceUp")
            dummy.wait_until_armed()
            eventually("capture", hub.is_captured)
            rows += observed({title: daemon.usage for title, daemon in titled.items()})
        hub.unplug()
        inputs.remove()
        with Daemon("iio:dummy") as armed:
            rows.append(moved("motion event (iio_dummy)", dummy, armed, dummy.turn))
        dummy.enable.write_text("1")
        with Daemon("iio:dummy") as polled:
            rows.append(moved("polled (iio_dummy)", dummy, polled, dummy.hold))
        dummy.remove()
        run("systemctl", "unmask", "--runtime", PROXY)
        run("systemctl", "start", PROXY)
        desktop = Desktop()
        with Daemon("iio:kxcjk1013") as polled:
            polled.watcher.wait_for("faceUp")
            eventually("iio-sensor-proxy's accelerometer", lambda: "accelerometer" in desktop.file.read_text())
            rows += observed({"polled beside iio-sensor-proxy (KXCJK-1013)": polled.usage,
                              "iio-sensor-proxy itself": Usage(int(service.show("MainPID", PROXY)))})
        desktop.close()
    finally:
        run("systemctl", "mask", "--runtime", "--now", PROXY, check=False)
        i2c.remove()
    head = ["| | state | wake-ups per second | CPU, ms per second | latency of a turn |", "|---|---|---|---|---|"]
    Path("/vm/kept/motion.md").write_text("\n".join([*head, *rows]) + "\n")
    return "\n" + "\n".join([*head, *rows])


def observed(processes: dict[str, Usage]) -> list[str]:
    """Return a row of the table for each process at rest."""
    time.sleep(20)
    begun = {title: Usage(usage.process) for title, usage in processes.items()}
    time.sleep(STILL)
    return [f"| {title} | still, {STILL // 60} min | {usage.wakeups:.2f} | {usage.milliseconds:.2f} | |"
            for title, usage in begun.items()]


def moved(title: str, dummy: Dummy, daemon: Daemon, move: Callable[[float, float, float], None]) -> str:
    """Turn the device from rest, and return a row of the table."""
    delays = []
    usage = None
    for number in range(TURNS):
        if move == dummy.turn:
            dummy.wait_until_armed()
        else:
            # At rest a polled chip is read less often.
            time.sleep(3)
        usage = usage or daemon.usage
        delays.append(answer(daemon.watcher, ("portrait", "landscapeLeft")[number % 2], move))
    delays.sort()
    state = f"a turn from rest every {usage.seconds / TURNS:.0f} s"
    return (f"| {title} | {state} | {usage.wakeups:.1f} | {usage.milliseconds:.1f} | "
            f"{delays[len(delays) // 2]:.2f} s (median), {delays[-1]:.2f} s (longest) |")
