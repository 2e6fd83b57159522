# SPDX-License-Identifier: Apache-2.0
"""The command lines of the comparisons, and the programs that they need."""
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOL = pathlib.Path(sys.argv[0]).stem
# Debian's package of each program that is not named as its package.
PACKAGES = {
    "dbus-monitor": "dbus-bin", "monitor-sensor": "iio-sensor-proxy", "umockdev-run": "umockdev"}


def fail(message):
    """Exit with a message: the subject, what failed, the cause, and what to do."""
    sys.exit(f"{TOOL}: {message}")


def words(doc, *options):
    """Return the arguments; prints `doc` for --help, and refuses options other than `options`."""
    arguments = sys.argv[1:]
    if "--help" in arguments or "-h" in arguments:
        print(doc.strip())
        sys.exit()
    for word in arguments:
        if word.startswith("-") and word not in options:
            fail(f"{word}: unknown option: must be one of {', '.join([*options, '--help'])}")
    return arguments


def folder(arguments, most=1):
    """Return the folder of the release build: the first of at most `most` arguments, or that of this repository."""
    if len(arguments) > most:
        fail(f"{arguments[most]}: too many arguments; see {TOOL}.py --help")
    found = pathlib.Path(arguments[0]).resolve() if arguments else ROOT / ".build/release"
    if not os.access(found / "orientationd", os.X_OK):
        fail(f"{found}/orientationd: program not found; run `make build`, or pass the folder of a release build")
    return found


def require(*programs):
    """Exit if one of these programs is missing."""
    path = f"{os.environ['PATH']}:/usr/libexec:/usr/sbin"
    missing = [program for program in programs if not shutil.which(program, path=path)]
    if {"swift", "swiftc"} & set(missing):
        fail("swift: program not found; install Swift, see https://www.swift.org/install/linux")
    if missing:
        packages = dict.fromkeys(PACKAGES.get(program, program) for program in missing)
        fail(f"{', '.join(missing)}: program not found; on Debian, run as root: apt-get install {' '.join(packages)}")


def build(*words):
    """Run a compiler, outside of an emulated machine."""
    if subprocess.call(words, env=os.environ | {"LD_PRELOAD": ""}) != 0:
        fail(f"{words[0]}: cannot compile: its messages are above; `make build` installs what the programs need")
