# SPDX-License-Identifier: Apache-2.0
"""Other programs that use the same hardware."""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import service
from hub import Hub
from harness import TestSkip, TestFailure, eventually, expect, test, run
from varlink import Watcher

PROXY = "iio-sensor-proxy.service"


class Desktop:
    """A client of net.hadess.SensorProxy, such as a desktop."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.file = Path(self.folder.name, "monitor-sensor")
        with open(self.file, "w") as output:
            self.process = subprocess.Popen(["stdbuf", "-oL", "monitor-sensor"], stdout=output, stderr=output)

    def wait_for(self, orientation: str) -> None:
        try:
            eventually(orientation, lambda: self.last == orientation)
        except TestFailure as failure:
            raise TestFailure(f"monitor-sensor: {failure}; output:\n{self.file.read_text()}") from failure

    @property
    def last(self) -> str:
        values = re.findall(r"orientation(?: changed)?: ([a-z-]+)", self.file.read_text())
        return values[-1] if values else ""

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def install_neighbours() -> None:
    """Install the packages, unless an earlier test did."""
    if shutil.which("monitor-sensor"):
        return
    # iio-sensor-proxy needs polkit for claims, but its Debian package does not depend on it.
    run("apt-get", "install", "--yes", "iio-sensor-proxy", "polkitd")


def turn_both(hub: Hub, watcher: Watcher, desktop: Desktop) -> None:
    for force, word, orientation in [((0, 9.8, 0), "normal", "portrait"), ((-9.8, 0, 0), "left-up", "landscapeRight"),
                                     ((0, -9.8, 0), "bottom-up", "portraitUpsideDown")]:
        hub.hold(*force)
        watcher.wait_for(orientation)
        desktop.wait_for(word)


@test("iio-sensor-proxy first, then orientationd")
def proxy_first() -> str:
    install_neighbours()
    service.stop()
    hub = Hub()
    eventually("iio-sensor-proxy, which udev starts", lambda: service.is_active(PROXY))
    desktop = Desktop()
    try:
        hub.hold(0, 9.8, 0)
        desktop.wait_for("normal")
        with Watcher() as watcher:
            turn_both(hub, watcher, desktop)
    finally:
        desktop.close()
        hub.unplug()
    return "both reported every turn"


@test("orientationd first, then iio-sensor-proxy")
def proxy_second() -> str:
    run("systemctl", "stop", PROXY)
    run("systemctl", "mask", "--runtime", PROXY)
    hub = Hub()
    try:
        with Watcher() as watcher:
            watcher.wait_for("faceUp")
            eventually("capture", hub.is_captured)
            run("systemctl", "unmask", "--runtime", PROXY)
            run("systemctl", "start", PROXY)
            desktop = Desktop()
            try:
                turn_both(hub, watcher, desktop)
            finally:
                desktop.close()
    finally:
        hub.unplug()
        run("systemctl", "stop", PROXY)
    return "both reported every turn; orientationd stopped its capture"


@test("started by an accelerometer, for desktops")
def desktops() -> str:
    switch = Path("/usr/sbin/orientationd-desktops")
    if not switch.exists():
        raise TestSkip("this package does not serve desktops over D-Bus")
    # For monitor-sensor; orientationd-desktops masks iio-sensor-proxy itself.
    install_neighbours()
    run(str(switch), "on")
    try:
        service.stop()
        hub = Hub()
        try:
            eventually("the service, without any client", service.is_active)
            hub.hold(0, 9.8, 0)
            desktop = Desktop()
            try:
                with Watcher() as watcher:
                    turn_both(hub, watcher, desktop)
            finally:
                desktop.close()
        finally:
            hub.unplug()
    finally:
        run(str(switch), "off")
        run("systemctl", "mask", "--runtime", "--now", PROXY)
    return "monitor-sensor received every turn from orientationd"


@test("orientationd-desktops on fails without a change")
def not_switched() -> str:
    """A unit file of the administrator cannot be masked: the script changes nothing."""
    own = Path("/etc/systemd/system", PROXY)
    own.write_text("[Service]\nExecStart=/bin/true\n")
    try:
        run("orientationd-desktops", "on")
        raise AssertionError("orientationd-desktops on succeeded")
    except TestFailure as refusal:
        line = str(refusal).splitlines()[-1]
        expect(PROXY in line, line)
    finally:
        own.unlink()
        run("systemctl", "daemon-reload")
    expect("--dbus" not in service.show("ExecStart"), "the drop-in exists")
    return f"'{line.split(': ', 1)[-1]}'; nothing was changed"


@test("orientationd-desktops on with a drop-in that replaces the command")
def not_replaced() -> str:
    """A later drop-in removes --dbus: the script refuses before it masks iio-sensor-proxy."""
    with service.DropIn("[Service]\nExecStart=\nExecStart=/usr/sbin/orientationd --sensor auto\n"):
        try:
            run("orientationd-desktops", "on")
            raise AssertionError("orientationd-desktops on succeeded")
        except TestFailure as refusal:
            line = str(refusal).splitlines()[-1]
            expect("add --dbus there" in line, line)
        expect(not Path("/etc/systemd/system", PROXY).is_symlink(), "iio-sensor-proxy is masked")
        expect("--sensor auto" in service.show("ExecStart"), "the drop-in was removed")
    expect("--dbus" not in service.show("ExecStart"), "the drop-in of orientationd-desktops remains")
    return f"'{line.split(': ', 1)[-1]}'"
