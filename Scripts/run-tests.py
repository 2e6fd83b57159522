#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build the tests, run them in several processes, and end with their total.

    run-tests.py [--without-programs] [OPTION...]  OPTION: of `swift build`, for example --sanitize=thread
    run-tests.py --self-test  check the total of sample tests that fail, hang, crash and leave files

The tests of libraries run in one process, those of whole programs, which mostly wait, in several at the same time. Each
process has a temporary directory of its own; what it leaves there, or runs on, is a failure, and is removed. Output is passed
on as plain lines: without control sequences, and cut to 300 characters. The end lists the failures, the reports of sanitizers,
the skipped tests with their reasons, the slowest tests, and one total."""
import collections
import concurrent.futures
import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

# The test targets that start whole programs.
PROGRAM_TESTS = ("EndToEndTests", "InterfaceExampleTests", "OrientationCtlTests", "VarlinkInteropTests")
# How many processes run at the same time, each one test at a time: tests of whole programs mostly wait.
PROCESSES = 5
# The maximum line length. Longer lines contain the value of an expression; its beginning identifies it.
LONGEST = 300
# The maximum time without a line, in seconds, of a build under a sanitizer, and of tests, each step of which waits for 30 s at
# most.
BUILD_SILENCE, TEST_SILENCE = 900, 300
# How long a process may take to end, in seconds.
ENDING = 10
# How many of the slowest tests are listed.
SLOWEST = 10
# CSI and OSC sequences, two-character escapes, and then all other control characters but the tabulator.
SEQUENCES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|\x1b.|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
REPORT = re.compile(r"^SUMMARY: \w+Sanitizer: .*")
# The processes that run, with their temporary directories, each in a session of its own: Ctrl-C does not reach them.
folders: dict[subprocess.Popen, str | None] = {}
# Set at the end of an interrupted run: processes that start then are ended, too.
interrupted = threading.Event()


def plain(line: str) -> str:
    """The line as a terminal shows it."""
    # Keep only the text after the last carriage return.
    line = SEQUENCES.sub("", line.rstrip("\r\n").rsplit("\r", 1)[-1])
    return line if len(line) <= LONGEST else f"{line[:LONGEST - 4]} ..."


class Total:
    """What became of the tests of all processes."""

    def __init__(self):
        self.tests = self.passed = self.unreached = 0
        self.failed: list[str] = []
        self.skipped: list[str] = []
        self.reports: list[str] = []
        # The duration of each test in seconds. A process runs one at a time.
        self.seconds: dict[str, float] = {}

    def add(self, events: str, ending: str):
        """Adds the tests of a process from its event stream. `ending` says why it ended early; empty if it did not."""
        names, failed, begun, ended, skipped = {}, {}, {}, set(), set()
        for line in events.splitlines():
            try:
                record = json.loads(line)
            except ValueError:
                # Cut by the end of the process.
                continue
            payload = record["payload"]
            kind, test = payload["kind"], payload.get("testID")
            if record["kind"] == "test" and kind == "function":
                suite = payload["id"].split("/")[0]
                names[payload["id"]] = f"{suite}: {payload.get('displayName', payload['name'])}"
            elif kind == "issueRecorded":
                if not payload["issue"].get("isKnown") and payload["issue"].get("severity", "error") == "error":
                    failed[names.get(test) or payload["messages"][0]["text"]] = None
            elif kind == "testSkipped" and test in names:
                reason = payload["messages"][0]["text"].rpartition(" skipped")[2].strip(": .")
                self.skipped.append(f"{names[test]}: {reason or 'no reason given'}")
                skipped.add(test)
            elif kind == "testStarted" and test in names:
                begun[test] = payload["instant"]["absolute"]
            elif kind == "testEnded" and test in names:
                self.seconds[names[test]] = payload["instant"]["absolute"] - begun.pop(test)
                ended.add(test)
        self.tests += len(names)
        self.passed += sum(names[test] not in failed for test in ended)
        self.failed += failed
        self.unreached += len(names.keys() - ended - skipped - begun.keys())
        if ending or begun:
            ending = ending or "not ended"
            self.failed += [f"{names[test]}: {ending}" for test in begun] or [f"{ending}, before a test"]

    def lines(self) -> list[str]:
        """The slowest tests, the skipped tests, the failures and the total."""
        slowest = sorted(self.seconds.items(), key=lambda item: -item[1])[:SLOWEST]
        return [
            *(f"slow     {seconds:4.1f} s  {name}" for name, seconds in slowest),
            *(f"skipped  {name}" for name in self.skipped),
            *(f"FAILED   {name}" for name in self.failed),
            *dict.fromkeys(self.reports),
            f"{self.tests} tests: {self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped"
            + (f", {self.unreached} not run" if self.unreached else ""),
        ]


def run(command: list[str], total: Total, silence: float, environment: dict[str, str]) -> tuple[int, bool]:
    """Runs a command and passes its output on; returns its exit status, and whether it was ended for its silence."""
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        env={**os.environ, **environment})
    folders[process] = environment.get("TMPDIR")
    if interrupted.is_set():
        kill(process)
    was_silent = threading.Event()

    def end():
        was_silent.set()
        kill(process)

    # A carriage return ends no line here: it overwrites one.
    lines = io.TextIOWrapper(process.stdout, errors="replace", newline="\n")
    while True:
        timer = threading.Timer(silence, end)
        timer.daemon = True
        timer.start()
        raw = lines.readline()
        timer.cancel()
        if not raw:
            break
        line = plain(raw)
        print(line, flush=True)
        if REPORT.match(line):
            total.reports.append(line)
    status = process.wait()
    del folders[process]
    return status, was_silent.is_set()


def kill(process: subprocess.Popen) -> None:
    """Kills a process with its group, and what keeps its output open: the processes that have its temporary directory."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    if folder := folders.get(process):
        for number in with_directory(folder):
            with contextlib.suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)


def end_running() -> None:
    """Kills all processes. The threads clean up: a further signal does not interrupt that."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    interrupted.set()
    for process in list(folders):
        kill(process)


def with_directory(folder: str) -> dict[int, str]:
    """The command lines of the processes that have this temporary directory."""
    found = {}
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        # A process that ended meanwhile, or of another user.
        with contextlib.suppress(OSError):
            if f"TMPDIR={folder}\0".encode() in (entry / "environ").read_bytes():
                words = (entry / "cmdline").read_bytes().replace(b"\0", b" ")
                found[int(entry.name)] = plain(words.decode(errors="replace").strip())
    return found


def left_processes(folder: pathlib.Path) -> dict[int, str]:
    """The command lines of the processes that still run after ``ENDING`` seconds."""
    deadline = time.monotonic() + ENDING
    while (found := with_directory(str(folder))) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def run_tests(binary: str, tests: str, total: Total, lock: threading.Lock) -> None:
    """Runs the tests that match an expression, one at a time, in a process with a directory of its own."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="od-"))
    # Some tests run programs as other users.
    folder.chmod(0o755)
    temporary, events = folder / "t", folder / "events"
    temporary.mkdir()
    events.touch()
    try:
        status, was_silent = run(
            [binary, "--testing-library", "swift-testing", "--no-parallel", "--event-stream-output-path", str(events),
             "--filter", tests], total, TEST_SILENCE, {"TMPDIR": str(temporary)})
        ending = ""
        if status < 0:
            ending = f"no output for {TEST_SILENCE} s" if was_silent else f"ended by {signal.Signals(-status).name}"
        elif status > 1:
            ending = f"ended with status {status}"
        left = []
        for process, words in left_processes(temporary).items():
            left.append(f"process {words[:LONGEST]}")
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        left += sorted(plain(path.name) for path in temporary.iterdir())
        with lock:
            before = len(total.failed)
            total.add(events.read_text(errors="replace"), ending)
            # A process that was ended could not remove anything.
            total.failed += [f"{tests}: left {name} behind" for name in left if not ending]
            if status == 1 and len(total.failed) == before:
                total.failed.append(f"{tests}: ended with status 1")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def parts(binary: str) -> list[str]:
    """Expressions that match the tests of a process each: a suite of whole programs, or a module; the largest first."""
    listed = subprocess.run(
        [binary, "--testing-library", "swift-testing", "--list-tests"], check=True, capture_output=True, text=True).stdout
    counts = collections.Counter(
        line.split("/")[0] if line.startswith(PROGRAM_TESTS) else line.split(".")[0] for line in listed.splitlines())
    return [f"^{re.escape(name)}[./]" for name, _ in counts.most_common()]


# Stands for the tests: a suite passes, fails, leaves a file and a process, ends early, or hangs.
SAMPLE = r'''#!/usr/bin/env python3
import json, os, signal, subprocess, sys, time
suites = {"EndToEndTests.Bad": "fail", "EndToEndTests.Good": "", "Left": "leave", "Crash": "abort", "Hang": "wait", "Exit": "exit"}
if "--list-tests" in sys.argv:
    print(*(f"{suite}{'/' if '.' in suite else '.S/'}a()" for suite in suites), sep="\n")
    sys.exit()
suite, = (suite for suite in suites if f"^{suite}" == sys.argv[-1].replace("\\", "").split("[")[0])
stream = open(sys.argv[sys.argv.index("--event-stream-output-path") + 1], "w")
def record(what, **payload):
    payload.setdefault("instant", {"absolute": time.monotonic()})
    print(json.dumps({"kind": what, "payload": payload}), file=stream, flush=True)
for name in ("a", "b") + (("c",) if suites[suite] == "wait" else ()):
    record("test", kind="function", id=f"{suite}/{name}()", name=f"{name}()")
record("event", kind="testSkipped", testID=f"{suite}/b()", messages=[{"text": "Test b() skipped: \"no root\""}])
record("event", kind="testStarted", testID=f"{suite}/a()")
if suites[suite] == "fail":
    record("event", kind="issueRecorded", testID=f"{suite}/a()", issue={"isKnown": True}, messages=[])
    record("event", kind="issueRecorded", testID=f"{suite}/a()", issue={"isKnown": False}, messages=[])
if suites[suite] == "leave":
    open(os.environ["TMPDIR"] + "/file", "w")
    subprocess.Popen(["sleep", "60"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
if suites[suite] == "abort":
    print("SUMMARY: ThreadSanitizer: data race")
    sys.stdout.flush()
    os.kill(0, signal.SIGABRT)
if suites[suite] == "wait":
    subprocess.run(["setsid", "sleep", "60"])
if suites[suite] == "exit":
    os._exit(0)
record("event", kind="testEnded", testID=f"{suite}/a()")
sys.exit(suites[suite] == "fail")
'''


def self_test() -> None:
    global TEST_SILENCE, ENDING
    TEST_SILENCE, ENDING = 3, 0.5
    with tempfile.TemporaryDirectory() as name, contextlib.redirect_stdout(None):
        sample = pathlib.Path(name, "sample")
        sample.write_text(SAMPLE)
        sample.chmod(0o755)
        total = test(str(sample))
    found = {line for line in total.lines() if not line.startswith(("slow", "skipped  C", "skipped  Exit", "skipped  H", "skipped  L"))}
    expected = {
        "FAILED   EndToEndTests.Bad: a()", "FAILED   ^Left[./]: left process sleep 60 behind",
        "FAILED   ^Left[./]: left file behind", "FAILED   Crash: a(): ended by SIGABRT",
        "FAILED   Hang: a(): no output for 3 s", "FAILED   Exit: a(): not ended", "SUMMARY: ThreadSanitizer: data race",
        'skipped  EndToEndTests.Bad: b(): "no root"', 'skipped  EndToEndTests.Good: b(): "no root"',
        "13 tests: 2 passed, 6 failed, 6 skipped, 1 not run"}
    if found != expected:
        sys.exit("run-tests: self-test: unexpected total:\n" + "\n".join(sorted(found ^ expected)))


def test(binary: str) -> Total:
    """Runs all tests of a program."""
    total, lock = Total(), threading.Lock()
    with concurrent.futures.ThreadPoolExecutor(PROCESSES) as pool:
        try:
            for each in [pool.submit(run_tests, binary, tests, total, lock) for tests in parts(binary)]:
                each.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            end_running()
            raise
    return total


def main(options: list[str]) -> int:
    if options == ["--self-test"]:
        self_test()
        return 0
    # `kill`, and a terminal that is closed, end the tests as Ctrl-C does.
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler)
    if options[:1] == ["--without-programs"]:
        options = options[1:]
        # Package.swift leaves them out.
        os.environ["ORIENTATIOND_LEFT_OUT"] = " ".join(PROGRAM_TESTS)
    began = time.monotonic()
    status, _ = run(["swift", "build", "--build-tests", *options], Total(), BUILD_SILENCE, {})
    if status:
        return 1
    built = time.monotonic()
    folder = subprocess.run(
        ["swift", "build", "--show-bin-path", *options], check=True, capture_output=True, text=True).stdout.strip()
    total = test(f"{folder}/orientationdPackageTests.xctest")
    print(*total.lines(), sep="\n", end="")
    print(f"; built in {built - began:.0f} s, run in {time.monotonic() - built:.0f} s")
    return int(bool(total.failed or total.reports))


if __name__ == "__main__":
    # Some tests run programs of other users.
    os.umask(0o022)
    try:
        sys.exit(main(sys.argv[1:]))
    except (KeyboardInterrupt, BrokenPipeError) as error:
        end_running()
        sys.exit("run-tests: interrupted" if isinstance(error, KeyboardInterrupt) else 1)
