#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Attack a private daemon as unprivileged users, and a session agent; check that a reference client is served.

    Tests/System/Attack/run.py DIRECTORY [ATTACK ...]     DIRECTORY has the release build

Each row has the reference client's latency in milliseconds, undisturbed and under attack (p50, p99, maximum), and the daemon's
open descriptors and memory before and after. A row passes if all calls of the reference client and of root are answered, the
daemon runs, and no descriptors or memory leak. Latency never fails a row. Needs root to change users. Exit status 1 if an
attack succeeds.
"""
import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.dont_write_bytecode = True

from attack import Outcome, Skipped  # noqa: E402
from attacks import ROWS  # noqa: E402

HERE = Path(__file__).resolve().parent
PRELOADED = HERE.parents[1] / "Programs/EndToEndTests/Native"
# The programs of the package, which `make attack` unpacks.
BROKER = "attack/dbus-broker/usr/bin"
LIBRARY, DRIVER = HERE.parents[2] / "Sources/Client/CLibrary", HERE.parents[1] / "Client/CLibraryTests/driver.c"
NATIVES = [HERE / "native/oldkernel.c", HERE / "native/seat.c", PRELOADED / "faults.c", PRELOADED / "umockdev-signals.c"]
HEADING = f"{'':44}{'undisturbed, ms':^26}{'under attack, ms':^26}{'descriptors':>13}{'KiB':>15}\n" \
    f"{'attack':44}" + f"{'p50':>7}{'p99':>9}{'worst':>10}" * 2 + f"{'before after':>13}{'before after':>15}"


def prepare(build: Path, folder: Path) -> dict[str, Path]:
    """Copy the programs to a directory that all users can read, and compile the preloaded libraries; return these by name."""
    folder.chmod(0o755)
    for name in ("orientationd", "orientationctl", "orientation-autorotate", "monitor-sensor", "liborientation.so.0"):
        shutil.copy(build / name, folder)
    if (build.parent / BROKER).exists():
        shutil.copytree(build.parent / BROKER, folder / "dbus-broker")
    subprocess.run(["cc", f"-I{LIBRARY}", "-O1", "-o", folder / "driver", DRIVER, folder / "liborientation.so.0"], check=True)
    libraries = {}
    for source in NATIVES:
        library = folder / f"{source.stem}.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
        libraries[library.name] = library
    return libraries


def line(attack, outcome: Outcome) -> str:
    text = f"{attack.name:44}"
    text += "".join(f"{measures.milliseconds() if measures else '':26}" for measures in (outcome.quiet, outcome.attacked))
    if outcome.sizes:
        before, after = outcome.sizes
        text += f"{before.descriptors:>7}{after.descriptors:>6}{before.kibibytes:>8}{after.kibibytes:>7}"
    return f"{text:124}"


def report(attack, programs: Path, natives: dict[str, Path]) -> str:
    """Run one attack and print its row; return passed, failed or skipped."""
    try:
        outcome = attack.make(programs, natives)
    except Skipped as reason:
        print(f"{attack.name:44}skipped: {reason}", flush=True)
        return "skipped"
    except RuntimeError as error:
        last = "\n".join(str(error).strip().splitlines()[-5:])
        print(f"{attack.name:44}FAIL\n{textwrap.indent(last, ' ' * 8)}", flush=True)
        return "failed"
    failures, remarks = outcome.environment.failures, outcome.environment.remarks
    print(f"{line(attack, outcome)}  {'FAIL' if failures else 'PASS'}", flush=True)
    for text in [*failures, *remarks]:
        print(f"        {ascii(text[:300])[1:-1]}", flush=True)
    return "failed" if failures else "passed"


def main(build: Path, names: list[str]) -> int:
    if os.geteuid() != 0:
        print("attack: permission denied: run as root, which can change users")
        return 77
    rows = [row for row in ROWS if not names or any(name in row.name for name in names)]
    start = time.monotonic()
    print(HEADING)
    with tempfile.TemporaryDirectory(prefix="attack-programs-") as name:
        natives = prepare(build, Path(name))
        results = [report(row, Path(name), natives) for row in rows]
    skipped = results.count("skipped")
    print(f"\n{results.count('passed')} passed, {results.count('failed')} failed"
          + (f", {skipped} skipped" if skipped else "") + f" in {time.monotonic() - start:.0f} s")
    return 1 if "failed" in results or not results else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, help="the directory with orientationd and orientationctl")
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help="run only the attacks with this in their names")
    arguments = parser.parse_args()
    # Ends the programs too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main(arguments.build, arguments.attacks))
