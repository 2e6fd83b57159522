# SPDX-License-Identifier: Apache-2.0
"""The services that the library follows, a private system bus, and the program that is tested."""
import contextlib
import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("ORIENTATION_BUILD") or ROOT / ".build/library")
PROGRAMS = ROOT / ".build/debug"
# The program that is tested, with the library beside it, or else that of BUILD.
DRIVER = BUILD / (os.environ.get("ORIENTATION_DRIVER") or "driver")
LIBRARIES = DRIVER.parent if (DRIVER.parent / "liborientation.so.0").exists() else BUILD
POLKIT = ROOT / "Tests/Programs/EndToEndTests/Python/polkit.py"
VALGRIND = os.environ.get("ORIENTATION_VALGRIND") == "1"
# In seconds; a passing test never waits for it.
TIMEOUT = 60
BUS = """\
<busconfig><type>system</type><listen>unix:path={}</listen><policy context="default">
<allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/><allow user="*"/></policy></busconfig>
"""
DEVICE = "/devices/platform/chip0/iio:device0"
CHIP = f"""\
P: {DEVICE}
N: iio:device0
E: DEVNAME=/dev/iio:device0
E: DEVTYPE=iio_device
E: SUBSYSTEM=iio
E: IIO_SENSOR_PROXY_TYPE=iio-poll-accel
A: name=kxcjk1013\\n
A: in_accel_x_raw=      0\\n
A: in_accel_y_raw=  -1024\\n
A: in_accel_z_raw=      0\\n
A: in_accel_scale=0.009582\\n
A: sampling_frequency=25\\n
"""
# The raw values of iio-sensor-proxy's chip, which has the opposite sign, while an edge is up.
RAW = {"top": (0, -1024, 0), "left": (1024, 0, 0), "right": (-1024, 0, 0), "bottom": (0, 1024, 0)}
POSES = {"top": "portrait", "left": "landscapeRight", "right": "landscapeLeft", "bottom": "portraitUpsideDown"}
ROTATIONS = {"unknown": -1, "top": 0, "left": 90, "bottom": 180, "right": 270}


def wait(condition, what="the condition"):
    """Return the first true result of a function."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.01)
    raise AssertionError(f"timed out waiting for {what}")


def clean_environment(**more):
    """Return the environment without the variables of the library and of a session."""
    removed = ("ORIENTATION_BACKEND", "ORIENTATIOND_SOCKET", "XDG_RUNTIME_DIR", "DBUS_SYSTEM_BUS_ADDRESS")
    kept = {name: value for name, value in os.environ.items() if name not in removed}
    return kept | {"LD_LIBRARY_PATH": str(LIBRARIES)} | {name: str(value) for name, value in more.items()}


class Program:
    """A program that is ended with its test."""

    def __init__(self, test, *command, environment=None, **options):
        options.setdefault("stderr", subprocess.DEVNULL)
        self.process = subprocess.Popen([str(word) for word in command], env=environment or clean_environment(), **options)
        test.addCleanup(self.kill)

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                with contextlib.suppress(BrokenPipeError):
                    pipe.close()


class Client(Program):
    """The program with the library; its states."""
    prefix = []

    def __init__(self, test, **environment):
        command = [*self.prefix, DRIVER]
        if VALGRIND:
            command = ["valgrind", "--quiet", "--leak-check=full", "--show-leak-kinds=all", "--errors-for-leak-kinds=all",
                       "--error-exitcode=99", *command]
        super().__init__(
            test, *command, environment=clean_environment(**environment), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=sys.stderr)
        self.test, self.rest, self.state, self.states = test, b"", {}, []

    def read(self, timeout):
        """Read what the program has printed; return whether there was something."""
        if not select.select([self.process.stdout], [], [], timeout)[0]:
            return False
        data = os.read(self.process.stdout.fileno(), 65536)
        assert data, f"the client ended with {self.process.wait()}; its last state is {self.state}"
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.state = json.loads(line)
            self.states.append(self.state)
        return True

    def wait(self, reason="", **expected):
        """Return the current or the next state with these members, and this text in its reason."""
        def matches(state):
            return expected.items() <= state.items() and reason in state["reason"]
        if self.state and matches(self.state):
            return self.state
        seen = len(self.states)
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            self.read(max(0, end - time.monotonic()))
            for state in self.states[seen:]:
                if matches(state):
                    self.state = state
                    return state
            seen = len(self.states)
        raise AssertionError(f"timed out waiting for {expected}; the last state is {self.state}")

    def send(self, command):
        """Send a command; return its result."""
        count = len(self.states)
        os.write(self.process.stdin.fileno(), command.encode() + b"\n")
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            self.read(0.1)
            for state in self.states[count:]:
                if state["events"] == 0:
                    if state["result"] is None:
                        self.test.skipTest("the program lacks the command")
                    return state["result"]
        raise AssertionError(f"{command}: no result")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def is_waiting(self):
        """Return whether the library will wake the program without an event: its timer is set."""
        files = pathlib.Path(f"/proc/{self.process.pid}/fdinfo").iterdir()
        return any("clockid" in text and "it_value: (0, 0)" not in text for text in (file.read_text() for file in files))

    def wakeups(self, duration):
        """Return how often the program woke up in some seconds, once it waits for events."""
        def status():
            return pathlib.Path(f"/proc/{self.process.pid}/status").read_text()

        def count():
            # A busy machine interrupts the program, which counts as an involuntary switch.
            return next(int(line.split()[1]) for line in status().splitlines() if line.startswith("voluntary_ctxt_switches"))
        while self.read(0.5):
            pass
        wait(lambda: "S (sleeping)" in status(), "the program to sleep")
        before = count()
        time.sleep(duration)
        return count() - before

    def end(self):
        """End the program; return the longest call in seconds."""
        os.write(self.process.stdin.fileno(), b"quit\n")
        text = self.rest + self.process.stdout.read()
        status = self.process.wait(TIMEOUT)
        assert status == 0, f"the client ended with {status}: a leak or an error, see above"
        return json.loads(text.splitlines()[-1])["slowest"] / 1e6


def call(path, method, **parameters):
    """Call a Varlink method; return the reply."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))
        connection.sendall(json.dumps({"method": method, "parameters": parameters}).encode() + b"\0")
        data = b""
        while not data.endswith(b"\0"):
            data += connection.recv(65536)
    reply = json.loads(data[:-1])
    assert "error" not in reply, reply
    return reply["parameters"]


class Daemon:
    """orientationd with a simulated device."""
    backend = "varlink"
    options = ()

    def __init__(self, test, folder, bus=None):
        if not (PROGRAMS / "orientationd").exists():
            test.skipTest("orientationd was not built")
        self.test, self.folder, self.bus = test, folder, bus
        self.socket = folder / "daemon.sock"
        self.client_environment = {"ORIENTATIOND_SOCKET": self.socket}
        self.edge = "top"

    def start(self, turns=True):
        environment = clean_environment(**({"DBUS_SYSTEM_BUS_ADDRESS": self.bus} if self.bus else {}))
        self.program = Program(
            self.test, PROGRAMS / "orientationd", "--sensor", "fake:", "--natural-orientation", "portrait", "--socket",
            self.socket, "--state-directory", self.folder, "--log-level", "error", *self.options, environment=environment)
        def turned():
            try:
                self.turn(self.edge)
            except (FileNotFoundError, ConnectionRefusedError):
                return False
            return True
        wait(turned if turns else self.socket.exists, "the daemon")

    def turn(self, edge):
        self.edge = edge
        call(self.socket, "org.orientationd.Simulator.SetPose", pose=POSES[edge])

    def turn_later(self, edge):
        """Turn the device of a daemon that hangs."""
        threading.Thread(target=self.turn, args=(edge,), daemon=True).start()

    def stop(self):
        self.program.kill()
        self.socket.unlink(missing_ok=True)

    def wait_until_unused(self):
        wait(lambda: not call(self.socket, "org.orientationd.Control.Status")["subscribers"], "no subscriber")


class OwnSensorProxy(Daemon):
    """orientationd as the SensorProxy service of a private bus."""
    backend = "sensorproxy"
    options = ("--dbus",)

    def __init__(self, test, folder, bus):
        super().__init__(test, folder, bus)
        self.client_environment = {"ORIENTATIOND_SOCKET": folder / "absent.sock", "DBUS_SYSTEM_BUS_ADDRESS": bus}

    def wait_until_unused(self):
        wait(lambda: not call(self.socket, "org.orientationd.Control.Status").get("sensor"), "the sensor to be off")


class SensorProxy:
    """iio-sensor-proxy with an emulated chip, on a private bus."""
    backend = "sensorproxy"

    def __init__(self, test, folder, bus, command):
        self.test, self.folder, self.bus, self.command = test, folder, bus, command
        self.client_environment = {"ORIENTATIOND_SOCKET": folder / "absent.sock", "DBUS_SYSTEM_BUS_ADDRESS": bus}
        self.edge = "top"

    def start(self):
        (self.folder / "chip").write_text(CHIP)
        # The modules of this machine need its libraries.
        environment = clean_environment(DBUS_SYSTEM_BUS_ADDRESS=self.bus, GIO_MODULE_DIR="/nonexistent")
        self.wrapper = Program(
            self.test, "umockdev-run", "-d", self.folder / "chip", "--", *self.command, environment=environment)

        def started():
            children = pathlib.Path(f"/proc/{self.wrapper.process.pid}/task/{self.wrapper.process.pid}/children").read_text().split()
            for child in children:
                for variable in pathlib.Path(f"/proc/{child}/environ").read_bytes().split(b"\0"):
                    if variable.startswith(b"UMOCKDEV_DIR="):
                        self.child = int(child)
                        return variable.split(b"=", 1)[1].decode()
            return None
        self.root = wait(started, "umockdev-run")
        self.program = self
        self.test.addCleanup(self.stop)
        self.turn(self.edge)

    def signal(self, number):
        os.kill(self.child, number)

    def turn(self, edge):
        self.edge = edge
        for axis, value in zip("xyz", RAW[edge]):
            # In place and with constant length, as in the kernel: no reader sees a partial number.
            with open(f"{self.root}/sys{DEVICE}/in_accel_{axis}_raw", "r+b", buffering=0) as file:
                file.write(b"%7d\n" % value)

    turn_later = turn

    def wait_until_unused(self):
        """The client has closed its connection to the bus, which ends its claim."""

    def stop(self):
        if self.wrapper.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                self.signal(signal.SIGKILL)
            self.wrapper.process.wait()


class Stub:
    """A Varlink service; `answer(connection, call)` handles each call, without a call each new connection."""

    def __init__(self, test, path, answer, reads=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path, self.answer, self.reads, self.connections, self.calls = path, answer, reads, [], []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen(8)
        threading.Thread(target=self.accept, daemon=True).start()
        test.addCleanup(self.stop)

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                self.connections.append(connection)
                threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with contextlib.suppress(OSError):
            if not self.reads:
                return self.answer(connection, None)
            data = b""
            while received := connection.recv(65536):
                *messages, data = (data + received).split(b"\0")
                for message in messages:
                    call = json.loads(message)
                    self.calls.append(call)
                    self.answer(connection, call)

    def stop(self):
        self.path.unlink(missing_ok=True)
        for each in (self.listener, *self.connections):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


def send(connection, continues=True, **parameters):
    """Send a reply."""
    message = {"parameters": parameters} | ({"continues": True} if continues else {})
    connection.sendall(json.dumps(message).encode() + b"\0")


def refuse(connection, error, **parameters):
    connection.sendall(json.dumps({"error": error, "parameters": parameters}).encode() + b"\0")


def start_bus(test, folder, polkit="allow"):
    """Start a private system bus with a replacement of polkit; return its address."""
    if not POLKIT.exists():
        test.skipTest("the replacement of polkit is not in the source package")
    path = folder / "bus"
    (folder / "bus.conf").write_text(BUS.format(path))
    address = f"unix:path={path}"
    for command in (["dbus-daemon", "--nofork", "--print-address", "--config-file", folder / "bus.conf"],
                    ["/usr/bin/python3", POLKIT, polkit]):
        program = Program(
            test, *command, environment=clean_environment(DBUS_SYSTEM_BUS_ADDRESS=address), stdout=subprocess.PIPE)
        assert program.process.stdout.readline(), f"{command[0]}: cannot start"
    return address
