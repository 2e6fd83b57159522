#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that each module imports only the modules that ALLOWED lists for it, and that the modules of the daemon use nothing of Swift's
concurrency runtime.

    Scripts/check-imports.py              check Sources/; exit 1 and print each import that is not allowed
    Scripts/check-imports.py --self-test  check that a planted import is reported
    Scripts/check-imports.py --table      print the table of CONTRIBUTING.md

CONTRIBUTING.md must have the same table: the check compares both.
"""
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Modules of the toolchain that are linked into every program anyway.
ALWAYS = {"Swift", "Glibc", "Synchronization"}
LIBC = {"CPosix"}

ALLOWED = {
    "Support": set(),
    "ProgramOptions": LIBC,
    "OrientationModel": set(),
    "Diagnosis": {"OrientationModel", "Support"},
    "InterfaceRotation": {"OrientationModel"},
    "DesktopEntry": set(),
    "DesktopManifest": {"DesktopEntry", "InterfaceRotation"},
    "AppManifest": {"DesktopEntry", "DesktopManifest", "InterfaceRotation", "Foundation"},
    "Recordings": {"OrientationModel", "Support"},
    "Calibration": {"Recordings", "OrientationModel"},
    "Sensing": {"Recordings", "OrientationModel", "Support"} | LIBC,
    "AmbientSensing": {"IIOSensing", "Sensing", "Support"},
    "IIOSensing": {"CIIO", "Sensing", "Recordings", "OrientationModel", "Support"} | LIBC,
    "Systemd": {"CSystemd", "Support"},
    "Varlink": {"CJansson", "Support"} | LIBC,
    "OrientationWire": {"Varlink", "OrientationModel"},
    "VarlinkServer": {"Support", "Systemd", "Varlink"} | LIBC,
    "OrientationDaemon": {
        "AmbientSensing", "OrientationModel", "OrientationWire", "ProgramOptions", "Varlink", "Sensing", "IIOSensing", "Support",
        "Systemd", "Synchronization", "VarlinkServer",
    } | LIBC,
    "OrientationClientCore": {"OrientationModel", "OrientationWire", "Varlink", "Support"} | LIBC,
    "OrientationClient": {
        "OrientationClientCore", "OrientationModel", "OrientationWire", "Varlink", "InterfaceRotation", "Dispatch",
    },
    "Displays": {
        "CWayland", "CWaylandClient", "CXCB", "OrientationModel", "Support", "Systemd", "Varlink",
    } | LIBC,
    "Autorotate": {
        "DesktopEntry", "DesktopManifest", "Displays", "InterfaceRotation", "OrientationClientCore",
        "OrientationModel", "OrientationWire", "ProgramOptions", "Support", "Systemd", "Varlink", "VarlinkServer",
    } | LIBC,
    "orientation-autorotate": {"Autorotate", "ProgramOptions", "Systemd"},
    "orientationd": {"OrientationDaemon", "ProgramOptions", "Systemd"} | LIBC,
    "orientationctl": {"OrientationTool"},
    "OrientationTool": {
        "OrientationClient", "Calibration", "DesktopEntry", "Diagnosis", "InterfaceRotation", "Recordings", "OrientationModel", "Varlink",
        "OrientationWire", "Support", "ArgumentParser", "Dispatch",
    },
}

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)"
)


# Modules that must not use Swift's concurrency runtime: it and libdispatch would be linked.
WITHOUT_CONCURRENCY = {
    "Support", "ProgramOptions", "OrientationModel", "Recordings", "Sensing", "AmbientSensing", "IIOSensing", "Systemd", "Varlink",
    "OrientationWire", "VarlinkServer", "OrientationDaemon", "orientationd",
}
CONCURRENCY = re.compile(
    r"\b(MainActor|globalActor|actor|async|await|Task\w*|Async\w*|with\w*Continuation|with\w*TaskGroup|isolated)\b")
# Modules that may use MainActor, but no tasks.
WITHOUT_TASKS = {"OrientationClientCore", "Displays", "Autorotate", "orientation-autorotate"}
TASKS = re.compile(r"\b(async|await|Task\w*|Async\w*|with\w*Continuation|with\w*TaskGroup)\b")
# Texts and comments, which may contain these words.
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|//.*')


def forbidden_concurrency(sources):
    """Yield a line for each use of Swift's concurrency runtime in the modules that must not use it."""
    for target in sorted(sources.iterdir()):
        words = CONCURRENCY if target.name in WITHOUT_CONCURRENCY else TASKS if target.name in WITHOUT_TASKS else None
        for file in sorted(target.rglob("*.swift")) if words else []:
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = words.search(TEXT.sub("", line))
                if match:
                    yield f"{file}:{number}: {target.name} may not use {match[1]}: it links Swift's concurrency runtime"


def forbidden_imports(sources):
    """Yield a line `file:line: Target may not import Module` for each import that is not allowed."""
    for target in sorted(p for p in sources.iterdir() if p.is_dir()):
        files = sorted(target.rglob("*.swift"))
        if not files:
            continue  # C targets and module maps import no Swift module
        if target.name not in ALLOWED:
            yield f"{target}: not in ALLOWED of Scripts/check-imports.py: add the target and its imports"
            continue
        allowed = ALLOWED[target.name] | ALWAYS
        for file in files:
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = IMPORT.match(line)
                if match and match[1] not in allowed:
                    yield f"{file}:{number}: {target.name} may not import {match[1]}"


def table():
    """Return the rows of the dependency table in CONTRIBUTING.md."""
    rows = ["| module | may import |", "|---|---|"]
    for name, modules in ALLOWED.items():
        own = ", ".join(f"`{module}`" for module in sorted(modules - ALWAYS))
        rows.append(f"| `{name}` | {own or 'only the standard library'} |")
    return "\n".join(rows)


def self_test():
    """Check a planted file with two forbidden imports and four uses of concurrency."""
    planted = (
        "import OrientationDaemon\n  package import Sensing\nimport struct Foundation.Data\n"
        "// A Task.\n@MainActor final class State {}\nfunc run() async {}\nisolated deinit {}\n"
        'let text = "a Task"; Task {}\n')
    with tempfile.TemporaryDirectory() as folder:
        main = pathlib.Path(folder, "orientationd", "main.swift")
        main.parent.mkdir()
        main.write_text(planted, encoding="utf-8")
        found = [line.rsplit(" ", 1)[1] for line in forbidden_imports(pathlib.Path(folder))]
        used = [line.split(":")[1] for line in forbidden_concurrency(pathlib.Path(folder))]
    if found != ["Sensing", "Foundation"]:
        sys.exit(f"check-imports: self-test: the planted imports were not reported: {found}")
    if used != ["5", "6", "7", "8"]:
        sys.exit(f"check-imports: self-test: the planted concurrency was not reported: lines {used}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if sys.argv[1:] == ["--table"]:
        return print(table())
    found = list(forbidden_imports(ROOT / "Sources")) + list(forbidden_concurrency(ROOT / "Sources"))
    if table() not in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"):
        found.append("CONTRIBUTING.md: the dependency table differs from Scripts/check-imports.py; see --table")
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
