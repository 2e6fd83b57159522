#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Install the packages in directories with Debian 12 and 13: let the agent rotate a compositor, and replace iio-sensor-proxy by
orientationd-sensorproxy and back. Needs root, for chroot and mounts.

    desktops.py PACKAGES CACHE [SUITE...]    PACKAGES has the .deb files, CACHE keeps the directories

The compositor runs without a screen and without a login, with a daemon of the same user. For desktops, whose packages would
take gigabytes, apt simulates the installation on a machine that has them: no package may be removed except the replaced one.
Really swapped are the two packages beside one that depends on iio-sensor-proxy."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "Scripts"))

import debian_root  # noqa: E402

SUITES = ["bookworm", "trixie"]
DESKTOPS = ["gnome-shell", "kwin-wayland", "phosh"]
REPLACEMENT = ["orientationd", "orientationd-sensorproxy"]
AGENT = ["orientationd", "orientation-autorotate"]
PROXY = "iio-sensor-proxy"
COMPOSITORS = ["sway", "phoc", "wlr-randr"]
NEEDED = [PROXY, "libiio0", "libjansson4", "libsystemd0", "acl", "udev", "systemd", "kmod", "passwd", "polkitd", "dbus",
          # Used by the agent, and what it rotates.
          "libwayland-client0", "libxcb-randr0", "libxcb-xinput0", *COMPOSITORS]
HOOKS = [
    # apt in the directory works without a network.
    "--skip=cleanup/apt",
    f'--customize-hook=APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" apt-get --yes --download-only install {" ".join(NEEDED)}',
]
FOLDER = "swap"
DEPENDANT = "needs-sensor-proxy"


class Directory:
    """A directory with Debian."""

    def __init__(self, root: Path, suite: str) -> None:
        self.root = root
        self.suite = suite
        self.folder = root / FOLDER
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()

    def command(self, *words: object) -> list[object]:
        return ["chroot", self.root, "env", "-i", f"--chdir=/{FOLDER}", "DEBIAN_FRONTEND=noninteractive",
                *(f"{name}={value}" for name, value in debian_root.ENVIRONMENT.items()), *words]

    def run(self, *words: object) -> str:
        result = subprocess.run(self.command(*words), capture_output=True, text=True, check=False)
        if result.returncode:
            sys.exit(f"FAILED  {' '.join(map(str, words))}:\n{result.stdout[-2000:]}{result.stderr[-2000:]}")
        return result.stdout

    def simulate(self, status: str, *packages: str) -> tuple[dict[str, str], set[str]]:
        """Return the versions that apt would install on a machine with these installed packages, and what it would remove."""
        (self.folder / "status").write_text(status)
        output = self.run("apt-get", "--simulate", "-o", f"Dir::State::status=/{FOLDER}/status", "install", *packages)
        return dict(re.findall(r"^Inst (\S+) (?:\[\S+\] )?\((\S+) ", output, re.MULTILINE)), set(
            re.findall(r"^Remv (\S+) ", output, re.MULTILINE))

    def is_installed(self, package: str) -> bool:
        return "install ok installed" in subprocess.run(
            self.command("dpkg-query", "--show", "--showformat=${Status}", package), capture_output=True, text=True,
            check=False).stdout


def installed(stanzas: str) -> str:
    """Return stanzas of packages as those of installed ones."""
    return re.sub(r"^Package: .*$", r"\g<0>\nStatus: install ok installed", stanzas, flags=re.MULTILINE) + "\n"


def without(status: str, package: str) -> str:
    return "\n\n".join(it for it in status.split("\n\n") if not it.lstrip().startswith(f"Package: {package}\n")) + "\n"


def check_desktops(debian: Directory) -> str:
    base = (debian.root / "var/lib/dpkg/status").read_text()
    added, _ = debian.simulate(base, *DESKTOPS, PROXY)
    # Architectures: a version of this machine's, without its name.
    names = [f"{name.split(':')[0]}={version}" for name, version in added.items()]
    status = base + "\n" + installed(debian.run("apt-cache", "show", *names))
    for options in ([], ["--no-install-recommends"]):
        _, removed = debian.simulate(status, *options, *(f"./{name}.deb" for name in REPLACEMENT))
        if removed != {PROXY}:
            sys.exit(f"FAILED  orientationd-sensorproxy would remove {removed}")
    replacement = [subprocess.run(["dpkg-deb", "--field", debian.folder / f"{name}.deb"], capture_output=True, text=True,
                           check=True).stdout for name in REPLACEMENT]
    _, removed = debian.simulate(without(status, PROXY) + "\n" + installed("\n".join(replacement)), PROXY)
    if removed != {"orientationd-sensorproxy"}:
        sys.exit(f"FAILED  {PROXY} would remove {removed}")
    return f"{len(names)} packages of {', '.join(DESKTOPS)}: only {PROXY} is removed, and back (simulated)"


def wait_for(description: str, condition) -> None:
    end = time.monotonic() + 30
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"FAILED  timed out: {description}")
        time.sleep(0.1)


SESSION = "/run/session"
# Not 65534, which the daemon never trusts.
USER = "daemon"


def check_session(debian: Directory) -> str:
    """Install the daemon and the agent, and rotate a compositor with a simulated device."""
    # sway 1.7 reports outputs without a screen, which have no modes, as disabled.
    compositor = "phoc" if debian.suite == "bookworm" else "sway"
    debian.run("apt-get", "--yes", "install", *(f"./{name}.deb" for name in AGENT), compositor, "wlr-randr")
    folder = debian.root / SESSION[1:]
    debian.run("install", "--directory", f"--owner={USER}", "--mode=0700", SESSION)
    (folder / "sway").write_text("exec orientation-autorotate\n")
    environment = {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1", "HOME": SESSION,
                   "XDG_RUNTIME_DIR": SESSION}

    def command(*words: str) -> list[object]:
        display = next((path.name for path in folder.glob("wayland-?")), "")
        return debian.command("setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "env",
                              *(f"{name}={value}" for name, value in environment.items()),
                              *([f"WAYLAND_DISPLAY={display}"] if display else []), *words)

    def transform() -> str | None:
        output = subprocess.run(command("wlr-randr"), capture_output=True, text=True, check=False).stdout
        found = re.search(r"Transform: (\S+)", output)
        return found and found[1]

    programs = []
    with open(debian.folder / "session.log", "w") as log:
        try:
            for words in (["orientationd", "--sensor", "fake:natural=landscapeLeft"],
                          ["sway", "-c", f"{SESSION}/sway"] if compositor == "sway"
                          else ["dbus-run-session", "phoc", "--exec", "orientation-autorotate"]):
                programs.append(subprocess.Popen(command(*words), stdout=log, stderr=log, start_new_session=True))
            wait_for(f"{compositor}, see {log.name}", lambda: transform() == "normal")
            for pose, expected in (("portrait", "90"), ("landscapeLeft", "normal")):
                turn = command("orientationctl", "simulate", "turn", pose)
                wait_for("the daemon", lambda: subprocess.run(turn, capture_output=True, check=False).returncode == 0)
                wait_for(f"the transform {expected}, see {log.name}", lambda: transform() == expected)
        finally:
            for program in reversed(programs):
                # What it started, too.
                os.killpg(program.pid, signal.SIGTERM)
                program.wait()
    debian.run("apt-get", "--yes", "purge", "--auto-remove", *AGENT, compositor, "wlr-randr")
    return f"apt installs orientation-autorotate, which rotates {compositor} with the device, and back"


def check_service(debian: Directory) -> None:
    """Let the daemon's user own the name, and a user without rights read the orientation."""
    shutil.rmtree(debian.root / "run/dbus", ignore_errors=True)
    (debian.root / "run/dbus").mkdir()
    (debian.root / "run/orientationd").mkdir()
    debian.run("chown", "orientationd:", "/run/orientationd")
    socket, output = "/run/orientationd/orientationd.sock", debian.folder / "monitor"
    programs = [subprocess.Popen(debian.command("dbus-daemon", "--system", "--nofork", "--nopidfile"), stderr=subprocess.DEVNULL)]
    try:
        wait_for("the bus", (debian.root / "run/dbus/system_bus_socket").exists)
        programs.append(subprocess.Popen(debian.command(
            "setpriv", "--reuid=orientationd", "--regid=orientationd", "--clear-groups", "/usr/sbin/orientationd", "--dbus",
            "--sensor", "fake:", "--socket", socket, "--state-directory", "/run/orientationd/state"),
            stderr=subprocess.DEVNULL))
        with open(output, "w") as file:
            programs.append(subprocess.Popen(debian.command("monitor-sensor", "--accel"), stdout=file))
        wait_for("a claim by root", lambda: "Tilt changed: vertical" in output.read_text())
        debian.run("orientationctl", "simulate", "--socket", socket, "landscapeLeft")
        wait_for("a turn", lambda: "orientation changed: right-up" in output.read_text())
        value = debian.run(
            "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "busctl", "get-property", "net.hadess.SensorProxy",
            "/net/hadess/SensorProxy", "net.hadess.SensorProxy", "AccelerometerOrientation")
        if value != 's "right-up"\n':
            sys.exit(f"FAILED  a user without rights reads {value}")
    finally:
        for program in reversed(programs):
            program.terminate()
            program.wait()


def check_swap(debian: Directory) -> str:
    control = debian.folder / "contents/DEBIAN/control"
    control.parent.mkdir(parents=True)
    control.write_text(
        f"Package: {DEPENDANT}\nVersion: 1\nArchitecture: all\nMaintainer: orientationd <orientationd@localhost>\n"
        f"Depends: {PROXY} (>= 3.0)\nDescription: for a test\n")
    debian.run("dpkg-deb", "--build", "contents", f"{DEPENDANT}.deb")
    debian.run("apt-get", "--yes", "install", PROXY, f"./{DEPENDANT}.deb")
    debian.run("apt-get", "--yes", "install", *(f"./{name}.deb" for name in REPLACEMENT))
    if debian.is_installed(PROXY) or not debian.is_installed(DEPENDANT):
        sys.exit(f"FAILED  {PROXY} remains, or {DEPENDANT} does not")
    policies = list((debian.root / "etc/dbus-1/system.d").glob("net.hadess.SensorProxy.conf"))
    check_service(debian)
    debian.run("apt-get", "--yes", "install", PROXY)
    if debian.is_installed("orientationd-sensorproxy") or not debian.is_installed(DEPENDANT):
        sys.exit(f"FAILED  orientationd-sensorproxy remains, or {DEPENDANT} does not")
    debian.run("apt-get", "--yes", "purge", DEPENDANT, PROXY, *REPLACEMENT)
    beside = f" beside the policy that {PROXY} left" if policies else ""
    return f"{DEPENDANT} is kept in both directions; turns arrive over D-Bus{beside}"


def main(packages: Path, cache: Path, suites: list[str]) -> None:
    for suite in suites or SUITES:
        root = debian_root.ensure(cache / f"desktops-{suite}", suite, [name for name in NEEDED[1:] if name not in COMPOSITORS], *HOOKS)
        debian = Directory(root, suite)
        debian_root.mount(root, "proc", "dev")
        architecture = debian.run("dpkg", "--print-architecture").strip()
        for name in {*REPLACEMENT, *AGENT}:
            (package,) = packages.glob(f"{name}_*_{architecture}.deb")
            shutil.copy(package, debian.folder / f"{name}.deb")
        for check in (check_session, check_desktops, check_swap):
            print(f"passed  {suite}: {check(debian)}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    debian_root.enter_namespace()
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3:])
