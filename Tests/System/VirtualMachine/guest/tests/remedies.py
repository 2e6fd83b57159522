# SPDX-License-Identifier: Apache-2.0
"""Every remedy of the doctor: a fault, the printed text as it is, run by a shell of a user, and the doctor again.

A unit test checks that each kind of remedy has a row here or in Screen/remedies.py."""

import contextlib
import grp
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import service
from chip import Chip
from convertible import Convertible
from harness import eventually, expect, run, test
from hinge import Hinge
from hub import Hub
from poses import POSES
from service import SOCKET_UNIT, UNIT, DropIn
from tablet_switch import TabletSwitch
from varlink import SOCKET, state

RULES = Path("/etc/udev/rules.d")
# The rule of `masked_rule`, the rules of the tests, and those that remedies write.
MASK, OWN, WRITTEN = RULES / "70-orientationd.rules", RULES / "68-test.rules", RULES / "69-accelerometer.rules"
# sudo needs no password here.
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/home/tester", "LANG": "C.UTF-8"}


def as_tester(*command: str, groups: tuple[str, ...] = (), check: bool = True) -> str:
    numbers = [grp.getgrnam(name).gr_gid for name in groups]
    return run(*command, check=check, user="tester", group="tester", extra_groups=numbers, cwd="/", env=ENVIRONMENT)


def findings(is_root: bool = False, groups: tuple[str, ...] = ()) -> list[dict]:
    command = ["orientationctl", "doctor", "--json"]
    text = run(*command, check=False) if is_root else as_tester(*command, groups=groups, check=False)
    return [finding for finding in json.loads(text)["findings"] if finding["level"] != "ok"]


def problems(check: str, **caller: object) -> list[str]:
    return [finding["summary"] for finding in findings(**caller) if finding["check"] == check and finding["level"] == "problem"]


def remedy(kind: str, check: str, is_root: bool = False, groups: tuple[str, ...] = ()) -> Callable:
    """Register a row: a generator that makes a fault, and ends it after the test; `check` finds it. With `is_root` only root
    sees the fault; else all callers find the same problems."""
    def add(fault: Callable[[], Iterator[None]]) -> Callable:
        @test(f"remedy {kind}: {fault.__name__.replace('_', ' ')}")
        def row() -> str:
            steps = fault()
            next(steps)
            try:
                found = [finding for finding in findings(is_root, groups) if finding["check"] == check and "fix" in finding]
                expect(found, f"no remedy: {findings(is_root, groups)}")
                if not is_root:
                    others = [problems(check, is_root=True), problems(check, groups=("orientation",))]
                    expect(others == [problems(check)] * 2, f"problems of root and of the group: {others}")
                summary, fix = found[0]["summary"], found[0]["fix"]
                perform(kind, fix, groups)
                eventually(
                    lambda: f"the end of '{summary}' after '{fix}': {findings(is_root, groups)}",
                    lambda: all(finding["summary"] != summary for finding in findings(is_root, groups)), 30)
            finally:
                next(steps, None)
            return fix
        return row
    return add


def perform(kind: str, fix: str, groups: tuple[str, ...]) -> None:
    if kind == "calibrate":
        calibrate(fix)
    else:
        as_tester("sh", "-c", fix, groups=groups)


def udev() -> None:
    """Apply the rules that are now there to each sensor and switch."""
    run("udevadm", "control", "--reload")
    run("udevadm", "trigger", "--subsystem-match=iio", "--subsystem-match=input")
    run("udevadm", "settle")


@contextlib.contextmanager
def hub() -> Iterator[Hub]:
    device = Hub()
    try:
        yield device
    finally:
        device.unplug()


@contextlib.contextmanager
def rules(text: str) -> Iterator[None]:
    """Apply a rule; remove it and those of remedies at the end."""
    OWN.write_text(text + "\n")
    udev()
    try:
        yield
    finally:
        OWN.unlink()
        WRITTEN.unlink(missing_ok=True)
        udev()


def unload() -> None:
    service.stop()
    run("modprobe", "-r", "kxcjk-1013", "hid-sensor-accel-3d", check=False)


# Kernel and devices.


@remedy("loadDrivers", "kernel")
def industrialio_is_not_loaded() -> Iterator[None]:
    with hub():
        unload()
        run("modprobe", "-r", "industrialio_triggered_buffer", "kfifo_buf", "industrialio", check=False)
        expect(not Path("/sys/bus/iio").exists(), "IIO is still in the kernel")
        yield


@remedy("loadDriver", "drivers")
def driver_is_not_loaded() -> Iterator[None]:
    with hub():
        unload()
        yield


class StuckHub(Hub):
    """A hub that reports zeros until its driver is loaded again."""

    def report(self, sensor: int) -> bytes:
        with contextlib.suppress(OSError, AttributeError):
            self.first = getattr(self, "first", self.device.stat().st_ino)
            if self.device.stat().st_ino == self.first:
                self.readings[0] = (0, 0, 0)
            else:
                self.hold(0, 9.8, 0)
        return super().report(sensor)


@remedy("reloadDriver", "reading")
def sensor_is_stuck() -> Iterator[None]:
    device = StuckHub()
    try:
        yield
    finally:
        device.unplug()


@remedy("setProperty", "devices")
def sensor_is_not_in_the_base() -> Iterator[None]:
    with hub(), rules('SUBSYSTEM=="iio", ENV{ACCEL_LOCATION}="base"'):
        yield


@remedy("setProperty", "matrix")
def another_matrix_is_right() -> Iterator[None]:
    chip = Chip()
    file = chip.device / "in_accel_mount_matrix"
    Path("/run/matrix").write_text("0, -1, 0; 1, 0, 0; 0, 0, 1\n")
    try:
        run("mount", "--bind", "/run/matrix", str(file))
        with rules('SUBSYSTEM=="iio", ENV{ACCEL_MOUNT_MATRIX}="0, 1, 0; -1, 0, 0; 0, 0, 1"'):
            yield
    finally:
        run("umount", str(file), check=False)
        chip.remove()


@remedy("calibrate", "matrix", groups=("orientation",))
def matrix_is_missing() -> Iterator[None]:
    with hub() as device:
        calibrate.hub = device
        yield
        run("orientationctl", "calibrate", "--undo")


# The poses by the words of the wizard.
ASKED = {"upright, the top edge": "portrait", "picture to the left": "landscapeLeft", "upside down, the bottom edge":
         "portraitUpsideDown", "picture to the right": "landscapeRight", "table, the screen up": "faceUp",
         "table, the screen down": "faceDown", "upright again": "portrait"}


def calibrate(fix: str) -> None:
    """Run the wizard on a terminal, and hold the device as it asks."""
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe("sudo", ["sudo", "-u", "tester", "sh", "-c", fix], ENVIRONMENT | {"TERM": "linux"})
    output, text = b"", ""
    with contextlib.suppress(OSError):
        while data := os.read(terminal, 4096):
            # A read can end within a line.
            output += data
            text = " ".join(output.decode(errors="replace").split())
            last = max(ASKED, key=text.rfind)
            if last in text:
                x, y, z = POSES[ASKED[last]]
                # The hub is mounted so that the matrix that is missing turns it by 180° about z.
                calibrate.hub.hold(-x, -y, z)
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    expect(status == 0, f"{fix} exited with {status}: {text[-800:]}")


# Accounts, permissions and udev.


@remedy("createAccounts", "permissions")
def user_is_missing() -> Iterator[None]:
    service.stop()
    run("userdel", "orientationd")
    run("groupdel", "orientationd", check=False)
    yield
    service.stop()
    run("systemctl", "restart", SOCKET_UNIT)
    udev()


@remedy("permitReading", "permissions")
def readings_are_closed() -> Iterator[None]:
    with hub() as device:
        for axis in "xyz":
            (device.device / f"in_accel_{axis}_raw").chmod(0o600)
        yield


@remedy("applyRules", "permissions")
def buffer_is_closed() -> Iterator[None]:
    with hub() as device:
        (device.device / "buffer/enable").chmod(0o644)
        os.chown(device.device / "buffer/enable", 0, 0)
        yield


@contextlib.contextmanager
def masked_rule() -> Iterator[None]:
    MASK.touch()
    udev()
    try:
        yield
    finally:
        MASK.unlink(missing_ok=True)
        udev()


@remedy("applyRules", "udev")
def rule_came_later() -> Iterator[None]:
    with masked_rule(), hub():
        MASK.unlink()
        yield


@remedy("applyRules", "tabletMode")
def switch_is_closed() -> Iterator[None]:
    with masked_rule(), hub():
        hinge = Hinge()
        MASK.unlink()
        try:
            yield
        finally:
            hinge.remove()


@remedy("enableRule", "udev")
def rule_is_empty() -> Iterator[None]:
    with masked_rule():
        yield


@remedy("processDevices", "udev")
def device_is_not_processed() -> Iterator[None]:
    with hub() as device:
        number = (device.device / "dev").read_text().strip()
        Path(f"/run/udev/data/c{number}").unlink()
        yield


@remedy("startUdev", "udev")
def udev_is_stopped() -> Iterator[None]:
    units = ["systemd-udevd-control.socket", "systemd-udevd-kernel.socket", "systemd-udevd.service"]
    run("systemctl", "stop", *units)
    yield
    run("systemctl", "start", *units)


@remedy("changeGroups", "groups")
def user_is_in_the_group_of_the_service() -> Iterator[None]:
    run("gpasswd", "-a", "tester", "orientationd")
    yield
    run("gpasswd", "-d", "tester", "orientation")


# Programs that share the sensor.

CAPTURE = """import sys, time
from pathlib import Path
device = Path("/sys/bus/iio/devices", sys.argv[1])
for axis in "xyz": (device / f"scan_elements/in_accel_{axis}_en").write_text("1")
node = open(f"/dev/{sys.argv[1]}", "rb", buffering=0)
(device / "buffer/enable").write_text("1")
time.sleep(float(sys.argv[2]))
"""


@remedy("disableBuffer", "buffer", is_root=True)
def buffer_was_left_enabled() -> Iterator[None]:
    # The daemon would capture first: the sensor runs for some time after a request.
    service.stop()
    with hub() as device:
        program = subprocess.Popen([sys.executable, "-c", CAPTURE, device.device.name, "600"])
        eventually("the capture", device.is_captured)
        program.kill()
        program.wait()
        expect(device.is_captured(), "the kernel disabled the buffer")
        yield


@remedy("endProgram", "buffer", is_root=True)
def another_program_captures() -> Iterator[None]:
    service.stop()
    with hub() as device:
        program = subprocess.Popen([sys.executable, "-c", CAPTURE, device.device.name, "600"])
        try:
            eventually("the capture", device.is_captured)
            yield
        finally:
            program.kill()
            program.wait()
            with contextlib.suppress(OSError):
                (device.device / "buffer/enable").write_text("0")


@remedy("maskProxy", "proxy")
def two_programs_serve_desktops() -> Iterator[None]:
    run("apt-get", "install", "--yes", "iio-sensor-proxy", "polkitd")
    run("systemctl", "unmask", "--runtime", "iio-sensor-proxy")
    with hub(), DropIn("[Service]\nExecStart=\nExecStart=/usr/sbin/orientationd --dbus\n"):
        run("systemctl", "start", "iio-sensor-proxy")
        yield
        run("systemctl", "unmask", "iio-sensor-proxy")
    run("systemctl", "mask", "--runtime", "--now", "iio-sensor-proxy")


# The service.


@remedy("enableUnit", "socket")
def socket_is_disabled() -> Iterator[None]:
    run("systemctl", "disable", "--now", SOCKET_UNIT, UNIT)
    yield


@remedy("unmaskUnits", "socket")
def socket_is_masked() -> Iterator[None]:
    run("systemctl", "mask", "--now", SOCKET_UNIT)
    error = as_tester("orientationctl", "status", check=False)
    expect("systemctl unmask" in error, f"status says: {error}")
    yield


@remedy("unmaskUnits", "socket")
def socket_is_masked_until_the_next_boot() -> Iterator[None]:
    run("systemctl", "mask", "--runtime", "--now", SOCKET_UNIT)
    yield


@remedy("unmaskUnits", "service")
def service_is_masked() -> Iterator[None]:
    run("systemctl", "mask", "--now", UNIT)
    yield


@remedy("resetFailedUnit", "service")
def service_has_failed() -> Iterator[None]:
    with DropIn("[Service]\nExecStart=\nExecStart=/bin/false\nRestart=no\n[Unit]\nStartLimitIntervalSec=10min\n") as drop_in:
        for _ in range(6):
            run("systemctl", "start", UNIT, check=False)
        as_tester("orientationctl", "status", check=False)
        eventually("the failure of the socket", lambda: service.show("ActiveState", SOCKET_UNIT) == "failed")
        # The cause ends; its effect does not.
        drop_in.file.write_text("[Unit]\nStartLimitIntervalSec=10min\n")
        run("systemctl", "daemon-reload")
        yield
    run("systemctl", "start", SOCKET_UNIT)


@remedy("restart", "socket")
def daemon_hangs() -> Iterator[None]:
    state()
    process = service.process()
    os.kill(process, signal.SIGSTOP)
    yield
    with contextlib.suppress(ProcessLookupError):
        os.kill(process, signal.SIGCONT)


@remedy("restart", "socket")
def socket_is_deleted() -> Iterator[None]:
    os.unlink(SOCKET)
    yield


@remedy("restart", "socket")
def socket_is_for_root() -> Iterator[None]:
    os.chmod(SOCKET, 0o600)
    error = as_tester("orientationctl", "status", check=False)
    expect("systemctl restart orientationd.socket" in error, f"status says: {error}")
    yield


@remedy("setSocketMode", "socket")
def drop_in_closes_the_socket() -> Iterator[None]:
    folder = Path("/etc/systemd/system/orientationd.socket.d")
    folder.mkdir()
    (folder / "override.conf").write_text("[Socket]\nSocketMode=0600\n")
    run("systemctl", "daemon-reload")
    run("systemctl", "restart", SOCKET_UNIT, UNIT)
    yield
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    run("systemctl", "daemon-reload")
    run("systemctl", "restart", SOCKET_UNIT, UNIT)


@remedy("unlock", "lock", groups=("orientation",))
def orientation_is_locked() -> Iterator[None]:
    run("orientationctl", "lock", "top")
    yield


@remedy("startTabletSwitch", "lid")
def laptop_has_no_switch() -> Iterator[None]:
    with TabletSwitch():
        laptop = Convertible()
        try:
            yield
        finally:
            run("systemctl", "disable", "--now", "orientation-tablet-switch")
            laptop.unplug()


@test("remedy examineAsRoot: another user than root")
def not_root() -> str:
    """What root alone sees is in the output of the remedy."""
    found = [finding for finding in findings() if finding["check"] == "coverage"]
    expect(found and found[0]["summary"].startswith("not checked without root: "), f"{found}")
    text = as_tester("sh", "-c", found[0]["fix"], check=False)
    expect("without root" not in text and "checks passed" in text, text)
    return found[0]["fix"]
