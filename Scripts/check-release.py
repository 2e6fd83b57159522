#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run everything that a release needs, one suite after the other, and print a table.

    Scripts/check-release.py [SUITE...]   run these suites, or all, that have not passed yet
    Scripts/check-release.py --self-test  check the rules below with suites of a repository of its own

Results are kept in .build/check-release/TREE/SUITE (`log`, `result`); TREE is the git tree of the last commit.
Continues after a failure. A suite that has passed runs again only if the tree changes or its folder is removed. A suite
that changes files of the repository, or adds some, has failed. Exit status 1 if a suite has not passed, 65 if there are
changes that are not committed.
"""
import contextlib
import fcntl
import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from typing import TextIO

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The maximum duration of a suite, in seconds. The longest one first builds the image of an emulated machine.
TIMEOUT = 3 * 3600
# The time between SIGTERM and SIGKILL to a suite, in seconds: a virtual machine shuts down.
ENDING = 60
# The signals that end the suite and this program. Ctrl-C, a request, and the end of the terminal.
ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# The last lines of a failed suite's log that are printed.
LINES = 15
SYSTEM = "make -C Tests/System"
SUITES = {
    "lint": "make lint",
    "test": "make test ROWS=all",
    "sanitize": "make sanitize",
    "docs": "make docs",
    "deb": "make deb",
    "package-test": "make -C packaging package-test",
    "release": "make -C packaging release",
    "attack": f"{SYSTEM} attack",
    "failing-calls": f"{SYSTEM} failing-calls",
    "fuzz": f"{SYSTEM} fuzz",
    "library-test": f"{SYSTEM} library-test",
    "gtk-test": f"{SYSTEM} gtk-test",
    "sdl-test": f"{SYSTEM} sdl-test",
    "screen-test": f"{SYSTEM} screen-test",
    "sensor-proxy-test": f"{SYSTEM} sensor-proxy-test",
    "machine-test": f"{SYSTEM} machine-test",
    "vm-test-trixie": f"{SYSTEM} vm-test SUITE=trixie",
    "vm-test-bookworm": f"{SYSTEM} vm-test SUITE=bookworm",
    "screen-vm-trixie": f"{SYSTEM} screen-vm-test SUITE=trixie",
    "screen-vm-bookworm": f"{SYSTEM} screen-vm-test SUITE=bookworm",
    "test-oldest": f"{SYSTEM} test-oldest",
    "vm-test-arm64": f"{SYSTEM} vm-test ARCH=arm64",
    "bench": "make -C Benchmarks bench",
}


def git(root: pathlib.Path, *words: str) -> str:
    return subprocess.run(["git", "-C", root, *words], check=True, capture_output=True, text=True).stdout.strip()


def changes(root: pathlib.Path) -> set[str]:
    """Return the lines of `git status`: the state and the name of each file that differs from the last commit."""
    return set(git(root, "status", "--porcelain", "--untracked-files=all", "-z").split("\0")) - {""}


def committed_tree(root: pathlib.Path) -> str:
    return git(root, "rev-parse", "HEAD^{tree}")


def end(process: subprocess.Popen, log: TextIO) -> None:
    """End all programs in the process group of a suite; a second signal does not interrupt this."""
    former = {number: signal.signal(number, signal.SIG_IGN) for number in ENDING_SIGNALS}
    if os.getuid():
        log.write("check-release: programs that the suite started with sudo may still run\n")
    # Without processes, or with processes of root only.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)
        began = time.monotonic()
        while time.monotonic() - began < ENDING:
            process.poll()
            os.killpg(process.pid, 0)
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGKILL)
        log.write(f"check-release: killed {ENDING} s after SIGTERM\n")
    process.wait()
    for number, handler in former.items():
        signal.signal(number, handler)


def run(command: str, root: pathlib.Path, log: pathlib.Path) -> int:
    """Run a suite with its output in a log; return its exit status."""
    with open(log, "a") as file:
        # In the same session, because sudo keeps a password per terminal.
        process = subprocess.Popen(
            shlex.split(command), cwd=root, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
            process_group=0)
        try:
            return process.wait(TIMEOUT)
        except BaseException as error:
            end(process, file)
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            file.write(f"check-release: timed out after {TIMEOUT} s\n")
            return 124


def result(folder: pathlib.Path) -> dict:
    """Return the kept result of a suite: status, seconds, time at its end. Empty: it has not run, or not to its end."""
    try:
        return json.loads((folder / "result").read_text())
    except (FileNotFoundError, ValueError):
        return {}


def table(suites: dict[str, str], results: pathlib.Path) -> list[str]:
    """Return a line for each suite with its kept result."""
    lines = []
    for name in suites:
        kept = result(results / name)
        status = "not run" if not kept else "passed" if kept["status"] == 0 else f"FAILED {kept['status']}"
        lines.append(f"{name:18} {status:11}" + (f"{kept['seconds']:6} s  {kept['ended']}" if kept else ""))
    return lines


def check(suites: dict[str, str], chosen: list[str], root: pathlib.Path = ROOT) -> int:
    """Run the chosen suites that have not passed yet, print the table, and return the exit status."""
    if changed := changes(root):
        print("check-release: changes that are not committed, to commit or to remove:", *sorted(changed), sep="\n",
              file=sys.stderr)
        return 65
    tree = committed_tree(root)
    results = root / ".build/check-release" / tree
    results.mkdir(parents=True, exist_ok=True)
    # Held until this program ends: suites of two runs would share folders.
    lock = open(results.parent / "lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit("check-release: another run has not ended")
    # The files that earlier suites have added.
    added: set[str] = set()
    try:
        for name in chosen:
            folder = results / name
            if result(folder).get("status") == 0:
                continue
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "result").unlink(missing_ok=True)
            log = folder / "log"
            log.write_text("")
            print(f"{name}: {suites[name]}; log: {log.relative_to(root)}", flush=True)
            began = time.monotonic()
            status = run(suites[name], root, log)
            if committed_tree(root) != tree:
                sys.exit(f"check-release: {name}: result not kept: another commit was checked out; run this again")
            if changed := changes(root) - added:
                status = status or 65
                with open(log, "a") as file:
                    print("check-release: files differ from the commit:", *sorted(changed), sep="\n", file=file)
                added |= {line for line in changed if line.startswith("??")}
            kept = {"status": status, "seconds": round(time.monotonic() - began), "ended": time.strftime("%F %R")}
            (folder / "result.new").write_text(json.dumps(kept))
            (folder / "result.new").replace(folder / "result")
            if status:
                print(*log.read_text(errors="replace").splitlines()[-LINES:], sep="\n")
    finally:
        print(f"\ntree {tree}:", *table(suites, results), sep="\n", flush=True)
    return 0 if all(result(results / name).get("status") == 0 for name in chosen) else 1


def self_test() -> None:
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        ran = root / ".git/ran"
        endings = {
            "bad": "exit 3", "good": "exit 0", "other": "exit 0", "adds": "echo >added", "edits": "echo >file",
            "commits": "echo >file; git commit --quiet --all --message=d"}
        suites = {suite: f"sh -c 'echo {suite} >>.git/ran; {ending}'" for suite, ending in endings.items()}

        def checked(*chosen: str) -> tuple[int, list[str]]:
            """Return the exit status and the suites that ran."""
            ran.write_text("")
            try:
                with contextlib.redirect_stdout(None), contextlib.redirect_stderr(None):
                    status = check(suites, list(chosen), root)
            except SystemExit as end:
                status = "another commit" if "another commit" in str(end.code) else end.code
            return status, ran.read_text().split()

        def commit(text: str) -> None:
            (root / "file").write_text(text)
            git(root, "add", "file")
            git(root, "commit", "--quiet", "--message=a")

        git(root, "init", "--quiet")
        git(root, "config", "user.name", "a")
        git(root, "config", "user.email", "a@b")
        (root / ".git/info/exclude").write_text(".build/\n")
        commit("a")
        found = [checked("bad", "good"), checked("bad", "good"), checked("good")]
        (root / "file").write_text("b")
        found += [checked("good")]
        commit("b")
        found += [checked("good")]
        commit("a")
        found += [checked("good"), checked("good", "other")]
        (root / ".build/check-release" / committed_tree(root) / "good/result").write_text('{"status": ')
        found += [checked("good")]
        commit("c")
        for chosen in (["adds", "other", "edits"], ["adds", "other", "edits"], ["commits", "bad"]):
            found += [checked(*chosen)]
            git(root, "checkout", "--quiet", ".")
            git(root, "clean", "--quiet", "--force")
        expected = [
            (1, ["bad", "good"]), (1, ["bad"]), (0, []), (65, []), (0, ["good"]), (0, []), (0, ["other"]),
            (0, ["good"]), (1, ["adds", "other", "edits"]), (1, ["adds", "edits"]),
            ("another commit", ["commits"])]
        if found != expected:
            sys.exit(f"check-release: self-test: unexpected runs: {found}")


def main(names: list[str]) -> int:
    if names == ["--self-test"]:
        self_test()
        return 0
    if names in (["--help"], ["-h"]):
        print(__doc__, *SUITES, sep="\n")
        return 0
    if unknown := set(names) - set(SUITES):
        sys.exit(f"check-release: {', '.join(sorted(unknown))}: invalid value: must be of {', '.join(SUITES)}")
    # All of them print the table, as Ctrl-C does.
    for number in ENDING_SIGNALS:
        signal.signal(number, signal.default_int_handler)
    try:
        return check(SUITES, [name for name in SUITES if not names or name in names])
    except KeyboardInterrupt:
        return 130
    except subprocess.CalledProcessError as error:
        sys.exit(f"check-release: {error.stderr.strip()}; results are kept per commit of a git work tree")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
