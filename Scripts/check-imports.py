#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check the modules against Package.swift, all but the test targets: a module depends on modules declared before it,
imports its dependencies only, and all of them, without @testable; the modules of the daemon and of the agent use no
concurrency runtime, and those of the agent and of the tool no windows.

    Scripts/check-imports.py              print each violation; exit status 1 if there are any
    Scripts/check-imports.py --self-test  check that planted violations are reported
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Modules of the toolchain that every module may import, and those that add megabytes to a program.
ALWAYS = {"Swift", "Glibc", "Synchronization"}
HEAVY = {
    "AppManifest": {"Foundation"}, "InterfaceRotation": {"Dispatch"}, "OrientationClient": {"Dispatch"},
    "OrientationTool": {"Dispatch", "Foundation"}}

# The daemon links nothing of Swift's concurrency runtime; the agent and the library for main loops use MainActor only.
WITHOUT_CONCURRENCY = "orientationd"
CONCURRENCY = re.compile(
    r"\b(MainActor|globalActor|actor|async|await|Task\w*|Async\w*|with\w*Continuation|with\w*TaskGroup|isolated)\b")
WITHOUT_TASKS = {"OrientationClientCore", "Displays", "Autorotate", "orientation-autorotate", "orientation-tablet-switch"}
TASKS = re.compile(r"\b(async|await|Task\w*|Async\w*|with\w*Continuation|with\w*TaskGroup)\b")
# The agent and the tool decide with OrientationRules: they link no windows.
WITHOUT_WINDOWS = {"Autorotate", "OrientationTool"}
# Texts and comments, which may contain these words.
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|//.*')

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)")


def modules(root):
    """Return the folder, the dependencies and what else may be imported of each module but the test targets, in the order
    of Package.swift."""
    with tempfile.TemporaryDirectory() as folder:
        # In a folder of its own it does not wait for a build that runs.
        command = ["swift", "package", "--scratch-path", folder, "dump-package"]
        text = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE).stdout
    found = {}
    for target in json.loads(text)["targets"]:
        path = target.get("path") or f"Sources/{target['name']}"
        if target["type"] != "test":
            heavy = HEAVY.get(target["name"], set()) if path.startswith("Sources/") else {"Dispatch", "Foundation"}
            dependencies = {next(iter(each.values()))[0] for each in target["dependencies"]}
            found[target["name"]] = root / path, dependencies, ALWAYS | heavy
    return found


def linked(name, targets):
    """Return the module and all modules that it depends on."""
    dependencies = targets[name][1] & targets.keys()
    return {name}.union(*(linked(each, targets) for each in dependencies))


def violations(targets):
    """Yield a line for each violation."""
    of_the_daemon = linked(WITHOUT_CONCURRENCY, targets)
    declared = set()
    for name, (folder, dependencies, others) in targets.items():
        for late in sorted(dependencies & targets.keys() - declared):
            yield f"Package.swift: {name} depends on {late}, which is declared after it"
        if name in WITHOUT_WINDOWS and "InterfaceRotation" in linked(name, targets):
            yield f"Package.swift: {name} links InterfaceRotation"
        declared.add(name)
        allowed = dependencies | others
        words = CONCURRENCY if name in of_the_daemon else TASKS if name in WITHOUT_TASKS else None
        imported = set()
        files = sorted(folder.rglob("*.swift"))
        for file in files:
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                if match := IMPORT.match(line):
                    imported.add(match[1])
                    if "@testable" in line:
                        yield f"{file}:{number}: {name} may not use @testable: `swift build -c release` refuses it"
                    if match[1] not in allowed:
                        yield f"{file}:{number}: {name} may not import {match[1]}"
                elif words and (match := words.search(TEXT.sub("", line))):
                    yield f"{file}:{number}: {name} may not use {match[1]}: it links Swift's concurrency runtime"
        for unused in sorted(dependencies - imported if files else ()):
            yield f"Package.swift: {name} does not import its dependency {unused}"


def self_test():
    """Check planted violations of each kind."""
    planted = (
        "@testable import Late\n  package import Sensors\nimport struct Foundation.Data\n"
        "// A Task.\n@MainActor final class State {}\nfunc run() async {}\nisolated deinit {}\n"
        'let text = "a Task"; Task {}\n')
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "main.swift")
        source.write_text(planted, encoding="utf-8")
        empty = pathlib.Path(folder, "none")
        found = list(violations({
            "orientationd": (source.parent, {"Late", "Posix"}, ALWAYS),
            "Late": (empty, set(), ALWAYS), "Posix": (empty, set(), ALWAYS),
            "InterfaceRotation": (empty, set(), ALWAYS), "Autorotate": (empty, {"InterfaceRotation"}, ALWAYS)}))
    wanted = [
        "depends on Late, which", "depends on Posix, which", ":1: .* @testable", ":2: .* import Sensors",
        ":3: .* import Foundation", ":5: .* MainActor", ":6: .* async", ":7: .* isolated", ":8: .* Task",
        "does not import its dependency Posix", "Autorotate links InterfaceRotation"]
    if len(found) != len(wanted) or not all(map(re.search, wanted, found)):
        sys.exit("check-imports: self-test: unexpected violations of the planted module:\n" + "\n".join(found))


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found = list(violations(modules(ROOT)))
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
