# SPDX-License-Identifier: Apache-2.0
"""The natural orientation from a real display, in the confined service."""

from pathlib import Path

from display import Display
from harness import expect, run, test
from hub import Hub
from varlink import Watcher

DATABASE = Path("/etc/udev/hwdb.d/61-orientationd-test.hwdb")
PROPERTY = "ORIENTATIOND_NATURAL_ORIENTATION"


def report() -> dict[str, str]:
    """Return the rows of `orientationctl status`."""
    lines = run("orientationctl", "status").splitlines()
    return {name: value.strip() for name, _, value in (line.partition(" ") for line in lines)}


def apply_database() -> None:
    run("systemd-hwdb", "update")
    # Without a reload udev notices a new database only after seconds.
    run("udevadm", "control", "--reload")
    run("udevadm", "trigger", "--settle", "--subsystem-match=iio")


@test("natural orientation of a wide display")
def natural() -> str:
    hub, display = Hub(), None
    try:
        hub.hold(0, 9.8, 0)
        with Watcher() as watcher:
            state = watcher.wait_for("portrait")
            expect(state["natural"] == "portrait" and state["rotation"] == 0, f"without a display: {state}")
            display = Display()
            state = watcher.wait_for("landscapeLeft")
            expect(state["natural"] == "landscapeLeft" and state["rotation"] == 0, f"upright: {state}")
            rows = report()
            expect(rows["orientation"] == "top edge up" and rows["display"] == "needs no rotation", f"status: {rows}")
            sensors = run("orientationctl", "sensors")
            source = f"from display {display.connector.name}, "
            expect(f"natural orientation landscapeLeft, {source}" in sensors, sensors)
            hub.hold(-9.8, 0, 0)
            state = watcher.wait_for("portrait")
            expect(state["rotation"] == 90, f"left edge up: {state}")
            DATABASE.parent.mkdir(parents=True, exist_ok=True)
            DATABASE.write_text(f"sensor:modalias:*\n {PROPERTY}=portrait\n")
            apply_database()
            state = watcher.wait_for("landscapeRight")
            expect(state["natural"] == "portrait" and state["rotation"] == 90, f"with the property: {state}")
            DATABASE.unlink()
            apply_database()
            watcher.wait_for("portrait")
            display.disconnect()
            watcher.wait_for("landscapeRight")
    finally:
        if DATABASE.exists():
            DATABASE.unlink()
            apply_database()
        if display:
            display.disconnect()
        hub.unplug()
    return f"{display.connector.name}, {display.mode}: upright is landscapeLeft, not rotated; {PROPERTY} overrides it"
