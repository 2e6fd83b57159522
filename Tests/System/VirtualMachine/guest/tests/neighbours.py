# SPDX-License-Identifier: Apache-2.0
"""Other programs that use the same hardware."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import service
from hub import Hub
from harness import TestFailure, eventually, expect, test, run
from varlink import Watcher

PROXY = "iio-sensor-proxy.service"
SENSOR_PROXY = Path("/vm/orientationd-sensorproxy.deb")


class Desktop:
    """A client of net.hadess.SensorProxy, such as a desktop."""

    def __init__(self, *options: str) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.file = Path(self.folder.name, "monitor-sensor")
        with open(self.file, "w") as output:
            self.process = subprocess.Popen(["stdbuf", "-oL", "monitor-sensor", *options], stdout=output, stderr=output)

    def wait_for(self, orientation: str) -> None:
        self.require(orientation, lambda: self.last == orientation)

    def wait_for_text(self, text: str) -> None:
        self.require(text, lambda: text in self.output)

    def require(self, what: str, condition: Callable[[], bool]) -> None:
        try:
            eventually(what, condition)
        except TestFailure as failure:
            raise TestFailure(f"monitor-sensor: {failure}; output:\n{self.output}") from failure

    @property
    def output(self) -> str:
        return self.file.read_text()

    @property
    def last(self) -> str:
        values = re.findall(r"orientation(?: changed)?: ([a-z-]+)", self.output)
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


def is_installed(package: str) -> bool:
    return run("dpkg-query", "--show", "--showformat=${db:Status-Status}", package, check=False) == "installed"


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


@test("orientationd-sensorproxy replaces iio-sensor-proxy")
def desktops() -> str:
    install_neighbours()
    policy = Path("/etc/dbus-1/system.d/net.hadess.SensorProxy.conf")
    run("apt-get", "install", "--yes", str(SENSOR_PROXY))
    try:
        expect(not is_installed("iio-sensor-proxy"), "iio-sensor-proxy is installed")
        # Of the trixie package it is no conffile.
        remains = policy.exists()
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
        run("apt-get", "install", "--yes", "iio-sensor-proxy")
        run("systemctl", "mask", "--runtime", "--now", PROXY)
    expect(not is_installed("orientationd-sensorproxy"), "orientationd-sensorproxy is installed")
    expect("--dbus" not in service.show("ExecStart"), "the service still serves desktops")
    return f"udev started it, monitor-sensor received every turn{', beside the former policy' if remains else ''}; and back"
