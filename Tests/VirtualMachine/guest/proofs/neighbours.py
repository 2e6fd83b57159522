# SPDX-License-Identifier: Apache-2.0
"""Others that use the same hardware, and sensors that are elsewhere."""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import service
from hub import Hub
from proof import Inapplicable, Unproven, eventually, expect, proof, run
from varlink import Watcher

PROXY = "iio-sensor-proxy.service"
EXAMPLES = Path("/usr/share/doc/orientationd/examples")


class Desktop:
    """A client of net.hadess.SensorProxy, such as a desktop is."""

    def __init__(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.file = Path(self.folder.name, "monitor-sensor")
        with open(self.file, "w") as output:
            self.process = subprocess.Popen(["stdbuf", "-oL", "monitor-sensor"], stdout=output, stderr=output)

    def wait_for(self, orientation: str) -> None:
        try:
            eventually(orientation, lambda: self.last == orientation)
        except Unproven as complaint:
            raise Unproven(f"monitor-sensor: {complaint}; it said:\n{self.file.read_text()}") from complaint

    @property
    def last(self) -> str:
        told = re.findall(r"orientation(?: changed)?: ([a-z-]+)", self.file.read_text())
        return told[-1] if told else ""

    def close(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


def install_neighbours() -> None:
    """In one go, which takes an emulated machine half as long; nothing where a proof before has done it."""
    if shutil.which("monitor-sensor") and shutil.which("iiod"):
        return
    # The proof of the network runs this one itself, when there is something for it to find.
    run("systemctl", "mask", "--runtime", "iiod.service")
    # iio-sensor-proxy asks polkit who may claim its accelerometer, and Debian lets it be installed without.
    run("apt-get", "install", "--yes", "iio-sensor-proxy", "polkitd", "iiod")


def turn_both(hub: Hub, watcher: Watcher, desktop: Desktop) -> None:
    for force, theirs, ours in [((0, 9.8, 0), "normal", "portrait"), ((-9.8, 0, 0), "left-up", "landscapeRight"),
                                ((0, -9.8, 0), "bottom-up", "portraitUpsideDown")]:
        hub.hold(*force)
        watcher.wait_for(ours)
        desktop.wait_for(theirs)


@proof("iio-sensor-proxy first, then us")
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
    return "both told every turn"


@proof("us first, then iio-sensor-proxy")
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
    return "both told every turn; the buffer was given up"


@proof("started by an accelerometer, for desktops")
def desktops() -> str:
    switch = Path("/usr/sbin/orientationd-desktops")
    if not switch.exists():
        raise Inapplicable("this package does not serve desktops over D-Bus")
    # For monitor-sensor; the switch keeps the service itself out.
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
    return "monitor-sensor was told every turn, by orientationd"


@proof("the switch for desktops, where it fails")
def not_switched() -> str:
    """A unit of the machine's own in the other's place cannot be masked: nothing is half done then."""
    own = Path("/etc/systemd/system", PROXY)
    own.write_text("[Service]\nExecStart=/bin/true\n")
    try:
        run("orientationd-desktops", "on")
        raise AssertionError("it was switched on")
    except Unproven as refusal:
        line = str(refusal).splitlines()[-1]
        expect(PROXY in line, line)
    finally:
        own.unlink()
        run("systemctl", "daemon-reload")
    expect("--dbus" not in service.show("ExecStart"), "the drop-in is there")
    return f"'{line.split(': ', 1)[-1]}'; nothing was changed"


@proof("the switch for desktops, where a drop-in replaces the command")
def not_replaced() -> str:
    """A drop-in that sorts after the switch's own removes --dbus: the switch refuses before it masks iio-sensor-proxy."""
    with service.DropIn("[Service]\nExecStart=\nExecStart=/usr/sbin/orientationd --sensor auto\n"):
        try:
            run("orientationd-desktops", "on")
            raise AssertionError("it was switched on")
        except Unproven as refusal:
            line = str(refusal).splitlines()[-1]
            expect("add --dbus there" in line, line)
        expect(not Path("/etc/systemd/system", PROXY).is_symlink(), "iio-sensor-proxy is masked")
        expect("--sensor auto" in service.show("ExecStart"), "the drop-in has gone")
    expect("--dbus" not in service.show("ExecStart"), "the switch left its drop-in")
    return f"'{line.split(': ', 1)[-1]}'"


@proof("a sensor on the network: iio:ip")
def network() -> str:
    install_neighbours()
    run("systemctl", "mask", "--runtime", "--now", PROXY)
    hub = Hub()
    # As on a board, it looks for devices once, at its start.
    server = subprocess.Popen(["/usr/sbin/iiod"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        example = (EXAMPLES / "network.conf").read_text()
        with service.DropIn(example.replace("board.example", "localhost").replace("192.0.2.7", "localhost")):
            with Watcher() as watcher:
                watcher.wait_for("faceUp")
                hub.hold(9.8, 0, 0)
                watcher.wait_for("landscapeLeft")
    finally:
        server.kill()
        server.wait()
        hub.unplug()
    return "through the example drop-in, from iiod on this machine"


@proof("drop-ins for iio:usb and iio:serial")
def other_places() -> str:
    service.DROPINS.mkdir(parents=True)
    for name in ("usb.conf", "serial.conf"):
        shutil.copy(EXAMPLES / name, service.DROPINS)
    try:
        complaints = run("systemd-analyze", "verify", "--man=no", service.UNIT)
    finally:
        shutil.rmtree(service.DROPINS)
    expect("orientationd" not in complaints, complaints)
    return "systemd-analyze verify finds no fault in the unit with them"
