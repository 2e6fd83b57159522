#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the daemon costs beside iio-sensor-proxy: memory, threads, wake-ups, CPU and the time until it is ready.

    Benchmarks/footprint.py [FOLDER]     FOLDER has the release build; make build

Both run in the same minute on the same emulated chip (umockdev), each as its users have it: first with nobody listening,
then with one client while the chip lies still and while it is turned every half second. Needs Debian's iio-sensor-proxy, umockdev, dbus and socat. Wake-ups are voluntary context switches
of all threads, and CPU is what the scheduler counted for them, from /proc; memory is from smaps_rollup; a client's own
is not counted. The daemon counts its readings itself; iio-sensor-proxy makes one every 0.7 seconds.
With Linux's perf, instructions are counted too, a program's own and the kernel's for it: unlike times they are the same on a
busy machine. Part of its own are umockdev's, which stands before every call for a file.
"""
import contextlib
import json
import os
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

CHIP = """\
P: /devices/platform/chip0
E: SUBSYSTEM=platform

P: /devices/platform/chip0/iio:device0
N: iio:device0
E: DEVNAME=/dev/iio:device0
E: DEVTYPE=iio_device
E: SUBSYSTEM=iio
E: ACCEL_MOUNT_MATRIX=-1, 0, 0; 0, -1, 0; 0, 0, -1
E: IIO_SENSOR_PROXY_TYPE=iio-poll-accel
A: name=kxcjk1013\\n
A: in_accel_x_raw=0\\n
A: in_accel_y_raw=1024\\n
A: in_accel_z_raw=0\\n
A: in_accel_scale=0.009582\\n
A: in_accel_x_scale=0.009582\\n
A: sampling_frequency=25\\n
"""
BUS = """\
<busconfig><type>system</type><listen>unix:path={}</listen><policy context="default">
<allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/><allow user="*"/></policy></busconfig>
"""
PROXY = next((p for p in ("/usr/libexec/iio-sensor-proxy", "/usr/sbin/iio-sensor-proxy") if os.path.exists(p)), None)
SPAN = 10.0
STARTS = 15


def measure(pid):
    """Memory in KiB, threads, and the context switches and CPU seconds so far, of a process."""
    rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    size = {key: int(re.search(rf"^{key}:\s+(\d+)", rollup, re.M)[1]) for key in ("Rss", "Anonymous")}
    tasks = list(pathlib.Path(f"/proc/{pid}/task").iterdir())
    switches = sum(
        int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text(), re.M)[1]) for task in tasks)
    cpu = sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9
    return size["Rss"], size["Anonymous"], len(tasks), switches, cpu


def instructions(pid, seconds):
    """Waits, and counts the instructions of a process meanwhile: its own, and the kernel's; none without perf."""
    if not shutil.which("perf"):
        time.sleep(seconds)
        return float("nan"), float("nan")
    counts = subprocess.run(
        ["perf", "stat", "-x,", "-e", "instructions:u,instructions:k", "-p", str(pid), "sleep", str(seconds)],
        env=os.environ | {"LD_PRELOAD": ""}, capture_output=True, text=True).stderr
    own, kernels = (re.search(rf"^(\d+),,instructions:{ring}", counts, re.M) for ring in "uk")
    return (int(own[1]), int(kernels[1])) if own and kernels else (float("nan"), float("nan"))


def observe(name, phase, pid, readings=None):
    """Prints a row; `readings` counts them. Returns anonymous memory, and per reading the CPU microseconds and the
    instructions."""
    time.sleep(2)  # what happens at the start of a phase is not the phase
    count = readings() if readings else 0
    *_, switches, cpu = measure(pid)
    began = time.monotonic()
    own, kernels = instructions(pid, SPAN)
    rss, anonymous, threads, after, spent = measure(pid)
    took = time.monotonic() - began
    number = max(readings() - count, 1) if readings else float("nan")
    each = (spent - cpu) * 1e6 / number
    print(f"{name:18} {phase:10} {rss:7} {anonymous:7} {threads:7} {(after - switches) / took:9.1f}"
          f" {(spent - cpu) * 1e3 / took:9.2f} {each:10.0f} {own / number / 1e3:9.1f} {kernels / number / 1e3:9.1f}")
    return anonymous, each, (own + kernels) / number


def samples_of(folder):
    """How many samples the daemon has read, as it counts them."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(f"{folder}/socket")
        client.sendall(b'{"method":"org.orientationd.Control.Status"}\0')
        reply = b""
        while not reply.endswith(b"\0"):
            reply += client.recv(65536)
    return json.loads(reply[:-1])["parameters"]["samples"]


@contextlib.contextmanager
def turning():
    """Turns the chip by a quarter twice a second."""
    chip = pathlib.Path(os.environ["UMOCKDEV_DIR"], "sys/devices/platform/chip0/iio:device0")
    done = threading.Event()

    def turn():
        poses = ((0, 1024), (1024, 0))
        while not done.wait(0.5):
            for axis, value in zip("xy", poses[0]):
                # In place: a reader has the file open.
                with open(chip / f"in_accel_{axis}_raw", "r+") as file:
                    file.write(f"{value:<5}\n")
            poses = poses[::-1]

    thread = threading.Thread(target=turn)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def start_ours(folder, programs):
    notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notify.bind(f"{folder}/notify")
    began = time.perf_counter()
    process = subprocess.Popen(
        [f"{programs}/orientationd", "--socket", f"{folder}/socket", "--log-level", "error"],
        env=os.environ | {"NOTIFY_SOCKET": f"{folder}/notify"})
    notify.recv(4096)
    took = time.perf_counter() - began
    notify.close()
    os.unlink(f"{folder}/notify")
    return process, took


def start_proxy(folder):
    """Ready is when it has its name on the bus."""
    watch = subprocess.Popen(
        ["dbus-monitor", "--address", f"unix:path={folder}/bus",
         "type='signal',member='NameOwnerChanged',arg0='net.hadess.SensorProxy'"],
        stdout=subprocess.PIPE, text=True)
    time.sleep(0.3)
    began = time.perf_counter()
    process = subprocess.Popen([PROXY], stderr=subprocess.DEVNULL)
    for line in watch.stdout:
        if '"net.hadess.SensorProxy"' in line:
            break
    took = time.perf_counter() - began
    watch.kill()
    return process, took


def in_machine(programs):
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "bus.conf").write_text(BUS.format(f"{folder}/bus"))
        bus = subprocess.Popen(
            ["dbus-daemon", "--nofork", "--config-file", f"{folder}/bus.conf"], stderr=subprocess.DEVNULL)
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={folder}/bus"
        time.sleep(0.5)
        print(f"{'':18} {'':10} {'RSS':>7} {'anon':>7} {'threads':>7} {'wakes/s':>9} {'CPU ms/s':>9} {'µs/reading':>10}"
              f" {'own':>9} {'kernel':>9}   (memory in KiB; thousands of instructions per reading)")

        ours, _ = start_ours(folder, programs)
        ours_idle, *_ = observe("orientationd", "idle", ours.pid)
        call = b'{"method":"org.orientationd.Orientation.Monitor","more":true}\0'
        client = subprocess.Popen(
            ["socat", "-t", "60", "-", f"UNIX-CONNECT:{folder}/socket"], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL)
        client.stdin.write(call)
        client.stdin.flush()
        ours_busy, ours_still, ours_counted = observe("orientationd", "still", ours.pid, lambda: samples_of(folder))
        with turning():
            observe("orientationd", "turned", ours.pid, lambda: samples_of(folder))
        client.kill()
        ours.terminate()
        ours.wait()

        proxy, _ = start_proxy(folder)
        proxy_idle, *_ = observe("iio-sensor-proxy", "idle", proxy.pid)
        client = subprocess.Popen(["monitor-sensor"], stdout=subprocess.DEVNULL)
        proxy_busy, proxy_still, proxy_counted = observe("iio-sensor-proxy", "still", proxy.pid, lambda: time.monotonic() / 0.7)
        with turning():
            observe("iio-sensor-proxy", "turned", proxy.pid, lambda: time.monotonic() / 0.7)
        client.kill()
        proxy.terminate()
        proxy.wait()
        print(f"anonymous memory, ours : theirs: idle {ours_idle / proxy_idle:.2f}, one client {ours_busy / proxy_busy:.2f}")
        print(f"while still, per reading, ours : theirs: CPU {ours_still / proxy_still:.2f}, instructions {ours_counted / proxy_counted:.2f}")

        times = {"orientationd": [], "iio-sensor-proxy": []}
        for _ in range(STARTS):
            for name, start in (("orientationd", lambda: start_ours(folder, programs)),
                                ("iio-sensor-proxy", lambda: start_proxy(folder))):
                process, took = start()
                times[name].append(took * 1000)
                process.terminate()
                process.wait()
        for name, taken in times.items():
            print(f"{name:18} ready after {statistics.median(taken):5.1f} ms (median of {STARTS}; {min(taken):.1f} to {max(taken):.1f})")
        bus.terminate()


def main():
    programs = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".build/release")
    if not PROXY:
        sys.exit("footprint: iio-sensor-proxy is not installed (apt-get install iio-sensor-proxy)")
    if "UMOCKDEV_DIR" in os.environ:
        return in_machine(programs)
    size = os.path.getsize(f"{programs}/orientationd")
    print(f"orientationd is {size / 1e6:.1f} MB before stripping")
    with tempfile.NamedTemporaryFile("w", suffix=".umockdev") as chip:
        chip.write(CHIP)
        chip.flush()
        sys.exit(subprocess.call(["umockdev-run", "-d", chip.name, "--", sys.executable, __file__, programs]))


if __name__ == "__main__":
    main()
