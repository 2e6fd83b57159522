#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run all comparisons, and keep what they print in a file of Benchmarks/results.

    Benchmarks/bench.py [FOLDER] [NAME...]     FOLDER has the release build; make bench

NAME: only these of footprint, captured, ambient, desktops, fanout, rotation. First waits at most five minutes for a quiet machine:
the build before it raises the load. The file has the date, the commit, the processors,
the load before each comparison, and at its end the targets with the figures: compare ratios within a file, not times between files.
A second run of the same day and commit has a file of its own (DATE-COMMIT-2.txt).
"""
import datetime
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

import commandline
import targets

HERE = pathlib.Path(__file__).resolve().parent
# The load average of a quiet machine, and how long to wait for it, in seconds.
QUIET_LOAD = 0.3
QUIET_TIMEOUT = 300
COMPARISONS = {
    "footprint": ["{here}/footprint.py", "{build}"],
    "captured": ["{here}/footprint.py", "--captured", "{build}"],
    "ambient": ["{here}/footprint.py", "--ambient", "{build}"],
    "desktops": ["{here}/desktops.py", "{build}"],
    "fanout": ["{here}/fanout.py", "{build}"],
    "rotation": ["swift", "run", "-c", "release", "--package-path", "{here}", "RotationBenchmarks"],
}


def git(*words):
    """Return what git prints; nothing without git or a repository, as in a source tarball."""
    if not shutil.which("git"):
        return ""
    return subprocess.run(["git", *words], cwd=HERE, capture_output=True, text=True).stdout.strip()


def wait_until_quiet():
    """Wait until the load average is at most QUIET_LOAD, at most QUIET_TIMEOUT seconds."""
    end = time.monotonic() + QUIET_TIMEOUT
    if os.getloadavg()[0] > QUIET_LOAD:
        print(f"waiting up to {QUIET_TIMEOUT} s for a load of at most {QUIET_LOAD}", flush=True)
    while (load := os.getloadavg()[0]) > QUIET_LOAD:
        if time.monotonic() > end:
            return print(f"the load is still {load:.1f}", flush=True)
        time.sleep(5)


def heading():
    commit = git("rev-parse", "--short", "HEAD") or "unknown"
    # Results of earlier runs do not change what is measured.
    if git("status", "--porcelain", "--", ":/", ":(top,exclude)Benchmarks/results"):
        commit += "-changed"
    today = datetime.date.today().isoformat()
    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    system = os.uname()
    return f"{today}-{commit}", (
        f"date {today}, commit {commit}, {os.cpu_count()} processors ({model}), {system.machine}, Linux {system.release}\n")


def created(name):
    """Create a file for results, which replaces no other, and return its path."""
    results = HERE / "results"
    for number in itertools.count(1):
        file = results / (f"{name}.txt" if number == 1 else f"{name}-{number}.txt")
        try:
            results.mkdir(exist_ok=True)
            file.open("x").close()
            return file
        except FileExistsError:
            if not results.is_dir():
                commandline.fail(f"{results}: cannot create: a file has this name; remove it")
        except OSError as error:
            commandline.fail(f"{file}: cannot open: {error.strerror}; run this as a user who may write there")


def run(command, write):
    """Run a comparison, pass its lines to `write`, and return its exit status and the last line of its messages."""
    last = ""

    def copy_messages():
        nonlocal last
        for line in process.stderr:
            print(line, end="", file=sys.stderr, flush=True)
            last = line.strip() or last

    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        messages = threading.Thread(target=copy_messages)
        messages.start()
        for line in process.stdout:
            write(line)
        messages.join()
    return process.returncode, last


def main():
    arguments = commandline.words(__doc__)
    folders = arguments[:1] if arguments and arguments[0] not in COMPARISONS else []
    names = arguments[len(folders):] or list(COMPARISONS)
    unknown = [name for name in names if name not in COMPARISONS]
    if unknown:
        commandline.fail(f"{unknown[0]}: unknown comparison: must be one of {', '.join(COMPARISONS)}")
    build = commandline.folder(folders)
    if "rotation" in names:
        commandline.require("swift")
    wait_until_quiet()
    name, text = heading()
    file = created(name)
    failed = []
    reached = []
    with open(file, "w") as kept:
        def write(line):
            print(line, end="", flush=True)
            kept.write(line)
            kept.flush()
            if line.startswith(targets.PREFIX):
                reached.append(line.removeprefix(targets.PREFIX))

        write(text)
        for name in names:
            write(f"\n## {name}, load {os.getloadavg()[0]:.1f}\n\n")
            status, message = run([word.format(here=HERE, build=build) for word in COMPARISONS[name]], write)
            if status != 0:
                failed.append(name)
                write(f"failed with status {status}: {message}\n")
        write("\n## targets\n\n")
        for line in list(reached):
            write(line)
    if failed == names:
        file.unlink()
        commandline.fail("all comparisons failed: their messages are above; no file is kept")
    print(f"\nkept in {file}")
    if failed:
        commandline.fail(f"failed: {', '.join(failed)}: their messages are above")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
