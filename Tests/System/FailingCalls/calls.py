# SPDX-License-Identifier: Apache-2.0
"""The rows: which call of a program fails, with which error, and when. They are chosen from a trace of an undisturbed run."""

import collections
import math
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

# The errors with which the kernel can refuse each call.
ERRORS = {call: errors.split() for calls, errors in {
    "openat": "EMFILE EIO ENOMEM EACCES EINTR ENFILE",
    "read pread64": "EIO EINTR ETIMEDOUT EAGAIN", "write": "EIO ENOSPC EBUSY EINTR EAGAIN EPIPE",
    # Not EPIPE for the project's own protocol: then a program reads to the end of the stream, which would not come.
    "sendto": "ENOBUFS EAGAIN ENOMEM EINTR", "sendmsg": "ENOBUFS EAGAIN ENOMEM EPIPE ECONNRESET EINTR",
    "recvfrom recvmsg": "EINTR EAGAIN ENOMEM ECONNRESET",
    "connect": "ECONNREFUSED EAGAIN EACCES EINTR", "accept4": "EMFILE ENFILE ENOMEM ECONNABORTED EAGAIN EINTR",
    "socket socketpair pipe2 eventfd2 timerfd_create signalfd4 inotify_init1 epoll_create1 memfd_create fcntl dup3":
        "EMFILE ENFILE ENOMEM",
    "bind": "EADDRINUSE EACCES ENOSPC", "listen": "EADDRINUSE", "getsockopt setsockopt getsockname": "ENOBUFS",
    "epoll_ctl": "ENOMEM ENOSPC", "inotify_add_watch": "ENOSPC ENOMEM EACCES", "epoll_wait epoll_pwait poll ppoll": "EINTR",
    "clone3 clone vfork": "EAGAIN ENOMEM", "execve": "ENOMEM EACCES", "mmap": "ENOMEM", "ioctl": "EINTR EIO",
    "fsync ftruncate rename renameat": "EIO ENOSPC", "unlink unlinkat": "EACCES EIO", "mkdir": "ENOSPC EACCES",
    "flock": "EINTR ENOLCK", "fchmod chmod": "EPERM", "clock_nanosleep": "EINTR",
    "newfstatat statx readlink readlinkat getdents64 access faccessat2": "EIO ENOMEM EACCES",
}.items() for call in calls.split()}
# Made for each part of each path: a sample is enough.
FREQUENT = re.compile("newfstatat|statx|readlink|getdents|f?access")
# Matched with the call, its object and the error: what the kernel never does, and what umockdev's library does by itself.
IMPOSSIBLE = re.compile(
    r"write (eventfd|timerfd)|read (eventfd|timerfd|signalfd|inotify) (?!EAGAIN)|read (?!MACHINE/).* ETIMEDOUT"
    r"|read (?!MACHINE/|pipe|eventfd|timerfd|signalfd|inotify).* EAGAIN|write (?!FOLDER/).* ENOSPC"
    r"|write (FOLDER|MACHINE)/.* (EAGAIN|EPIPE)|write (?!MACHINE/).* EBUSY|f?access(at2)? MACHINE/")
# Objects of the dynamic linker, of libc and of umockdev's library, and calls for memory and flags.
SKIPPED = re.compile(
    r"\.so\b|^/(opt|usr|lib|sys/devices/system|dev/u?random)|^BIN|^MACHINE/(disabled|ioctl|proc)|^umockdev")
SKIPPED_CALLS = re.compile(r"mmap(?!.*MAP_STACK)|fcntl(?!.*DUPFD)|socket\(AF_UNIX, SOCK_STREAM, 0\)")
PATH = re.compile(r'\w+\((?:AT_FDCWD(?:<[^>]*>)?, )?"(/[^"]*)"')
DESCRIPTOR = re.compile(r"\w+\(\d+<([^>]*)>")
CONNECTED = re.compile(r'connect\(\d+<(socket:\[\d+\])>, \{sa_family=AF_UNIX, sun_path=@?"([^"]*)"')
ACCEPTED = re.compile(r"accept4.*= \d+<(socket:\[\d+\])>")
# The objects of which more calls fail: the chip, and the socket of the compositor.
CENTRAL = re.compile("/iio:device0/|^wayland")
# How many times a call fails in a row in some of the rows.
BURST = 8


@dataclass(frozen=True)
class Row:
    """The `when` is strace's: 5 is the fifth call of a thread, 5..12 is eight calls, 1+ is all. With a path, only calls on it
    count; MACHINE is the emulated machine, FOLDER the folder of the run, SESSION is XDG_RUNTIME_DIR."""

    situation: str
    call: str
    error: str
    when: str
    path: str = ""

    def __str__(self) -> str:
        return ":".join([self.situation, self.call, self.error, self.when] + [self.path] * bool(self.path))

    @property
    def failures(self) -> float:
        return math.inf if self.when.endswith("+") else BURST if ".." in self.when else 1


def options(row: Row | None, roots: dict[str, str]) -> list[str]:
    """Return strace's options for a row, or for a trace of an undisturbed run; `roots` has the directories."""
    if not row:
        return ["-e", f"trace={','.join(f'?{call}' for call in ERRORS)}"]
    first, slash, rest = row.path.partition("/")
    # Connections have the names of the sockets.
    return [*(["-P", roots.get(first, first) + slash + rest] if row.path else []), "-e", f"trace={row.call},connect,accept4",
            "-e", f"inject={row.call}:error={row.error}:when={row.when}"]


@dataclass
class Call:
    """A line of a trace: `at` is the path or the descriptor, and `name` the same in all runs."""

    thread: str
    call: str
    at: str
    name: str
    line: str

    def __str__(self) -> str:
        return f"{self.call} {self.name}"

    @property
    def is_impossible(self) -> bool:
        error = re.search(r"= -1 (E\w+) ", self.line)
        return bool(SKIPPED.search(self.name) or SKIPPED_CALLS.match(self.line)
                    or error and IMPOSSIBLE.match(f"{self} {error[1]}"))


def calls(trace: Iterable[str], roots: dict[str, str]) -> Iterator[Call]:
    """Read a trace, in the order of each thread."""
    begun: dict[str, str] = {}
    labels: dict[str, str] = {}
    for text in trace:
        thread, _, line = text.partition(" ")
        line = line.strip()
        if line.endswith("<unfinished ...>"):
            begun[thread] = line.removesuffix("<unfinished ...>")
            continue
        if line.startswith("<... "):
            line = begun.pop(thread, "") + line.partition("resumed>")[2]
        if found := CONNECTED.match(line):
            labels[found[1]] = "umockdev" if "/ioctl/" in found[2] else Path(found[2]).name
        if found := ACCEPTED.match(line):
            labels[found[1]] = "client"
        found = PATH.match(line) or DESCRIPTOR.match(line)
        at = found[1] if found else ""
        name = next((word + at[len(root):] for word, root in roots.items() if at.startswith(root)), at)
        name = labels.get(at, re.sub(r"anon_inode:|[\[\]]|:\[\d+\]", "", re.sub(r"^/proc/\d+", "proc", name)))
        yield Call(thread, line.partition("(")[0], at, name, line)


def plan(kind, trace: Iterable[str], roots: dict[str, str]) -> list[Row]:
    """Choose the rows of a situation from its trace, while the directories exist."""
    made: collections.Counter = collections.Counter()
    found: dict[tuple[str, str], set[int]] = collections.defaultdict(set)
    for each in calls(trace, roots):
        # A link and its target are one path.
        target = os.path.realpath(each.at) if "/" in each.name and not each.name.startswith("proc/") else ""
        made[each.thread, each.call, target] += 1
        made[each.thread, each.call, ""] += bool(target)
        if each.call in ERRORS and not each.is_impossible and not kind.spared.search(str(each)) and kind.only.search(each.name):
            found[each.call, each.name].add(made[each.thread, each.call, target])
    chosen: list[tuple[int, Row]] = []
    for (call, name), numbers in found.items():
        errors = [error for error in ERRORS[call] if not IMPOSSIBLE.match(f"{call} {name} {error}")]
        numbers, is_path = sorted(numbers), "/" in name and not name.startswith("proc/")
        middle = numbers[len(numbers) // 2]
        whens = [*(numbers if len(numbers) < 8 else [*numbers[:5], middle, *numbers[-2:]]), f"{middle}..{middle + BURST - 1}",
                 *["1+"] * is_path]
        for turn, when in enumerate(whens if errors else ()):
            # Each call on each object once, then more calls on the central ones, then others.
            rank = 3 if FREQUENT.match(call) or isinstance(when, str) else 0 if turn == 0 else 1 if CENTRAL.search(name) else 2
            error = errors[(zlib.crc32(f"{call} {name}".encode()) + turn) % len(errors)]
            chosen.append((rank, Row(kind.name, call, error, str(when), name if is_path else "")))
    # In the same order in each run.
    return [row for _, row in sorted(chosen, key=lambda each: (each[0], zlib.crc32(str(each[1]).encode())))[:kind.rows]]
