#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Install a Debian package in virtual machines with their own kernel, udev and systemd, and test the service there.

Prints a line for each test; exit status 1 if a test failed. With --agent, test the session agent on displays instead.
--check alone: only check that SHARES lists each test module."""

import argparse
import contextlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import image
import machine

HERE = Path(__file__).resolve().parent
# The timeout of a guest in seconds. Emulated on a busy machine, all tests take several minutes.
TIMEOUT = 3000
# The test modules of each guest. The guests run at the same time: an emulated guest uses about one processor. Each installs
# the package first; apart from that the modules are independent.
SHARES = [["life", "sensing", "displays", "rights", "remedies"],
          ["neighbours", "motion", "trouble", "folding", "sensorcore", "removal"]]

# The test modules of the session agent, and its guests: a wide and a tall panel, a wide one that is mounted sideways, and one
# with a monitor beside it. agents, desktops and keyboards do not depend on the panel.
DISPLAYS = {
    "wide": (["screens", "agents"], machine.Display(1280, 800)),
    "tall": (["screens", "desktops"], machine.Display(800, 1280)),
    "sideways": (["screens", "keyboards"], machine.Display(1280, 800, "video=Virtual-1:panel_orientation=right_side_up")),
    # The kernel takes the second output for connected.
    "two": (["outputs"], machine.Display(1280, 800, "video=Virtual-2:1024x768e", outputs=2)),
}

# The tests of an emulated guest of another architecture, after the installation.
OTHER_ARCHITECTURE = ["socket activation", "six poses of a HID sensor hub"]

# The verdicts of a guest.
PASSED = "all tests passed"
FAILED = "tests failed"


def unlisted() -> list[str]:
    """Return the test modules that are not in SHARES, and the entries of SHARES without a module."""
    files = {path.stem for path in (HERE / "guest/tests").glob("*.py")}
    screens = [module for modules, _ in DISPLAYS.values() for module in modules]
    return sorted(files ^ {"installing", *screens, *sum(SHARES, [])})


def make_upgrade(package: Path, folder: Path) -> None:
    """Make the same package with a higher version, for the tests of upgrades."""
    contents = folder / "contents"
    subprocess.run(["dpkg-deb", "--raw-extract", package, contents], check=True)
    control = contents / "DEBIAN/control"
    lines = control.read_text().splitlines()
    control.write_text("".join(
        (f"{line}+upgrade" if line.startswith("Version: ") else line) + "\n" for line in lines))
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zgzip", "-z1", "--build", contents, folder / "upgrade.deb"],
        check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(contents)


def beside(package: Path, name: str) -> Path:
    """Return another package of the same build."""
    return package.with_name(package.name.replace("orientationd_", f"{name}_"))


def prepare(place: Path, package: Path, agent: Path | None, modules: list[str], tests: list[str]) -> None:
    """Fill a guest's shared directory."""
    shared = place / "shared"
    shutil.copytree(HERE / "guest", shared)
    shutil.copy(package, shared / "orientationd.deb")
    tablet_switch = beside(package, "orientation-tablet-switch")
    if tablet_switch.is_file():
        shutil.copy(tablet_switch, shared / "orientation-tablet-switch.deb")
    shutil.copy(beside(package, "orientationd-sensorproxy"), shared / "orientationd-sensorproxy.deb")
    if agent:
        shutil.copy(agent, shared / "orientation-autorotate.deb")
        # Of no libc: this machine's can be newer than the guest's.
        subprocess.run(["clang", "-shared", "-fPIC", "-nostdlib", "-o", shared / "internal-panel.so", HERE / "internal_panel.c"],
                       check=True)
    else:
        make_upgrade(package, shared)
    (shared / "modules").write_text("\n".join(["installing", *modules]))
    (shared / "chosen").write_text("\n".join(tests))
    (shared / "kept").mkdir()


def print_report(guest: machine.Guest, end: float, is_last_try: bool = True) -> bool | None:
    """Print a guest's report until it ends; return whether all tests passed. None: the guest ended without a line, as after a
    panic of its kernel, and this is not the last try."""
    verdict = ""
    has_begun = is_last_try
    try:
        for line in guest.report(end):
            print(line, flush=True)
            has_begun = True
            # Not always the last line: messages of the guest's shutdown can follow.
            verdict = line if line == PASSED or line.endswith(FAILED) else verdict
        if not verdict:
            raise machine.GuestError("the guest ended before its tests")
    except machine.GuestError as error:
        if not has_begun:
            print(f"{error}; starting it again", flush=True)
            return None
        print(*guest.console()[-40:], f"FAILED  the guest  {error}", sep="\n", flush=True)
        return False
    return verdict == PASSED


def keep(places: list[Path], kept: Path) -> None:
    """Copy each guest's files, report and console to a directory of its own."""
    shutil.rmtree(kept, ignore_errors=True)
    for number, place in enumerate(places, 1):
        shutil.copytree(place / "shared/kept", kept / str(number))
        for name in ("report", "console.log"):
            if (place / name).exists():
                shutil.copy(place / name, kept / str(number))


def main(package: Path, cache: Path, suite: str, architecture: str, tests: list[str], agent: Path | None,
         displays: list[str]) -> int:
    began = time.monotonic()
    if architecture != "amd64":
        tests = tests or OTHER_ARCHITECTURE
    folder = image.ensure(suite, cache, architecture, has_screen=bool(agent))
    print(f"{suite}, {architecture}, {'KVM' if machine.has_kvm(architecture) else 'emulated'}", flush=True)
    if agent:
        shares = [(DISPLAYS[name][0], name, DISPLAYS[name][1]) for name in displays or DISPLAYS]
    else:
        # Chosen tests are few and of any module: one guest runs them.
        shares = [(modules, ", ".join(modules), machine.Display())
                  for modules in ([sum(SHARES, [])] if tests else SHARES)]
    kept = folder / "kept"
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as running:
        places = [Path(name, str(number)) for number in range(len(shares))]
        for place, (modules, _, _) in zip(places, shares):
            prepare(place, package, agent, modules, tests)
        end = time.monotonic() + TIMEOUT
        try:
            guests = [running.enter_context(machine.Guest(folder, place, architecture, display))
                      for place, (_, _, display) in zip(places, shares)]
            passed = []
            for number, (guest, place, (_, title, display)) in enumerate(zip(guests, places, shares), 1):
                print(f"\nguest {number} of {len(guests)}: {title}", flush=True)
                result = print_report(guest, end, is_last_try=False)
                if result is None:
                    # Emulated, a kernel sometimes panics at boot: QEMU executes code that another processor is changing.
                    guest = running.enter_context(machine.Guest(folder, place, architecture, display))
                    result = print_report(guest, end)
                passed.append(result)
        finally:
            keep(places, kept)
    print(f"\n{'all tests passed' if all(passed) else 'tests FAILED'}; "
          f"{time.monotonic() - began:.0f} s; journals and reports: {kept}")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", type=Path, help="the Debian package")
    parser.add_argument("cache", type=Path, help="the directory of the guests' images")
    parser.add_argument("suite", nargs="?", default="trixie", choices=["trixie", "bookworm"], help="which Debian")
    parser.add_argument(
        "tests", nargs="*", default=[], metavar="test", help="run only these tests or modules, after the installation")
    parser.add_argument(
        "--architecture", default="amd64", choices=list(machine.MACHINES), help="the architecture of the package and the guest")
    parser.add_argument("--agent", type=Path, help="the package of the session agent, to test it on displays")
    parser.add_argument(
        "--display", action="append", default=[], choices=list(DISPLAYS), help="test the agent on this display only")
    if wrong := unlisted():
        sys.exit(f"run.py: guest/tests and SHARES differ: {', '.join(wrong)}; list each module in one share")
    if sys.argv[1:] == ["--check"]:
        sys.exit(0)
    arguments = parser.parse_args()
    if not arguments.package.is_file():
        parser.error(f"package not found: {arguments.package}")
    # Ends the guests too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main(arguments.package, arguments.cache.resolve(), arguments.suite, arguments.architecture, arguments.tests,
                  arguments.agent, arguments.display))
