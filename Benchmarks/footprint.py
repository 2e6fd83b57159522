#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of the daemon, compared with iio-sensor-proxy: memory, threads, wake-ups, CPU and start-up time.

    Benchmarks/footprint.py [FOLDER]     FOLDER has the release build; make build

Both run one after the other with the same emulated chip (umockdev) in their usual configuration: first without clients,
then with one client, at rest and turned every half second. Needs Debian's iio-sensor-proxy, umockdev, dbus and socat.
Wake-ups are voluntary context switches of all threads, CPU is from schedstat, memory from smaps_rollup; clients are not
included. The daemon counts its readings; iio-sensor-proxy makes one every 0.7 seconds. With perf(1), user and kernel
instructions are counted too: they do not depend on load. Some of the user instructions are umockdev's, which intercepts
file system calls.
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
    """Return RSS and anonymous memory in KiB, threads, context switches and CPU seconds of a process."""
    rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    size = {key: int(re.search(rf"^{key}:\s+(\d+)", rollup, re.M)[1]) for key in ("Rss", "Anonymous")}
    tasks = list(pathlib.Path(f"/proc/{pid}/task").iterdir())
    switches = sum(
        int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (task / "status").read_text(), re.M)[1]) for task in tasks)
    cpu = sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9
    return size["Rss"], size["Anonymous"], len(tasks), switches, cpu


def instructions(pid, seconds):
    """Wait, and return the user and kernel instructions of a process in that time; NaN without perf."""
    if not shutil.which("perf"):
        time.sleep(seconds)
        return float("nan"), float("nan")
    counts = subprocess.run(
        ["perf", "stat", "-x,", "-e", "instructions:u,instructions:k", "-p", str(pid), "sleep", str(seconds)],
        env=os.environ | {"LD_PRELOAD": ""}, capture_output=True, text=True).stderr
    own, kernels = (re.search(rf"^(\d+),,instructions:{ring}", counts, re.M) for ring in "uk")
    return (int(own[1]), int(kernels[1])) if own and kernels else (float("nan"), float("nan"))


def observe(name, phase, pid, readings=None):
    """Print a row; `readings` returns their number. Return the anonymous memory, and the CPU microseconds and the
    instructions per reading."""
    time.sleep(2)  # excludes the start of the phase
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
    """Return the number of samples that the daemon reports."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(f"{folder}/socket")
        client.sendall(b'{"method":"org.orientationd.Control.Status"}\0')
        reply = b""
        while not reply.endswith(b"\0"):
            reply += client.recv(65536)
    return json.loads(reply[:-1])["parameters"]["samples"]


@contextlib.contextmanager
def turning():
    """Turn the chip by 90° twice per second."""
    chip = pathlib.Path(os.environ["UMOCKDEV_DIR"], "sys/devices/platform/chip0/iio:device0")
    done = threading.Event()

    def turn():
        poses = ((0, 1024), (1024, 0))
        while not done.wait(0.5):
            for axis, value in zip("xy", poses[0]):
                # In place: the daemon keeps the file open.
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


def start_daemon(folder, programs):
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
    """Start iio-sensor-proxy; it is ready when it owns its name on the bus."""
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

        daemon, _ = start_daemon(folder, programs)
        daemon_idle, *_ = observe("orientationd", "idle", daemon.pid)
        call = b'{"method":"org.orientationd.Orientation.Monitor","more":true}\0'
        client = subprocess.Popen(
            ["socat", "-t", "60", "-", f"UNIX-CONNECT:{folder}/socket"], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL)
        client.stdin.write(call)
        client.stdin.flush()
        daemon_busy, daemon_still, daemon_counted = observe("orientationd", "still", daemon.pid, lambda: samples_of(folder))
        with turning():
            observe("orientationd", "turned", daemon.pid, lambda: samples_of(folder))
        client.kill()
        daemon.terminate()
        daemon.wait()

        proxy, _ = start_proxy(folder)
        proxy_idle, *_ = observe("iio-sensor-proxy", "idle", proxy.pid)
        client = subprocess.Popen(["monitor-sensor"], stdout=subprocess.DEVNULL)
        proxy_busy, proxy_still, proxy_counted = observe("iio-sensor-proxy", "still", proxy.pid, lambda: time.monotonic() / 0.7)
        with turning():
            observe("iio-sensor-proxy", "turned", proxy.pid, lambda: time.monotonic() / 0.7)
        client.kill()
        proxy.terminate()
        proxy.wait()
        print(f"anonymous memory relative to iio-sensor-proxy: idle {daemon_idle / proxy_idle:.2f}, one client {daemon_busy / proxy_busy:.2f}")
        print(f"at rest, per reading, relative to iio-sensor-proxy: CPU {daemon_still / proxy_still:.2f}, instructions {daemon_counted / proxy_counted:.2f}")

        times = {"orientationd": [], "iio-sensor-proxy": []}
        for _ in range(STARTS):
            for name, start in (("orientationd", lambda: start_daemon(folder, programs)),
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
