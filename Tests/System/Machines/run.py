#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compare the programs with what the files in `machines` expect, each on an emulated machine.

    run.py PROGRAMS [NAME...]    PROGRAMS has the built programs; NAME is a file without `.toml`

umockdev emulates the sensors. Each machine has a daemon, `orientationctl sensors`, `status` and `doctor`, and an agent with
--dry-run on an X server. Prints each difference with its file and line. Exit status 1 if there is one."""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import queue
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Scripts"))

import machines  # noqa: E402

SHIM = ROOT / "Tests/Programs/EndToEndTests/Native/umockdev-signals.c"
# In seconds: to reach a state, and to remain without one.
TIMEOUT, QUIET = 15.0, 2.0
# Most of its time a machine waits.
WORKERS = 2 * (os.cpu_count() or 1)
# The checks of the doctor that depend on the machine alone.
CHECKS = {"devices", "drivers", "properties", "matrix", "tabletMode", "lid"}


class Emulation:
    """A machine with a daemon in it, in a process under umockdev-wrapper."""

    def __init__(self, machine, programs, folder):
        import gi
        gi.require_version("UMockdev", "1.0")
        from gi.repository import UMockdev

        self.machine, self.programs, self.folder, self.started = machine, programs, folder, []
        self.expected = machine.data["expected"]
        self.bed = UMockdev.Testbed.new()
        self.root = pathlib.Path(self.bed.get_root_dir())
        self.pipes = {}
        for device in machine.devices():
            self.bed.add_from_string(device.describe())
            if device.node and device.subsystem in ("iio", "input"):
                self.add_node(device)
        machine.write_surroundings(self.root)

    def add_node(self, device):
        node = self.root / "dev" / device.node
        node.parent.mkdir(parents=True, exist_ok=True)
        node.unlink(missing_ok=True)
        os.mkfifo(node)
        self.pipes[device.name] = os.open(node, os.O_RDWR | os.O_NONBLOCK)
        if device.subsystem == "input":
            entry = self.machine.data["input"][int(device.name.removeprefix("event"))]
            # SW_TABLET_MODE is bit 1: folded back.
            lines = ["EVIOCGSW 8 0200000000000000"] if entry.get("switches") == "2" else [
                f"EVIOCGABS{f'({axis})' if axis else ''} 0 {struct.pack('<6i', value, -32768, 32767, 0, 0, 16384).hex().upper()}"
                for axis, value in enumerate(self.scaled("top", 16384))]
            file = self.folder / device.name
            file.write_text(f"@DEV /dev/{device.node}\n" + "\n".join(lines) + "\n")
            self.bed.load_ioctl(f"/dev/{device.node}", str(file))

    def scaled(self, edge, unit):
        return [round(value * unit) for value in self.expected.get("up", {}).get(edge, [0, 0, 1])]

    def start(self, program, *words, **options):
        environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "SWIFT_BACKTRACE": "enable=no", "TMPDIR": str(self.folder),
                       "UMOCKDEV_DIR": str(self.root), "LD_PRELOAD": os.environ["LD_PRELOAD"], **options.pop("environment", {})}
        process = subprocess.Popen(
            [self.programs / program, *words], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=open(self.folder / program, "ab"), text=True, **options)
        self.started.append(process)
        return process

    def run_daemon(self):
        shim, self.socket = os.environ["ORIENTATIOND_SHIM"], self.folder / "socket"
        self.start("orientationd", "--socket", self.socket, "--state-directory", self.folder,
                   environment={"LD_PRELOAD": f"{shim}:{os.environ['LD_PRELOAD']}"})
        end = time.monotonic() + TIMEOUT
        # The socket appears before the daemon listens.
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as probe:
            while probe.connect_ex(str(self.socket)) != 0 and time.monotonic() < end:
                time.sleep(0.02)

    def tool(self, *words):
        run = subprocess.run([self.programs / "orientationctl", "--socket", self.socket, *words], capture_output=True, text=True,
                             env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder)}, timeout=60, check=False)
        if not run.stdout.strip():
            raise RuntimeError(f"{words}: {run.stderr}")
        return json.loads(run.stdout)

    def hold(self, edge):
        """Hold the machine in a pose."""
        sensor = self.expected.get("sensor", "")
        if sensor.startswith("event"):
            for axis, value in enumerate(self.scaled(edge, 16384)):
                os.write(self.pipes[sensor], struct.pack("<qqHHi", 0, 0, 3, axis, value))
            os.write(self.pipes[sensor], struct.pack("<qqHHi", 0, 0, 0, 0, 0))
        if not sensor.startswith("iio"):
            return
        index = int(sensor.removeprefix("iio:device"))
        device = self.machine.data["iio"][index]
        scale = float(device["attributes"].get("in_accel_scale", "0.009582"))
        values = self.scaled(edge, 9.80665 / scale)
        folder = self.root / f"sys/devices/{device.get('path', f'platform/chip{index}')}/{sensor}"
        for axis, value in zip("xyz", values, strict=True):
            # In place: readers keep the file open, and must not read it empty.
            with open(folder / f"in_accel_{axis}_raw", "r+") as file:
                file.write(f"{value}\n")
                file.truncate()
        if "trigger" in device:
            with contextlib.suppress(BlockingIOError):
                os.write(self.pipes[sensor], struct.pack("<4iq", *values, 0, time.clock_gettime_ns(time.CLOCK_BOOTTIME)))

    def wait(self, objects, pose, is_right, timeout=TIMEOUT):
        """Hold a pose, and return the first object that is right; None after the timeout."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            self.hold(pose)
            with contextlib.suppress(queue.Empty):
                while not is_right(found := objects.get(timeout=0.1)):
                    pass
                return found
        return None

    def lines(self, process):
        """A queue of the objects that a process prints, a line each."""
        found = queue.Queue()

        def read():
            for line in process.stdout:
                found.put(json.loads(line))

        threading.Thread(target=read, daemon=True).start()
        return found

    def poses(self):
        """The poses of `expected.up` that the state shows while they are held."""
        states = self.lines(self.start("orientationctl", "--socket", self.socket, "watch", "--json"))
        limit = QUIET if "up" in self.machine.data.get("known", {}) else TIMEOUT
        return [pose for pose in self.expected["up"] if self.wait(
            states, pose, lambda state, pose=pose: pose in (state.get("panelEdge"), state.get("orientation")), limit)]

    def mode(self):
        """What decides between tablet and laptop, and its name, as the state and the agent show it."""
        names = [entry["name"] for entry in self.machine.data.get("input", []) if entry.get("switches") == "2"]
        if names and self.tool("status", "--json").get("tabletMode") is not None:
            return {"mode": ["switch"], "because": names}
        ambient = self.tool("sensors", "--ambient", "--json").get("sensors", [])
        if hinges := [it["name"] for it in ambient if it["kind"] == "hinge" and it["chosen"]]:
            return {"mode": ["lid angle"], "because": hinges}
        if not self.expected.get("up"):
            return {}
        read, write = os.pipe()
        self.started.append(subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "640x400x24", "-nolisten", "tcp"], pass_fds=(write,),
            stderr=subprocess.DEVNULL))
        events = self.lines(self.start(
            "orientation-autorotate", "--dry-run", "--json", "--output", "screen", "--socket", self.socket,
            environment={"DISPLAY": ":" + os.read(read, 16).decode().strip()}))
        event = self.wait(events, "bottom", lambda event: event.get("event") in ("rotated", "laptop"))
        names = {"rotated": "tablet", "laptop": "laptop"}
        return {"mode": [names[event["event"]]] if event else [], "because": [event["message"]] if event else []}

    def conclusions(self):
        """What follows, by the keys of `expected`."""
        self.run_daemon()
        self.hold("top")
        sensors = self.tool("sensors", "--json")
        chosen = next((sensor for sensor in sensors if sensor["chosen"]), {})
        reasons = [sensor["why"] for sensor in ([chosen] if chosen else sensors)]
        status = self.tool("status", "--json")
        # The emulated machine has the device of the DSP, and no core: the daemon looks for one.
        absent = "ssc" if "sensor core (" in (status.get("reason") or "") else "none"
        found = {"sensor": [chosen.get("id", absent)], "why": reasons, "matrix": [chosen.get("matrixSource", "none")],
                 "reading": ["captured" if "captured from its buffer" in reasons[0] else "polled"] if reasons else [],
                 "natural": [chosen.get("natural") or status.get("natural")]}
        if chosen.get("id") == self.expected.get("sensor") and "up" in self.expected:
            found["up"] = self.poses()
        if "mode" in self.expected:
            found |= self.mode()
        findings = self.tool("doctor", "--sysroot", self.root, "--json")["findings"]
        found["doctor"] = [f"{it['check']} {it['level']}: {it['summary']}" for it in findings
                           if it["check"] in CHECKS and it["level"] != "ok"]
        return found

    def end(self):
        for process in reversed(self.started):
            process.terminate()
        for process in self.started:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()


def emulate(file, programs):
    """In a process of its own: print the differences of a machine."""
    with tempfile.TemporaryDirectory(prefix="od-") as folder:
        emulation = Emulation(machines.Machine(pathlib.Path(file)), pathlib.Path(programs), pathlib.Path(folder))
        try:
            print(*emulation.machine.differences(emulation.conclusions()), sep="\n", end="")
        finally:
            emulation.end()


def run(file, programs, shim):
    process = subprocess.run(
        ["umockdev-wrapper", "/usr/bin/python3", __file__, "--emulate", file, programs], capture_output=True, text=True,
        env={**os.environ, "ORIENTATIOND_SHIM": shim}, timeout=300, check=False)
    return f"{file}: {process.stderr.strip()[-2000:]}" if process.returncode else process.stdout.strip()


def main(programs, names):
    found, errors = machines.load()
    files = [str(machines.FOLDER / machine.file) for machine in found if not names or machine.file.removesuffix(".toml") in names]
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="od-") as folder, concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        shim = f"{folder}/umockdev-signals.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, SHIM, "-ldl"], check=True)
        for text in pool.map(lambda file: run(file, programs, shim), files):
            errors += text.splitlines()
    print(*errors, f"{len(files)} machines, {len(errors)} differences, {time.monotonic() - began:.0f} s", sep="\n")
    return int(bool(errors))


if __name__ == "__main__":
    if sys.argv[1] == "--emulate":
        emulate(*sys.argv[2:])
    else:
        sys.exit(main(sys.argv[1], sys.argv[2:]))
