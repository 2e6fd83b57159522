# SPDX-License-Identifier: Apache-2.0
"""The daemon under attack, as its own user."""

import contextlib
import os
import resource
import signal
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import varlink
from users import ATTACKER, DAEMON, REFERENCE, become

# The timeouts in seconds for the start of the daemon, and for the release of all resources after an attack.
READY, SETTLE = 20.0, 30.0


@dataclass
class Size:
    """The resources of a process."""

    descriptors: int
    kibibytes: int
    threads: int


class MemoryGroup:
    """A control group that accounts memory as that of the unit does, with the kernel's, such as socket buffers."""

    def __init__(self, folder: Path, peak: str) -> None:
        folder.mkdir()
        self.folder, self.name = folder, peak

    @classmethod
    def make(cls) -> "MemoryGroup | None":
        """Create a group; return None if the root group does not account memory."""
        cls.made += 1
        name = f"orientationd-attack-{os.getpid()}-{cls.made}"
        root, old = Path("/sys/fs/cgroup"), Path("/sys/fs/cgroup/memory")
        with contextlib.suppress(OSError):
            if (old / "memory.max_usage_in_bytes").exists():
                return cls(old / name, "memory.max_usage_in_bytes")
            if "memory" in (root / "cgroup.subtree_control").read_text().split():
                return cls(root / name, "memory.peak")
        return None

    made = 0

    def enter(self) -> None:
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def peak(self) -> int:
        """Return the peak memory in KiB; 0 before Linux 5.19, which does not record it."""
        with contextlib.suppress(OSError):
            return int((self.folder / self.name).read_text()) // 1024
        return 0

    def remove(self) -> None:
        # The kernel takes the process out of it a moment after its end.
        for _ in range(100):
            try:
                return self.folder.rmdir()
            except OSError:
                time.sleep(0.01)


class Daemon:
    """The daemon in its own directory."""

    # The user of the reference client, the method that it calls, and whether every second call is on a new connection.
    reference, method, reconnects = REFERENCE, varlink.GET, True

    def attacker(self, number: int) -> int:
        """Return the user of an attacker."""
        return ATTACKER + number

    def __init__(
        self, programs: Path, folder: Path, arguments: tuple[str, ...] = ("--sensor", "fake:"), *,
        preload: Path | None = None, files: int = 8192, listener: socket.socket | None = None, user: int = DAEMON,
        environment: dict[str, str] | None = None,
    ) -> None:
        self.path, self.log = str(folder / "socket"), folder / "log"
        environment = {"PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no", **(environment or {})}
        self.memory = MemoryGroup.make()
        if preload:
            environment["LD_PRELOAD"] = str(preload)
        command = [str(programs / "orientationd"), "--socket", self.path, "--state-directory", str(folder), *arguments]
        if listener:
            # As systemd passes a socket: descriptor 3, for the process that the shell becomes.
            command = ["sh", "-c", 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"', "sh", *command]

        def prepare() -> None:
            if listener:
                os.dup2(listener.fileno(), 3)
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(files, 1024), files))
            if self.memory:
                self.memory.enter()
            become(user)

        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, cwd="/",
                preexec_fn=prepare, pass_fds=(3,) if listener else (), close_fds=True)
        self.pid = self.process.pid
        try:
            self.wait_until_ready()
        except RuntimeError:
            self.end()
            raise

    @classmethod
    def adopt(cls, folder: Path, process: subprocess.Popen, pid: int) -> "Daemon":
        """Wrap a daemon that is a child of `process`, which ends with it."""
        daemon = cls.__new__(cls)
        daemon.path, daemon.log = str(folder / "socket"), folder / "log"
        daemon.process, daemon.pid, daemon.memory = process, pid, None
        daemon.wait_until_ready()
        return daemon

    def wait_until_ready(self) -> None:
        end = time.monotonic() + READY
        while True:
            try:
                with varlink.Client(self.path) as client:
                    client.call("org.varlink.service.GetInfo")
                return
            except (OSError, EOFError) as error:
                if self.has_ended or time.monotonic() > end:
                    raise RuntimeError(f"the daemon did not start: {error}: {self.log_text()}") from error
                time.sleep(0.02)

    @property
    def is_running(self) -> bool:
        """Whether the daemon runs; a zombie does not."""
        with contextlib.suppress(OSError):
            return Path("/proc", str(self.pid), "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
        return False

    @property
    def has_ended(self) -> bool:
        return not self.is_running

    def log_text(self) -> str:
        return self.log.read_text(errors="surrogateescape")

    def size(self) -> Size:
        folder = Path("/proc", str(self.pid))
        lines = (folder / "smaps_rollup").read_text().splitlines()
        anonymous = next(int(line.split()[1]) for line in lines if line.startswith("Anonymous:"))
        return Size(len(os.listdir(folder / "fd")), anonymous, len(os.listdir(folder / "task")))

    def peak(self) -> int:
        """Return the peak memory in KiB, with the kernel's for its sockets if the control group accounts it."""
        status = Path("/proc", str(self.pid), "status").read_text().splitlines()
        resident = next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
        return max(resident, self.memory.peak() if self.memory else 0)

    def settled(self, descriptors: int, kibibytes: int) -> Size:
        """Wait until the size is within the limits, or for SETTLE seconds; return the size."""
        end = time.monotonic() + SETTLE
        while True:
            size = self.size()
            if size.descriptors <= descriptors and size.kibibytes <= kibibytes or time.monotonic() > end:
                return size
            time.sleep(0.05)

    def reload(self) -> None:
        os.kill(self.pid, signal.SIGHUP)

    def end(self, seconds: float = SETTLE) -> str:
        """End the daemon; return an error message, or an empty string."""
        with contextlib.suppress(ProcessLookupError):
            self.process.terminate()
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return f"the daemon did not end within {seconds:.0f} s of SIGTERM"
        finally:
            if self.memory:
                self.memory.remove()
        return "" if status == 0 else f"the daemon exited with status {status}: {self.log_text()[-300:]}"
