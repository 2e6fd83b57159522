#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Let system calls of the programs fail, one in each run, and judge what becomes of the program, the chip and the display.

    run.py PROGRAMS CACHE [ROW...]    PROGRAMS has the built programs, CACHE keeps the Debian with sway; ROW is a situation,
                                      the beginning of a row's name, or a whole name: situation:call:error:when[:path]

strace makes the calls fail. The rows are chosen from a trace of an undisturbed run of each situation. Prints the bad rows and a
table of the outcomes. Needs root, for mounts. Exit status 1 if a row is bad."""

import collections
import contextlib
import multiprocessing
import os
import queue
import resource
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

import stage  # noqa: E402
import chroot  # noqa: E402
import debian_root  # noqa: E402
from calls import Row  # noqa: E402
from situations import SITUATIONS, Outcome  # noqa: E402

GOOD = ("ok", "refused", "not hit")
ROOT = stage.SYSTEM.parents[1]
# Most of its time a row waits.
WORKERS = 2 * (os.cpu_count() or 1)


def prepare(programs: Path, folder: Path) -> None:
    """Hide the sockets and udev's database of this machine, and compile the preloaded libraries and the client in C."""
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
    entries = Path("/run/udev/data")
    entries.mkdir(parents=True)
    (entries.parent / "control").touch()
    for name in ("+iio:iio:device0", "+iio:trigger0", "+input:event4"):
        (entries / name).write_text(f"I:1\n{stage.MATRIX}\nE:ID_INPUT_SWITCH=1\n")
    for name in ("umockdev-signals", "uinput"):
        source = ROOT / f"Tests/Programs/EndToEndTests/Native/{name}.c"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", folder / f"{name}.so", source, "-ldl"], check=True)
    subprocess.run(["cc", "-o", folder / "follow", ROOT / "Examples/clients/follow.c", f"-I{ROOT}/Sources/Client/CLibrary",
                    programs / "liborientation.so.0", f"-Wl,-rpath,{programs}"], check=True)


def work(name: str, programs: Path, folder: Path, root: Path, jobs, results) -> None:
    with contextlib.ExitStack() as stack:
        place = stage.Stage(programs, folder, root, name, stack)
        for situation, row, clean in iter(jobs.get, None):
            try:
                outcome = SITUATIONS[situation](place, row, clean).run()
            except Exception:
                outcome = Outcome("suite", traceback.format_exc())
            results.put((situation, row, outcome))


def show(row: object, outcome: Outcome, programs: Path) -> None:
    """Print a row, the first call that failed, the last lines of the log, and how to repeat it."""
    lines = [f"{row}: {outcome.kind}{': ' * bool(outcome.detail)}{outcome.detail}", outcome.injected[:200],
             *outcome.log.splitlines()[-6:], f"make -C Tests/System failing-calls BIN={programs} 'FAILING={row}'"]
    print("\n    ".join(line for line in lines if line.strip()), flush=True)


def main(programs: Path, cache: Path, chosen: list[str]) -> int:
    began = time.monotonic()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    root = chroot.ensure(cache, only_sway=True)
    debian_root.mount(root, "proc", "dev")
    whole = [Row(*text.split(":", 4)) for text in chosen if text.count(":") >= 3]
    names = [name for name in SITUATIONS if not chosen or any(text.split(":")[0] == name for text in chosen)]
    table: collections.Counter = collections.Counter()
    jobs, results = multiprocessing.Queue(), multiprocessing.Queue()
    with tempfile.TemporaryDirectory(prefix="failing-calls-") as folder:
        prepare(programs, Path(folder))
        workers = [
            multiprocessing.Process(target=work, args=(str(number), programs, Path(folder), root, jobs, results), daemon=True)
            for number in range(WORKERS)]
        for worker in workers:
            worker.start()
        # The undisturbed runs come first; each adds its rows.
        pending = [jobs.put((name, None, None)) for name in names]
        while pending:
            try:
                situation, row, outcome = results.get(timeout=5)
            except queue.Empty:
                if all(worker.is_alive() for worker in workers):
                    continue
                sys.exit(f"failing-calls: a process of the suite has ended: {[worker.exitcode for worker in workers]}")
            pending.pop()
            if row or outcome.kind != "ok":
                table[situation, outcome.kind] += 1
            if not row and outcome.kind == "ok":
                rows = [each for each in whole if each.situation == situation] or [
                    each for each in outcome.rows if not chosen or any(str(each).startswith(text) for text in chosen)]
                pending += [jobs.put((situation, each, outcome)) for each in rows]
            elif outcome.kind not in GOOD or whole or not row:
                show(row or situation, outcome, programs)
        for _ in workers:
            jobs.put(None)
        for worker in workers:
            worker.join()
    kinds = sorted({kind for _, kind in table}, key=lambda kind: (kind not in GOOD, kind))
    print("\n" + " " * 16 + "".join(f"{kind:>18}" for kind in kinds))
    for name in names:
        print(f"{name:16}" + "".join(f"{table[name, kind] or '':>18}" for kind in kinds))
    bad = sum(count for (_, kind), count in table.items() if kind not in GOOD)
    failures = sum(count for (_, kind), count in table.items() if kind != "not hit")
    print(f"\n{failures} failures, {bad} bad rows in {time.monotonic() - began:.0f} s")
    return 1 if bad or not failures else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    debian_root.enter_namespace()
    # Ends the programs too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3:]))
