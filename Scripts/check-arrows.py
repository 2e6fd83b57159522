#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hold the imports of every source file against the arrows that the project allows.

    Scripts/check-arrows.py              check Sources/; exit 1 and name each arrow that is not drawn
    Scripts/check-arrows.py --self-test  plant a wrong import and see that it is caught

The table below is the whole of it: what a target may import. CONTRIBUTING.md draws it.
"""
import pathlib
import re
import sys
import tempfile

# Modules that come with the compiler and cost nothing to load; any target may use them.
ALWAYS = {"Swift", "Glibc", "Synchronization"}
LIBC = {"CPosix"}

ALLOWED = {
    "Support": set(),
    "OrientationModel": set(),
    "Diagnosis": {"OrientationModel", "Support"},
    "InterfaceRotation": {"OrientationModel"},
    "AppManifest": {"InterfaceRotation", "Foundation"},
    "Recordings": {"OrientationModel", "Support"},
    "Calibration": {"Recordings", "OrientationModel"},
    "Sensing": {"Recordings", "OrientationModel", "Support"} | LIBC,
    "IIOSensing": {"CIIO", "Sensing", "Recordings", "OrientationModel", "Support"} | LIBC,
    "Systemd": {"CSystemd", "Support", "Logging"},
    "Varlink": {"CJansson", "Support"} | LIBC,
    "OrientationWire": {"Varlink", "OrientationModel"},
    "OrientationDaemon": {
        "Logging", "OrientationModel", "OrientationWire", "Varlink", "Sensing", "IIOSensing", "Support", "Systemd",
        "Synchronization",
    } | LIBC,
    "OrientationClient": {
        "OrientationModel", "OrientationWire", "Varlink", "InterfaceRotation", "Dispatch",
    },
    "orientationd": {"OrientationDaemon", "Logging"},
    "orientationctl": {"OrientationTool"},
    "OrientationTool": {
        "OrientationClient", "Calibration", "Diagnosis", "Recordings", "OrientationModel", "Varlink",
        "OrientationWire", "Support", "ArgumentParser", "Logging", "Dispatch",
    },
}

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)"
)


def wrong_arrows(sources):
    """Each line of the form `file:line: Target may not import Module`."""
    for target in sorted(p for p in sources.iterdir() if p.is_dir()):
        files = sorted(target.rglob("*.swift"))
        if not files:
            continue  # C shims and module maps import nothing of ours
        if target.name not in ALLOWED:
            yield f"{target}: this target is not in the table of Scripts/check-arrows.py; add it and its arrows"
            continue
        allowed = ALLOWED[target.name] | ALWAYS
        for file in files:
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = IMPORT.match(line)
                if match and match[1] not in allowed:
                    yield f"{file}:{number}: {target.name} may not import {match[1]}"


def self_test():
    """A check that cannot fail proves nothing: plant what it must catch."""
    planted = "import OrientationDaemon\n  package import Sensing\nimport struct Foundation.Data\n"
    with tempfile.TemporaryDirectory() as folder:
        main = pathlib.Path(folder, "orientationd", "main.swift")
        main.parent.mkdir()
        main.write_text(planted, encoding="utf-8")
        found = [line.rsplit(" ", 1)[1] for line in wrong_arrows(pathlib.Path(folder))]
    if found != ["Sensing", "Foundation"]:
        sys.exit(f"check-arrows: the planted imports were not caught as they should be: {found}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found = list(wrong_arrows(pathlib.Path(__file__).resolve().parent.parent / "Sources"))
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
