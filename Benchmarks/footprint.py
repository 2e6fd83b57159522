#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of the daemon, compared with iio-sensor-proxy: memory, threads, wake-ups, CPU and start-up time.

    Benchmarks/footprint.py [FOLDER]             FOLDER has the release build; make build
    Benchmarks/footprint.py --captured [FOLDER]  with a chip that fills a buffer, turned and at rest, instead
    Benchmarks/footprint.py --ambient [FOLDER]   with light and proximity claimed instead

Both run one after the other with the same emulated chip (umockdev) in their usual configuration: first without clients,
then with one client, at rest and turned every half second, and after it has left. Needs Debian's iio-sensor-proxy, umockdev,
dbus, socat and gcc, and Swift.
Wake-ups are voluntary context switches of all threads, CPU is from schedstat, memory from smaps_rollup; clients are not
included. The daemon counts its readings, each of which is a wake-up of its sensor thread; iio-sensor-proxy makes one every
0.7 seconds. With perf(1), system calls and
user and kernel instructions are counted too: they do not depend on load. Some of them are umockdev's, which intercepts file
system calls.

The floors of the memory are a Swift program that does nothing, with the daemon's libraries (footprint/idle.swift), the same program
after it has loaded and unloaded libiio, and with libiio's local context. Where the group that the package creates does not exist,
it is emulated in a mount namespace (unshare).

The CPU per reading at rest is the median of several phases, in which one program runs and the others are stopped (SIGSTOP): the
state of the machine changes within minutes, and then affects all of them.

The C reader (footprint/reader.c) is the floor of the CPU: it makes only the system calls of a reading, at the interval of the
daemon at rest, five times per second, while iio-sensor-proxy reads every 0.7 seconds and its figure includes other work, such
as opening the files; a wake-up costs the same for all three. With --captured, scans arrive through a FIFO; the daemon and the
C reader wake up at most ten times per second for them, the daemon less often at rest; iio-sensor-proxy reads those of 0.7 seconds
at once.
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

import commandline
import targets
from chips import AMBIENT_CHIP, CAPTURED_CHIP, CHIP, POSES, SCAN, light_changing, scanning, turning
from processes import HEADING, Resting, alternate, at_rate, measure, observe, thread_wakeups

DESKTOP = pathlib.Path(__file__).resolve().parent.parent / "Tests/EndToEndTests/Python/desktop.py"
BUS = """\
<busconfig><type>system</type><listen>unix:path={}</listen><policy context="default">
<allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/><allow user="*"/></policy></busconfig>
"""
PROXY = shutil.which("iio-sensor-proxy", path=f"{os.environ['PATH']}:/usr/libexec:/usr/sbin")
HERE = pathlib.Path(__file__).resolve().parent
# The group that the package creates.
GROUP = "orientation"
# Of the daemon at rest, in milliseconds.
REST_INTERVAL = 200
# The rates of the scans, in hertz: that to which the daemon sets a chip, and that of a chip that cannot be set.
SCAN_RATES = 10, 50
# Of the C reader, in milliseconds, for a chip that is faster, and of iio-sensor-proxy.
SCAN_INTERVAL = 100
PROXY_INTERVAL = 700
STARTS = 15
# In seconds.
START_TIMEOUT = 30


def built_reader(folder):
    """Compile the C reader, and return its path."""
    if not os.path.exists(f"{folder}/reader"):
        commandline.build("gcc", "-O2", "-o", f"{folder}/reader", HERE / "footprint/reader.c")
    return f"{folder}/reader"


def build_floors(folder, programs):
    """Compile a Swift program that does nothing, linked as the daemon is."""
    static = pathlib.Path(programs).resolve().parents[1] / "static"
    linker = (word for option in ("-z", "now", "--no-export-dynamic", "--gc-sections") for word in ("-Xlinker", option))
    commandline.build(
        "swiftc", "-O", "-swift-version", "6", "-static-stdlib", "-L", str(static), *linker, HERE / "footprint/idle.swift",
        "-o", f"{folder}/idle", "-Xlinker", "--no-as-needed", "-lsystemd", "-ljansson")


def anonymous_floors(folder):
    """Print and return the anonymous memory, in KiB, of this program: without libiio, after libiio was unloaded, and with its local
    context."""
    sizes = []
    for arguments in [], ["unloaded"], ["context"]:
        process = subprocess.Popen([f"{folder}/idle", *arguments])
        time.sleep(1)  # the program has started when it waits
        if process.poll() is not None:
            commandline.fail("footprint/idle.swift: cannot open libiio's local context; on Debian, run as root: apt-get install libiio0")
        sizes.append(measure(process.pid)[1])
        process.terminate()
        process.wait()
    print(f"anonymous memory in KiB: a Swift program that does nothing {sizes[0]}, after libiio was unloaded {sizes[1]}, and with"
          f" libiio's context {sizes[2]}", flush=True)
    return sizes


@contextlib.contextmanager
def reader(folder, *arguments):
    """Run the C reader."""
    process = subprocess.Popen([built_reader(folder), *arguments])
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def samples_of(folder):
    """Return the number of samples that the daemon reports."""
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(f"{folder}/socket")
        client.sendall(b'{"method":"org.orientationd.Control.Status"}\0')
        reply = b""
        while not reply.endswith(b"\0"):
            reply += client.recv(65536)
    return json.loads(reply[:-1])["parameters"]["samples"]


def start_daemon(folder, programs, *options):
    notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notify.bind(f"{folder}/notify")
    began = time.perf_counter()
    process = subprocess.Popen(
        [f"{programs}/orientationd", "--socket", f"{folder}/socket", "--state-directory", folder, "--log-level", "error",
         *options],
        env=os.environ | {"NOTIFY_SOCKET": f"{folder}/notify"})
    notify.settimeout(START_TIMEOUT)
    try:
        notify.recv(4096)
    except TimeoutError:
        process.kill()
        commandline.fail(f"{programs}/orientationd: not ready after {START_TIMEOUT} s; its messages are above")
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
    limit = threading.Timer(START_TIMEOUT, watch.kill)
    limit.start()
    began = time.perf_counter()
    process = subprocess.Popen([PROXY], stderr=subprocess.DEVNULL)
    is_ready = any('"net.hadess.SensorProxy"' in line for line in watch.stdout)
    took = time.perf_counter() - began
    limit.cancel()
    if not is_ready:
        process.kill()
        commandline.fail(f"{PROXY}: not on the bus after {START_TIMEOUT} s; start it with --verbose to see why")
    watch.kill()
    return process, took


@contextlib.contextmanager
def system_bus():
    """Run a private system bus; yields a folder for sockets."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "bus.conf").write_text(BUS.format(f"{folder}/bus"))
        bus = subprocess.Popen(
            ["dbus-daemon", "--nofork", "--config-file", f"{folder}/bus.conf"], stderr=subprocess.DEVNULL)
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={folder}/bus"
        time.sleep(0.5)
        try:
            yield folder
        finally:
            bus.terminate()


def ambient_in_machine(programs):
    """Compare both with a client that claims light and proximity."""
    with system_bus() as folder:
        print(HEADING)
        for name, start in (("orientationd", lambda: start_daemon(folder, programs, "--dbus")),
                            ("iio-sensor-proxy", lambda: start_proxy(folder))):
            process, _ = start()
            observe(name, "idle", process.pid)
            client = subprocess.Popen(
                ["/usr/bin/python3", DESKTOP], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
            for method in ("ClaimLight", "ClaimProximity"):
                print(json.dumps(["call", method]), file=client.stdin, flush=True)
            observe(name, "claimed", process.pid)
            with light_changing():
                observe(name, "changing", process.pid)
            client.kill()
            process.terminate()
            process.wait()


@contextlib.contextmanager
def followed_daemon(folder, process, when_left=lambda: None):
    """Run a client that follows the orientation; call `when_left` after it has left, before the process ends."""
    call = b'{"method":"org.orientationd.Orientation.Monitor","more":true}\0'
    client = subprocess.Popen(
        ["socat", "-t", "60", "-", f"UNIX-CONNECT:{folder}/socket"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    client.stdin.write(call)
    client.stdin.flush()
    try:
        yield
    finally:
        client.kill()
        client.wait()
        when_left()
        process.terminate()
        process.wait()


@contextlib.contextmanager
def followed_proxy(process, when_left=lambda: None):
    """Run a client that follows the orientation; call `when_left` after it has left, before the process ends."""
    client = subprocess.Popen(["monitor-sensor"], stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        client.kill()
        client.wait()
        when_left()
        process.terminate()
        process.wait()


def captured_in_machine(programs):
    """Compare all with a chip that fills a buffer and is turned."""
    node = f"{os.environ['UMOCKDEV_DIR']}/dev/iio:device0"
    os.makedirs(os.path.dirname(node), exist_ok=True)
    os.mkfifo(node)
    with system_bus() as folder:
        print(HEADING)
        for hertz in SCAN_RATES:
            daemon, proxy = captured_at(hertz, POSES, folder, programs)
            targets.report(
                f"captured at {hertz} Hz and turned, CPU per second relative to iio-sensor-proxy", daemon.busy / proxy.busy, 1.0)
        daemon, proxy = captured_at(SCAN_RATES[0], POSES[:1], folder, programs)
        targets.report("captured, at rest, anonymous memory relative to iio-sensor-proxy", daemon.anonymous / proxy.anonymous, 1.3)
        targets.report("captured, at rest, resident memory relative to iio-sensor-proxy", daemon.resident / proxy.resident, 1.3)


def captured_at(hertz, poses, folder, programs):
    """Print the figures of the daemon, the C reader at both intervals, and iio-sensor-proxy, while the chip delivers scans at this rate and takes these
    poses in turn; return those of the daemon and of iio-sensor-proxy."""
    phase = f"{hertz} Hz" if len(poses) > 1 else f"{hertz} Hz rest"
    with scanning(hertz, poses):
        daemon, _ = start_daemon(folder, programs)
        with followed_daemon(folder, daemon):
            daemon_figures = observe("orientationd", phase, daemon.pid, lambda: samples_of(folder))
        interval = [str(SCAN_INTERVAL)] if hertz > 1000 / SCAN_INTERVAL else []
        with reader(folder, "scans", "/dev/iio:device0", str(SCAN.size), *interval) as floor:
            floor_figures = observe("C reader", phase, floor.pid, at_rate(hertz))
        with reader(folder, "scans", "/dev/iio:device0", str(SCAN.size), str(PROXY_INTERVAL)) as late:
            late_figures = observe(f"C reader, {PROXY_INTERVAL} ms", phase, late.pid, at_rate(hertz))
        proxy, _ = start_proxy(folder)
        with followed_proxy(proxy):
            proxy_figures = observe("iio-sensor-proxy", phase, proxy.pid, at_rate(1 / 0.7))
    daemon_ratio, floor_ratio, late_ratio = (
        figures.busy / proxy_figures.busy for figures in (daemon_figures, floor_figures, late_figures))
    print(f"{phase}, CPU per second, relative to iio-sensor-proxy: orientationd {daemon_ratio:.2f}, C reader {floor_ratio:.2f},"
          f" every {PROXY_INTERVAL} ms {late_ratio:.2f}; orientationd relative to the C reader: {daemon_ratio / floor_ratio:.2f}",
          flush=True)
    return daemon_figures, proxy_figures


def in_machine(programs):
    """Compare all with a client that follows the orientation."""
    with system_bus() as folder:
        build_floors(folder, programs)
        print(HEADING, flush=True)
        files = [f"/sys/bus/iio/devices/iio:device0/in_accel_{axis}_raw" for axis in "xyz"]
        with contextlib.ExitStack() as clients:
            daemon, _ = start_daemon(folder, programs)
            idle = observe("orientationd", "idle", daemon.pid)
            clients.enter_context(followed_daemon(folder, daemon, lambda: observe("orientationd", "left", daemon.pid)))
            still = observe("orientationd", "still", daemon.pid, lambda: samples_of(folder))
            with turning():
                turned = observe("orientationd", "turned", daemon.pid, lambda: samples_of(folder))

            floor = clients.enter_context(reader(folder, "poll", str(REST_INTERVAL), *files))
            observe("C reader", "still", floor.pid, at_rate(1000 / REST_INTERVAL))
            cold = subprocess.run(
                [built_reader(folder), "cold", str(REST_INTERVAL), files[0]], check=True, capture_output=True, text=True).stdout.split()

            proxy, _ = start_proxy(folder)
            proxy_idle = observe("iio-sensor-proxy", "idle", proxy.pid)
            clients.enter_context(followed_proxy(proxy, lambda: observe("iio-sensor-proxy", "left", proxy.pid)))
            proxy_still = observe("iio-sensor-proxy", "still", proxy.pid, at_rate(1 / 0.7))
            with turning():
                observe("iio-sensor-proxy", "turned", proxy.pid, at_rate(1 / 0.7))
            daemon_each, floor_each, proxy_each = alternate([
                # Counting with a call would wake the event loop in each phase.
                Resting("orientationd", daemon, thread_wakeups(daemon.pid, "sensor")),
                Resting("C reader", floor, at_rate(1000 / REST_INTERVAL)),
                Resting("iio-sensor-proxy", proxy, at_rate(1 / 0.7))])
        swift_floor, unloaded_floor, iio_floor = anonymous_floors(folder)
        print(f"anonymous memory relative to iio-sensor-proxy: the Swift program {swift_floor / proxy_idle.anonymous:.2f}, after"
              f" libiio was unloaded {unloaded_floor / proxy_still.anonymous:.2f}, and with libiio's context {iio_floor / proxy_still.anonymous:.2f}")
        print(f"at rest, per reading, CPU relative to iio-sensor-proxy: C reader {floor_each / proxy_each:.2f};"
              f" orientationd relative to the C reader: {daemon_each / floor_each:.2f}")
        print(f"reading a file after {REST_INTERVAL} ms without work: {cold[0]} µs, and again at once: {cold[1]} µs")
        print(f"at rest, per reading, instructions relative to iio-sensor-proxy: {still.counted / proxy_still.counted:.2f}")
        targets.report("anonymous memory, idle, relative to iio-sensor-proxy", idle.anonymous / proxy_idle.anonymous, 1.1)
        targets.report("anonymous memory, one client, relative to iio-sensor-proxy", still.anonymous / proxy_still.anonymous, 1.3)
        targets.report("resident memory, idle, relative to iio-sensor-proxy", idle.resident / proxy_idle.resident, 1.3)
        targets.report("resident memory, one client, relative to iio-sensor-proxy", still.resident / proxy_still.resident, 1.3)
        targets.report("CPU per reading, at rest, relative to iio-sensor-proxy", daemon_each / proxy_each, 0.7)
        targets.report("CPU, turned twice per second", turned.busy, 2.0, " ms/s")

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


def group_command(folder):
    """Return the words of a command that runs the words after it where the group of the package exists, as after an installation:
    without it the daemon asks the name service switch, which takes memory."""
    groups = pathlib.Path("/etc/group").read_text()
    if re.search(f"^{GROUP}:", groups, re.M):
        return []
    file = pathlib.Path(folder, "group")
    file.write_text(f"{groups.rstrip()}\n{GROUP}:x:994:\n")
    user = [] if os.geteuid() == 0 else ["--map-root-user"]
    command = ["unshare", "--mount", *user, "sh", "-c", 'mount --bind "$0" /etc/group && exec "$@"', str(file)]
    if subprocess.run([*command, "true"], capture_output=True).returncode == 0:
        return command
    print(f"group {GROUP}: not found, and cannot be emulated: the daemon takes 60 KiB more; run this as root, or create the group")
    return []


MODES = {"--ambient": (AMBIENT_CHIP, ambient_in_machine), "--captured": (CAPTURED_CHIP, captured_in_machine)}


def main():
    arguments = commandline.words(__doc__, *MODES)
    options = [word for word in arguments if word in MODES][:1]
    chip, compare = MODES[options[0]] if options else (CHIP, in_machine)
    arguments = [word for word in arguments if word not in MODES]
    programs = commandline.folder(arguments)
    commandline.require("iio-sensor-proxy", "monitor-sensor", "umockdev-run", "dbus-daemon", "dbus-monitor", "socat", "gcc", "swiftc")
    if "UMOCKDEV_DIR" in os.environ:
        return compare(programs)
    size = os.path.getsize(f"{programs}/orientationd")
    print(f"orientationd is {size / 1e6:.1f} MB before stripping", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "chip.umockdev")
        file.write_text(chip)
        sys.exit(subprocess.call(
            [*group_command(folder), "umockdev-run", "-d", str(file), "--", sys.executable, __file__, *options, programs]))


if __name__ == "__main__":
    main()
