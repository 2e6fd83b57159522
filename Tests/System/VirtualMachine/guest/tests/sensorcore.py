# SPDX-License-Identifier: Apache-2.0
"""The sensor core of Snapdragon machines, emulated by a process of the guest: `local=1` permits it."""

import os
import time
from pathlib import Path

import service
from core import Core
from daemon import Daemon
from harness import eventually, expect, run, test
from poses import go_through
from tests.neighbours import PROXY, SENSOR_PROXY, Desktop, install_neighbours
from usage import wakeups
from varlink import Watcher

SOURCE = "ssc:?local=1"
POLICY = "/usr/share/polkit-1/actions/org.orientationd.policy"
# The longest delay in seconds of what must follow at once.
AT_ONCE = 1.0


def cpu(process: int) -> float:
    """Return the processor time of a process in seconds."""
    words = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def share(process: int, seconds: float = 10) -> float:
    """Return the processor time that a process uses, in percent."""
    before = cpu(process)
    time.sleep(seconds)
    return (cpu(process) - before) / seconds * 100


def wait_for_reason(watcher: Watcher, words: str) -> None:
    watcher.wait(f"the reason '{words}'", lambda state: words in (state.get("reason") or ""))


@test("sensor core: poses, ends and returns")
def poses() -> str:
    with Core() as core, Daemon(SOURCE) as daemon:
        daemon.watcher.wait_for("portrait")
        found = go_through(daemon.watcher, lambda *force: setattr(core, "force", force))
        core.force = (9.8, 0.0, 0.0)
        daemon.watcher.wait_for("landscapeLeft")
        rate = wakeups(daemon.process.pid, 10)
        # Again and again: the daemon's next socket may have the number of the one before.
        for _ in range(3):
            core.stop()
            began = time.monotonic()
            daemon.watcher.wait_for("unknown")
            ended = time.monotonic() - began
            expect(ended < AT_ONCE, f"unknown {ended:.2f} s after the core was removed")
            wait_for_reason(daemon.watcher, "not started")
            core.start()
            began = time.monotonic()
            daemon.watcher.wait_for("landscapeLeft")
            returned = time.monotonic() - began
            expect(returned < AT_ONCE, f"the orientation {returned:.2f} s after the core returned")
    return f"{found} poses; unknown after {ended * 1000:.0f} ms, again after {returned * 1000:.0f} ms; {rate:.1f} wake-ups/s"


@test("sensor core: late and unavailable sensors")
def late() -> str:
    delays = []
    for core, reason in [(Core(listed=False), "no sensors yet"), (Core(available=False), "not available")]:
        with core, Daemon(SOURCE) as daemon:
            wait_for_reason(daemon.watcher, reason)
            core.appear()
            began = time.monotonic()
            daemon.watcher.wait_for("portrait")
            delays.append(time.monotonic() - began)
            expect(delays[-1] < AT_ONCE, f"{reason}: the orientation after {delays[-1]:.2f} s")
    return "the orientation " + " and ".join(f"{delay * 1000:.0f} ms" for delay in delays) + " after the sensor"


@test("sensor core: no answer")
def no_answer() -> str:
    found = 0.0
    for answers, reason in [
            ("nothing", "no reply"), ("acknowledgements", "acknowledges requests"), ("refusals", "QMI error 3")]:
        with Core(answers) as core, Daemon(SOURCE) as daemon:
            wait_for_reason(daemon.watcher, reason)
            if answers == "nothing":
                # After the change of the state the daemon looks for a sensor several times.
                time.sleep(10)
                found = share(daemon.process.pid)
                expect(found < 1, f"{found:.1f} % of a processor")
            # The next request is that of another socket.
            core.answers = "all"
            daemon.watcher.wait_for("portrait")
    return f"{found:.2f} % of a processor; the orientation follows the first answer"


@test("sensor core: garbage and silence")
def garbage() -> str:
    with Core(garbage=True) as core, Daemon(SOURCE) as daemon:
        daemon.watcher.wait_for("portrait")
        seen: list[str] = []
        end = time.monotonic() + 10
        daemon.watcher.socket.settimeout(1)
        while time.monotonic() < end:
            try:
                seen.append(daemon.watcher.receive()["state"]["orientation"])
            except TimeoutError:
                pass
        expect(set(seen) <= {"portrait"}, f"false orientations: {seen}")
        core.garbage, core.stalled = False, True
        wait_for_reason(daemon.watcher, "no reading for 5 seconds")
        core.stalled = False
        daemon.watcher.wait_for("portrait")
    return "no false orientation in 10 s; a silent sensor is opened again"


@test("sensor core: a local process is no core")
def local() -> str:
    with Daemon("ssc:") as daemon, Core():
        wait_for_reason(daemon.watcher, "local process")
        time.sleep(2)
        expect(Watcher(daemon.socket).state["orientation"] == "unknown", "it was used")
    return "ignored"


@test("sensor core: a desktop that claims before the list")
def desktop() -> str:
    install_neighbours()
    run("systemctl", "stop", PROXY)
    # polkit answers only for actions that are declared; iio-sensor-proxy of Debian 12 declares none.
    run("sh", "-c", f"dpkg-deb --fsys-tarfile {SENSOR_PROXY} | tar --extract --directory=/ .{POLICY}")
    # As mutter, it claims as soon as the name is on the bus.
    claims = Desktop("--all")
    try:
        claims.wait_for_text("Waiting")
        with Core(listed=False) as core, Daemon(SOURCE, "--dbus") as daemon:
            claims.wait_for_text("No accelerometer")
            wait_for_reason(daemon.watcher, "no sensors yet")
            core.appear()
            began = time.monotonic()
            claims.wait_for("normal")
            delay = time.monotonic() - began
            # That of Debian 12 reads the compass for geoclue's user only.
            compass = [] if "bookworm" in Path("/etc/os-release").read_text() else ["315.0"]
            for reading in ["120.0", "roximity value changed: 1", *compass]:
                claims.wait_for_text(reading)
    finally:
        claims.close()
        Path(POLICY).unlink()
    return f"the orientation {delay * 1000:.0f} ms after the list; light, proximity{', compass' if compass else ''}"


@test("sensor core: within the unit's sandbox")
def sandbox() -> str:
    command = f"[Service]\nExecStart=\nExecStart=/usr/sbin/orientationd --sensor {SOURCE}\n"
    with Core(), service.DropIn(command):
        watcher = Watcher()
        watcher.wait_for("portrait")
        status = Path(f"/proc/{service.process()}/status").read_text()
        capabilities = next(line.split()[1] for line in status.splitlines() if line.startswith("CapEff"))
        expect(int(capabilities, 16) == 0, f"capabilities: {capabilities}")
        watcher.socket.close()
    eventually("the end of the service", lambda: not service.is_active())
    return "an unprivileged service reads it"
