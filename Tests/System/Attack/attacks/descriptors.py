# SPDX-License-Identifier: Apache-2.0
"""Passed descriptors with a slow close: the last reference to a TCP socket with unsent data and SO_LINGER.

The kernel closes a passed descriptor in the receiver, or in the process that closes a connection with it unread."""

import contextlib
import os
import socket
import struct
import time
from collections.abc import Iterator

import varlink
from attack import FAILS, Attack, Environment, Target
from daemon import Daemon
from users import ATTACKER, Child

# Seconds that the close of such a socket blocks. Longer than a round: the attacker's exit resets it.
LINGER = 30
# The timeout in seconds for the daemon's exit while it holds such sockets, with the close of a sensor on a busy machine.
END = 10
# The maximum per message (SCM_MAX_FD).
MOST = 253
CALL = varlink.message("org.varlink.service.GetInfo")
MONITOR = varlink.message(f"{varlink.ORIENTATION}.Monitor", more=True)
# Connections that hold descriptors when the daemon ends.
HELD = 40
NOT_PASSED = "the kernel refuses to pass descriptors to this service"


class SlowSockets:
    """Makes sockets with a slow close, which the end of this process resets."""

    def __init__(self) -> None:
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen(1024)

    def make(self) -> socket.socket:
        made = socket.socket()
        made.connect(self.listener.getsockname())
        made.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, LINGER))
        made.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                made.send(b"x" * (1 << 20))
        return made


def give(client: varlink.Client, data: bytes, sockets: SlowSockets, count: int = 1) -> str | None:
    """Send data with `count` descriptors, one of which is the last reference to a slow socket."""
    slow = sockets.make()
    others = [os.dup(0) for _ in range(count - 1)]
    try:
        socket.send_fds(client.socket, [data], [*others, slow.fileno()])
    except OSError as error:
        # The descriptor was not passed: its close here must not block.
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if not isinstance(error, PermissionError):
            raise
        # SO_PASSRIGHTS.
        return NOT_PASSED
    finally:
        slow.close()
        for other in others:
            os.close(other)
    return None


def read(target: Target, count: int = 1) -> str | None:
    """Pass descriptors with a call that the daemon reads."""
    sockets, remark = SlowSockets(), None
    for _ in target.attempts():
        with contextlib.suppress(*FAILS), target.connect() as client:
            # Keeps the daemon busy: if it received first, the last reference would be the one in this process.
            client.socket.sendall(CALL * 1000)
            remark = give(client, CALL, sockets, count)
            while client.receive():
                pass
    return remark


def unread(target: Target) -> str | None:
    """Pass descriptors behind sixteen waiting calls, which the daemon does not read, and disconnect."""
    sockets, remark = SlowSockets(), None
    for _ in target.attempts():
        with contextlib.suppress(*FAILS), target.connect() as client:
            # More than the daemon reads at once: the rest stays in the socket.
            client.socket.sendall(MONITOR + CALL * 1700)
            client.receive()
            remark = give(client, CALL, sockets)
    return remark


def refused(target: Target) -> str | None:
    """Pass descriptors on a connection above the user's limit, which is closed unread."""
    sockets, remark = SlowSockets(), None
    held = varlink.connect_all(target.path, 32)
    for _ in target.attempts():
        with contextlib.suppress(*FAILS), target.connect() as client:
            remark = give(client, CALL, sockets)
            client.receive()
    held.clear()
    return remark


def many(target: Target) -> str | None:
    """Pass the maximum number of descriptors per message."""
    return read(target, MOST)


@contextlib.contextmanager
def with_files(environment: Environment, files: int = 8192, is_old: bool = False) -> Iterator[Daemon]:
    preload = environment.natives["oldkernel.so"] if is_old else None
    daemon = Daemon(environment.programs, environment.folder, files=files, preload=preload)
    try:
        yield daemon
    finally:
        ended = daemon.end()
        environment.expect(not ended, ended)


@contextlib.contextmanager
def queued(environment: Environment) -> Iterator[Daemon]:
    """Queue connections with descriptors at a socket-activated listener before the daemon starts."""
    path = str(environment.folder / "socket")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        os.chmod(path, 0o666)
        listener.listen(64)

        def wait_for_the_daemon() -> None:
            sockets, clients = SlowSockets(), varlink.connect_all(path, 8)
            for client in clients:
                give(client, CALL, sockets)
            # Half of them are closed before they are accepted.
            del clients[4:]
            time.sleep(60)

        attacker = Child(ATTACKER + 100, wait_for_the_daemon)
        try:
            time.sleep(0.5)
            daemon = Daemon(environment.programs, environment.folder, listener=listener)
        except RuntimeError:
            attacker.end()
            raise
    try:
        yield daemon
    finally:
        attacker.end()
        ended = daemon.end()
        environment.expect(not ended, ended)


@contextlib.contextmanager
def stopping(environment: Environment) -> Iterator[Daemon]:
    """End the daemon while connections have unread descriptors, and others wait to be closed."""
    daemon = Daemon(environment.programs, environment.folder, preload=environment.natives["oldkernel.so"])
    attacker = None

    def hold() -> None:
        sockets, clients = SlowSockets(), []
        # The daemon reads the descriptor of every second connection only.
        for number in range(HELD):
            client = varlink.Client(daemon.path)
            if number % 2:
                client.socket.sendall(MONITOR + CALL * 1700)
                client.receive()
            give(client, CALL, sockets)
            clients.append(client)
        (environment.folder / "attacker/ready").touch()
        time.sleep(2 * LINGER)

    try:
        yield daemon
        folder = environment.folder / "attacker"
        folder.mkdir()
        os.chown(folder, ATTACKER + 100, ATTACKER + 100)
        attacker = Child(ATTACKER + 100, hold)
        while not (folder / "ready").exists() and attacker.is_running:
            time.sleep(0.02)
        environment.expect((folder / "ready").exists(), "the attacker could not pass descriptors")
    finally:
        start = time.monotonic()
        ended = daemon.end(END)
        environment.expect(not ended, ended)
        environment.remarks.append(f"ended in {time.monotonic() - start:.1f} s, with {HELD} descriptors passed")
        if attacker:
            attacker.end()


def old(environment: Environment) -> contextlib.AbstractContextManager[Daemon]:
    return with_files(environment, is_old=True)


def scarce(environment: Environment) -> contextlib.AbstractContextManager[Daemon]:
    """A daemon with almost no descriptors left for passed ones."""
    return with_files(environment, files=160, is_old=True)


ROWS = [
    Attack("descriptors, read", read, attackers=3, seconds=7, rounds=1),
    Attack("descriptors, unread", unread, seconds=7, rounds=1),
    Attack("descriptors, refused connection", refused, attackers=3, seconds=7, rounds=1),
    Attack("descriptors, before 6.16: read", read, attackers=3, stage=old, seconds=7, rounds=1),
    Attack("descriptors, before 6.16: unread", unread, stage=old, seconds=7, rounds=1),
    Attack("descriptors, before 6.16: refused", refused, attackers=3, stage=old, seconds=7, rounds=1),
    Attack("descriptors, 253 at once", many, stage=old, seconds=7, rounds=1),
    Attack("descriptors, EMFILE", many, stage=scarce, seconds=7, rounds=1),
    Attack("descriptors, queued before the start", read, stage=queued, rounds=1),
    Attack("descriptors, while the daemon ends", unread, stage=stopping, rounds=1),
]
