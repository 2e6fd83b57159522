# SPDX-License-Identifier: Apache-2.0
"""Sensing with real drivers."""

import signal
import subprocess
import tempfile
from pathlib import Path

from accelerometer import USB, InputAccelerometer
from chip import Chip
from hinge import EVENT_SIZE, LETTER_A, VOLUME_UP, Hinge
from hub import Hub
from poses import POSES, go_through
from harness import eventually, expect, test, run
from service import process
from usage import memory, wakeups
from varlink import Client, Watcher, state

EXAMPLES = Path("/usr/share/doc/orientationd/examples")
# Four seconds of a pose at the rate that the service sets.
POSE_SAMPLES = 100


@test("six poses of a HID sensor hub")
def hub_poses() -> str:
    hub = Hub()
    try:
        with Watcher() as watcher:
            seen = go_through(watcher, hub.hold)
            eventually("capture from the hub's buffer", hub.is_captured)
            used = memory(process())
        eventually("the end of capture after the last subscriber", lambda: not hub.is_captured())
    finally:
        hub.unplug()
    return f"{seen}; buffer/enable is 1 while a client is subscribed, then 0; {used}"


@test("six poses of a KXCJK-1013 on i2c")
def chip_poses() -> str:
    chip = Chip()
    try:
        with Watcher() as watcher:
            seen = go_through(watcher, chip.hold)
        sensor = next(sensor for sensor in listed() if sensor["chosen"])
    finally:
        chip.remove()
    return f"{seen}; {sensor['name']}, {sensor['why']}"


@test("six poses of an input device")
def input_poses() -> str:
    sensor = InputAccelerometer()
    controller = InputAccelerometer("motion sensors of a game controller", bus=USB)
    try:
        entries = run("getfacl", "--omit-header", "--absolute-names", str(sensor.path))
        expect("group:orientationd:r--" in entries, f"access list: {entries}")
        entries = run("getfacl", "--omit-header", "--absolute-names", str(controller.path))
        expect("orientationd" not in entries, f"access list of the game controller: {entries}")
        with Watcher() as watcher:
            seen = go_through(watcher, sensor.hold)
            found = listed()
            expect(
                next(entry for entry in found if entry["id"] == controller.path.name)["chosen"] is False,
                "the game controller is used")
            at_rest = wakeups(process())
        chosen = next(entry for entry in found if entry["chosen"])
    finally:
        sensor.remove()
        controller.remove()
    return f"{seen}; {chosen['id']}, {chosen['why']}; {at_rest:.2f} wake-ups per second at rest; the game controller is not used"


def listed() -> list[dict]:
    with Client() as client:
        return client.call("Orientation.ListSensors")["sensors"]


@test("keys beside the tablet switch")
def keys_beside_switch() -> str:
    """The daemon opens the node of a switch beside volume keys, and the kernel sends it no key."""
    presses = 200
    hinge = Hinge(VOLUME_UP)
    try:
        entries = run("getfacl", "--omit-header", "--absolute-names", str(hinge.path))
        expect("group:orientationd:r--" in entries, f"access list: {entries}")
        with Watcher() as watcher:
            hinge.fold(True)
            watcher.wait("tablet mode", lambda state: state.get("tabletMode") is True)
            before = bytes_read(process())
            for _ in range(presses):
                hinge.press(VOLUME_UP)
            hinge.fold(False)
            # The kernel keeps the order of events.
            watcher.wait("the end of tablet mode", lambda state: state.get("tabletMode") is False)
            count = bytes_read(process()) - before
            expect(count < presses * EVENT_SIZE, f"{count} bytes read for {presses} keys")
    finally:
        hinge.remove()
    letters = Hinge(LETTER_A)
    try:
        entries = run("getfacl", "--omit-header", "--absolute-names", str(letters.path))
        expect("orientationd" not in entries, f"access list of a node with letters: {entries}")
    finally:
        letters.remove()
    return f"{count} bytes read while {presses} keys were pressed; a node with letters is not accessible"


def bytes_read(number: int) -> int:
    """Return the bytes that the process has read with read(2)."""
    fields = dict(line.split(": ") for line in Path(f"/proc/{number}/io").read_text().splitlines())
    return int(fields["rchar"])


@test("hwdb: mount matrix and face sign")
def hardware_database() -> str:
    """The installed example, with a match for this machine."""
    text = (EXAMPLES / "61-orientationd-local.hwdb").read_text()
    match = next(line for line in text.splitlines() if line.startswith("sensor:"))
    hub = Hub()
    database = Path("/etc/udev/hwdb.d/61-orientationd-local.hwdb")
    database.parent.mkdir(parents=True, exist_ok=True)
    try:
        database.write_text(text.replace(match, "sensor:modalias:*"))
        run("systemd-hwdb", "update")
        run("udevadm", "trigger", "--settle", "--subsystem-match=iio")
        with Watcher() as watcher:
            hub.hold(0, 0, 9.8)
            watcher.wait_for("faceDown")
            hub.hold(0, 9.8, 0)
            turned = watcher.wait("an edge", lambda state: state["orientation"] not in ("faceDown", "unknown"))
        sensor = next(sensor for sensor in listed() if sensor["chosen"])
        expect(turned["orientation"] == "landscapeLeft", f"portrait became {turned['orientation']}")
    finally:
        hub.unplug()
        database.unlink()
        run("systemd-hwdb", "update")
    return f"after systemd-hwdb update and udevadm trigger: matrix {sensor['matrixSource']}, face up reads as face down"


@test("orientationctl calibrate")
def calibrated() -> str:
    """A sensor that is mounted upside down: its poses are recorded, its matrix is installed and removed."""
    folder = tempfile.TemporaryDirectory()
    hub, recording = Hub(), Path(folder.name, "poses")

    def hold(x: float, y: float, z: float) -> None:
        hub.hold(-x, -y, z)

    def count() -> int:
        return len(recording.read_text().splitlines()) if recording.exists() else 0

    try:
        with Watcher() as watcher:
            recorder = subprocess.Popen(["orientationctl", "record", str(recording)], stderr=subprocess.DEVNULL)
            for force in POSES.values():
                hold(*force)
                enough = count() + POSE_SAMPLES
                eventually("samples of a pose", lambda: count() > enough)
            recorder.send_signal(signal.SIGINT)
            expect(recorder.wait() == 0, f"record exited with {recorder.returncode}")
            run("orientationctl", "calibrate", "--from", str(recording), "--write")
            seen = go_through(watcher, hold)
            run("orientationctl", "calibrate", "--undo")
            hold(0, 9.8, 0)
            watcher.wait_for("portraitUpsideDown")
    finally:
        hub.unplug()
        folder.cleanup()
    return f"poses recorded, matrix installed: {seen}; after --undo portrait is upside down"
