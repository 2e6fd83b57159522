# SPDX-License-Identifier: Apache-2.0
"""The programs that are measured, on an emulated machine: umockdev's devices, and a system bus of their own."""
import contextlib
import itertools
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading
import time

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import UMockdev  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
POLKIT = ROOT / "Tests/Programs/EndToEndTests/Python/polkit.py"
# The directory of Debian 13 in which `make -C Tests/System sensor-proxy-test` builds iio-sensor-proxy.
DEBIAN = ROOT / ".build/sensor-proxy/root"
BUS = """\
<busconfig><type>system</type><listen>unix:path={}</listen><policy context="default">
<allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/><allow user="*"/></policy></busconfig>
"""
# In seconds.
TIMEOUT = 20

DEVICE = "/devices/platform/chip0/iio:device0"
POLLED = f"""\
P: {DEVICE}
N: iio:device0
E: DEVNAME=/dev/iio:device0
E: DEVTYPE=iio_device
E: SUBSYSTEM=iio
E: ACCEL_MOUNT_MATRIX=-1, 0, 0; 0, -1, 0; 0, 0, -1
E: IIO_SENSOR_PROXY_TYPE=iio-poll-accel
A: name=kxcjk1013\\n
A: in_accel_x_raw=      0\\n
A: in_accel_y_raw=   1024\\n
A: in_accel_z_raw=      0\\n
A: in_accel_scale=0.009582\\n
A: sampling_frequency=25\\n
"""
CHANNELS = [("accel_x", "s16/32>>0"), ("accel_y", "s16/32>>0"), ("accel_z", "s16/32>>0"), ("timestamp", "s64/64>>0")]
CAPTURED = (
    # The node is a FIFO.
    POLLED.replace("N: iio:device0\n", "").replace("iio-poll-accel", "iio-buffer-accel")
    + "".join(
        f"A: scan_elements/in_{name}_en=0\\n\n"
        f"A: scan_elements/in_{name}_index={index}\\n\n"
        f"A: scan_elements/in_{name}_type=le:{kind}\\n\n"
        for index, (name, kind) in enumerate(CHANNELS))
    + """\
A: buffer/enable=0\\n
A: buffer/length=2\\n
A: buffer/watermark=1\\n
A: trigger/current_trigger=kxcjk1013-dev0\\n
A: current_timestamp_clock=realtime\\n

P: /devices/trigger0
E: SUBSYSTEM=iio
A: name=kxcjk1013-dev0\\n
""")
# Three axes of 16 bits in 32-bit slots, and a time.
SCAN = struct.Struct("<iii4xq")
# The raw values of x and y, and the words of both programs, in two poses 90° apart.
POSES = [(0, 1024, '"orientation":"portrait"', ": normal"), (1024, 0, '"orientation":"landscapeLeft"', ": right-up")]


@contextlib.contextmanager
def running(*command, **options):
    """Run a program, and end it."""
    with subprocess.Popen([str(word) for word in command], **options) as process:
        try:
            yield process
        finally:
            process.terminate()


@contextlib.contextmanager
def bus():
    """Run a system bus; yields its address."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        address = f"unix:path={folder}/bus"
        pathlib.Path(folder, "bus.conf").write_text(BUS.format(f"{folder}/bus"))
        for command in (
            ["dbus-daemon", "--nofork", "--print-address", "--config-file", f"{folder}/bus.conf"],
            ["/usr/bin/python3", POLKIT, "allow"],
        ):
            process = stack.enter_context(running(
                *command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                env=os.environ | {"DBUS_SYSTEM_BUS_ADDRESS": address}))
            # The line says that it is ready.
            if not process.stdout.readline():
                sys.exit(f"bench: {command[0]}: cannot start; start it to see why: {' '.join(map(str, command))}")
        yield address


@contextlib.contextmanager
def emulated(description):
    """Emulate a machine with this chip, with a system bus; yields a folder for sockets."""
    bed = UMockdev.Testbed.new()
    bed.add_from_string(description)
    os.environ["UMOCKDEV_DIR"] = bed.get_root_dir()
    with tempfile.TemporaryDirectory() as folder, bus() as address:
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = address
        yield folder


class Follower:
    """The last line with an orientation of a client program."""

    def __init__(self, process):
        self.process = process
        self.has_line = threading.Condition()
        self.line, self.received = "", 0.0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            if "orientation" not in line:
                continue
            with self.has_line:
                self.line, self.received = line, time.monotonic()
                self.has_line.notify()

    def wait(self, word):
        """Wait for a line with this word; return when it was received."""
        with self.has_line:
            if not self.has_line.wait_for(lambda: word in self.line, TIMEOUT):
                sys.exit(f"bench: {self.process.args[-1]}: timed out waiting for {word}; the last line is {self.line}")
            return self.received


@contextlib.contextmanager
def following(*command, **options):
    """Run a client program; yields its `Follower`."""
    with running(*command, stdout=subprocess.PIPE, text=True, **options) as process:
        yield Follower(process)


@contextlib.contextmanager
def orientationd(build, folder, *options, **environment):
    """Run the daemon; yields its process when its socket exists."""
    path = pathlib.Path(folder, "socket")
    with running(
        build / "orientationd", "--socket", path, "--state-directory", folder, "--log-level", "error", *options,
        **environment
    ) as process:
        end = time.monotonic() + TIMEOUT
        while not path.exists():
            if process.poll() is not None or time.monotonic() > end:
                sys.exit("bench: orientationd: cannot start; its messages are above")
            time.sleep(0.01)
        yield process
    path.unlink(missing_ok=True)


@contextlib.contextmanager
def simulated(build, folder):
    """Run the daemon with a simulated device at rest; yields the environment of programs without umockdev."""
    environment = {name: value for name, value in os.environ.items() if name not in ("LD_PRELOAD", "UMOCKDEV_DIR")}
    with orientationd(build, folder, "--sensor", "fake:", "--natural-orientation", "portrait", "--connections-per-user", "200",
                      env=environment):
        simulate(build, folder, "portrait", environment)
        yield environment


def simulate(build, folder, pose, environment):
    """Turn the simulated device."""
    command = build / "orientationctl", "simulate", "turn", pose, "--socket", f"{folder}/socket"
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)


def watch(build, folder):
    """Run a client of the daemon."""
    return following(build / "orientationctl", "watch", "--json", "--socket", f"{folder}/socket")


def in_debian(name):
    """Return the command that starts a built program of iio-sensor-proxy with the libraries of its Debian."""
    libraries = next(DEBIAN.glob("usr/lib/*-linux-gnu"))
    return next(libraries.glob("ld-linux*.so.*")), "--library-path", libraries, DEBIAN / "suite/build/src" / name


def sensor_proxy():
    """Run iio-sensor-proxy."""
    # The modules of this machine need its libraries.
    environment = os.environ | {"GIO_MODULE_DIR": "/nonexistent"}
    return running(*in_debian("iio-sensor-proxy"), stderr=subprocess.DEVNULL, env=environment)


def monitor_sensor(**options):
    """Run the client of iio-sensor-proxy."""
    return following(*in_debian("monitor-sensor"), "--accel", **options)


def hold(pose):
    """Hold the polled chip in a pose."""
    for axis, value in zip("xyz", pose):
        # In place and with constant length, as in the kernel: no reader sees a partial number.
        with open(f"{os.environ['UMOCKDEV_DIR']}/sys{DEVICE}/in_accel_{axis}_raw", "r+b", buffering=0) as file:
            file.write(b"%7d\n" % value)


@contextlib.contextmanager
def repeated(interval, step):
    """Call a function with 0, 1, 2 … at an interval in seconds, on another thread."""
    done = threading.Event()
    began = time.monotonic()

    def run():
        for number in itertools.count():
            if done.wait(max(0, began + number * interval - time.monotonic())):
                return
            step(number)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@contextlib.contextmanager
def scanning(hertz):
    """Write scans of the captured chip to its node; yields the function that holds it in a pose."""
    path = f"{os.environ['UMOCKDEV_DIR']}/dev/iio:device0"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    os.mkfifo(path)
    # What iio-sensor-proxy opens instead of the node under umockdev.
    os.link(path, f"{os.environ['UMOCKDEV_DIR']}/iio-dev-data.bin")
    node = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    pose = list(POSES[0][:2])

    def hold(values):
        pose[:] = values

    def write(_):
        with contextlib.suppress(BlockingIOError):  # as in the kernel, a scan that does not fit is lost
            os.write(node, SCAN.pack(*pose, 0, time.clock_gettime_ns(time.CLOCK_BOOTTIME)))

    with repeated(1 / hertz, write):
        yield hold
    os.close(node)
