# SPDX-License-Identifier: Apache-2.0
"""orientation-tablet-switch on a laptop with an accelerometer in each half, and one with a sensor in the hinge: real drivers, and
the kernel's uinput."""

import time

import service
from convertible import BASE, Convertible
from harness import eventually, expect, run, test
from hinge import Hinge
from hub import GRAVITY
from tablet_switch import UNIT, TabletSwitch, exists, is_tablet
from varlink import Client


def access() -> str:
    return run("getfacl", "--omit-header", "--absolute-names", "/dev/uinput")


def state() -> dict:
    with Client() as client:
        return client.call("Orientation.Get")["state"]


@test("a tablet switch from two accelerometers")
def follows() -> str:
    with TabletSwitch() as program:
        laptop = Convertible()
        try:
            expect(run("systemctl", "is-enabled", UNIT, check=False) == "disabled", "the unit is enabled by the package")
            program.start()
            eventually(lambda: f"the switch; the log is: {program.log[-500:]}", lambda: is_tablet() is False)
            expect("user:orientation-tablet-switch:rw-" in access(), f"access list: {access()}")
            times = fold_times(laptop)
            laptop.fold(330)
            eventually("tablet mode at 330°", is_tablet)
            # The daemon measures the angle although a switch exists, which is no switch of the kernel.
            measured = state()
            expect((measured["tabletMode"], measured["lidAngle"]) == (True, 330), f"with the switch: {measured}")
            sensors = run("orientationctl", "sensors")
            expect("used for the tablet mode" in sensors, sensors)
        finally:
            laptop.unplug()
        eventually("removal of the switch with the sensors", lambda: not exists())
    expect("user:orientation-tablet-switch" not in access(), f"access list after the end: {access()}")
    return f"folds of 1 s end in {times}; removed with the sensors"


def fold_times(laptop: Convertible) -> str:
    """Fold the laptop four times, for 1 s each; return when the switch reported it."""
    times = []
    for angle, mode in [(330, True), (100, False), (360, True), (150, False)]:
        began, start = time.monotonic(), laptop.angle
        for step in range(1, 11):
            laptop.fold(start + (angle - start) * step / 10)
            time.sleep(0.1)
        eventually(f"{mode} at {angle}°", lambda: is_tablet() is mode)
        times.append(f"{time.monotonic() - began:.1f} s")
    return ", ".join(times)


@test("a tablet switch from Intel's hinge sensor")
def follows_hinge() -> str:
    """The kernel's driver; each read of a channel is a request to the hub."""
    with TabletSwitch() as program:
        laptop = Convertible(has_hinge=True)
        try:
            program.start()
            eventually(lambda: f"the switch; the log is: {program.log[-500:]}", lambda: is_tablet() is False)
            times = fold_times(laptop)
            sensors, hinge = run("orientationctl", "sensors", "--ambient"), laptop.devices[-1].name
            used = f"* hinge: {hinge}: hinge\n    used for the tablet mode"
            expect(used in sensors and sensors.count("*") == 1, sensors)
            laptop.fold(330)
            eventually("tablet mode at 330°", is_tablet)
            # With the base face down the pair of accelerometers would be at 150°.
            laptop.hold(0, 0, -GRAVITY, BASE)
            log = program.log
            for zeros in (1, 1, 1, 1, 1, 1, 3, 9):
                laptop.zeros = zeros
                eventually("reads of the hinge", lambda: laptop.zeros == 0)
            measured = state()
            expect((measured["tabletMode"], measured["lidAngle"]) == (True, 330), f"after zeros: {measured}")
            expect(program.log == log, f"zeros change the switch: {program.log[-500:]}")
            # As on Debian, whose kernels have no such driver.
            run("modprobe", "--remove", "hid-sensor-custom-intel-hinge")
            laptop.fold(330)
            eventually("the pair of accelerometers", lambda: "against" in run("orientationctl", "sensors", "--ambient"))
            doctor = " ".join(run("orientationctl", "doctor", check=False).split())
            expect("(HID-SENSOR-INT-020b), for which this kernel has no driver" in doctor, doctor)
            eventually("tablet mode from the pair", is_tablet)
        finally:
            laptop.unplug()
    return f"{hinge} is used; folds of 1 s end in {times}; zeros change nothing; without the driver the pair is used"


@test("a tablet switch beside one of the kernel")
def steps_aside() -> str:
    message = "(hinge) has a tablet switch: no other one is needed"
    with TabletSwitch() as program:
        laptop, hinge = Convertible(), None
        try:
            program.start()
            eventually("the switch", lambda: is_tablet() is False)
            hinge = Hinge()
            for when in ("appears while it runs", "exists before it starts"):
                if when.startswith("exists"):
                    program.start()
                eventually("the end of the program", lambda: service.show("ActiveState", UNIT) == "inactive")
                status = service.show("Result", UNIT), service.show("ExecMainStatus", UNIT)
                expect(status == ("success", "0"), f"a switch that {when}: {status}")
                expect(not exists(), f"a switch that {when}: two switches exist")
            expect(program.log.count(message) == 2, f"the log is: {program.log[-800:]}")
        finally:
            if hinge:
                hinge.remove()
            laptop.unplug()
    return "it says so and ends with success, whether the other switch appears or exists before"
