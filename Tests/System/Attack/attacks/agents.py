# SPDX-License-Identifier: Apache-2.0
"""Other users, and programs of the same user, at the socket of the session agent."""

import contextlib
import os
import shutil
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import varlink
from attack import FAILS, Attack, Environment, Skipped, Target
from daemon import READY, Daemon
from users import DAEMON, REFERENCE, become

INTERFACE = "org.orientationd.Display"
# The most connections of one user, and those that each of two attackers keeps.
MOST, KEPT = 112, 50
# The maximum number of log lines of a row: a burst, and one each second.
LINES = 150
LANDSCAPE = ["landscapeLeft", "landscapeRight"]
RUBBISH = [b"x" * 70_000, b"[[[[\0", b"\0", b'{"method":1}\0', b"\xff\xfe\0",
           varlink.message(f"{INTERFACE}.Hold", supported=["up"]), varlink.message(f"{INTERFACE}.Hold", supported=[]),
           varlink.message(f"{INTERFACE}.Hold", supported=["portrait"], appId="a" * 300),
           varlink.message(f"{INTERFACE}.Hold", supported=["portrait"] * 3_000)]


def hold(*orientations: str, more: bool = True) -> bytes:
    return varlink.message(f"{INTERFACE}.Hold", more, supported=list(orientations))


class Agent(Daemon):
    """The agent of a session: on an X server without a screen, with a daemon that has a simulated device. The reference
    client is a program of the session, which is connected before the attack, and another one holds an orientation."""

    method, reconnects = f"{INTERFACE}.Explain", False

    def __init__(self, environment: Environment) -> None:
        if not shutil.which("Xvfb"):
            raise Skipped("Xvfb: not found")
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-screen", "0", "640x400x24", "-nolisten", "tcp", "-noreset", "-ac"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        display = ":" + self.server.stdout.readline().strip()
        self.source = Daemon(environment.programs, environment.folder)
        runtime = environment.folder / "runtime"
        runtime.mkdir(mode=0o700)
        os.chown(runtime, DAEMON, DAEMON)
        self.path, self.log = str(runtime / "orientation-autorotate/socket"), environment.folder / "agent.log"
        self.memory = None
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [environment.programs / "orientation-autorotate", "--socket", self.source.path, "--on-exit", "keep"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, preexec_fn=lambda: become(DAEMON), cwd="/",
                env={"PATH": "/usr/bin:/bin", "DISPLAY": display, "XDG_RUNTIME_DIR": str(runtime), "HOME": str(runtime)})
        self.pid = self.process.pid
        self.wait_until_ready()
        self.holder = varlink.Client(self.path)
        self.holder.socket.sendall(hold("landscapeRight"))
        self.holder.receive()

    @property
    def is_holding(self) -> bool:
        """Whether the hold is served: its changes can be read, and then nothing follows."""
        self.holder.limit(0.1)
        try:
            while True:
                self.holder.receive()
        except BlockingIOError:
            return True
        except (OSError, EOFError, varlink.Refused):
            return False

    def end(self, seconds: float = READY) -> str:
        try:
            return super().end(seconds)
        finally:
            self.source.end()
            self.server.terminate()
            self.server.wait()


class OwnAgent(Agent):
    """An agent that programs of its user attack."""

    reference = DAEMON

    def attacker(self, number: int) -> int:
        return DAEMON


@contextlib.contextmanager
def own(environment: Environment) -> Iterator[Daemon]:
    """The agent, and attackers that are programs of its user."""
    yield from serve(environment, OwnAgent(environment))


@contextlib.contextmanager
def foreign(environment: Environment) -> Iterator[Daemon]:
    """The agent, and attackers that are other users."""
    agent = OwnAgent(environment)
    agent.attacker = lambda number: REFERENCE + 1 + number
    yield from serve(environment, agent)


@contextlib.contextmanager
def exposed(environment: Environment) -> Iterator[Daemon]:
    """The same with a socket that all users can connect to: the agent itself refuses them."""
    agent = OwnAgent(environment)
    agent.attacker = lambda number: REFERENCE + 1 + number
    for path in (Path(agent.path), *Path(agent.path).parents[:2]):
        path.chmod(0o777)
    yield from serve(environment, agent)


def serve(environment: Environment, agent: Agent) -> Iterator[Daemon]:
    try:
        yield agent
    finally:
        ended = agent.end()
        environment.expect(not ended, ended)


def connect_as_other_user(target: Target) -> None:
    """Connect to the socket, list and change its directory."""
    folder = Path(target.path).parent
    for _ in target.attempts():
        for attempt in (target.connect, lambda: os.listdir(folder), lambda: (folder / "socket").unlink(),
                        lambda: (folder / "new").write_text("")):
            try:
                attempt()
            except PermissionError:
                continue
            raise RuntimeError("another user has access")


def hold_as_other_user(target: Target) -> None:
    """Hold orientations of another user's display, and keep as many connections as possible."""
    for _ in target.attempts():
        for client in varlink.connect_all(target.path, 40):
            with contextlib.suppress(OSError, EOFError), client:
                client.limit(max(target.left, 0.05))
                client.socket.sendall(hold("portrait"))
                try:
                    client.receive()
                except varlink.Refused:
                    continue
                raise RuntimeError("another user holds an orientation")


def exhaust_connections(target: Target) -> None:
    """Keep as many holds as possible; half of the clients never read, and one changes its hold all the time."""
    clients = varlink.connect_all(target.path, MOST)
    del clients[KEPT:]
    for client in clients:
        with contextlib.suppress(OSError):
            client.socket.setblocking(False)
            client.socket.send(hold(*LANDSCAPE))
    for round, _ in enumerate(target.attempts()):
        with contextlib.suppress(*FAILS), target.connect() as client:
            for number in range(50):
                client.socket.sendall(hold(LANDSCAPE[(round + number) % 2], more=False))
                client.receive()
        for client in clients[::2]:
            with contextlib.suppress(OSError):
                client.socket.recv(1 << 16)


def hostile(target: Target) -> None:
    """Send rubbish, pipeline holds without reading, and disconnect at every stage of a call."""
    call = hold("portrait", more=False)
    for round, _ in enumerate(target.attempts()):
        with contextlib.suppress(*FAILS), target.connect() as client:
            client.socket.sendall(RUBBISH[round % len(RUBBISH)])
            client.socket.recv(1 << 16)
        with contextlib.suppress(*FAILS), target.connect() as client:
            client.socket.setblocking(False)
            client.socket.send(call * 500)
        with contextlib.suppress(*FAILS), target.connect() as client:
            client.socket.sendall(call[:round % len(call)])


def grab_display(target: Target) -> None:
    """Grab the X server, and change a property that the agent reads: it waits for the server until the end."""
    number = next(Path(target.path).parent.glob(":*.lock")).stem[1:]
    with socket.socket(socket.AF_UNIX) as server, server.makefile("rb") as replies:
        server.connect(f"/tmp/.X11-unix/X{number}")
        server.sendall(struct.pack("<BxHHHHxx", ord("l"), 11, 0, 0, 0))
        setup = replies.read(4 * struct.unpack("<6xH", replies.read(8))[0])
        vendor, formats = struct.unpack_from("<H3xB", setup, 16)
        root, = struct.unpack_from("<I", setup, 32 + (vendor + 3) // 4 * 4 + 8 * formats)
        # GrabServer; then WM_CLASS of the root window, a string without characters.
        server.sendall(struct.pack("<BxH", 36, 1))
        for _ in target.attempts():
            server.sendall(struct.pack("<BBHIIIBxxxI", 18, 0, 6, root, 67, 31, 8, 0))
            time.sleep(0.1)


def still_holds(environment: Environment, daemon: Daemon) -> None:
    environment.expect(daemon.is_holding, "the hold of the reference program has ended")
    lines = len(daemon.log_text().splitlines())
    environment.expect(lines <= LINES, f"{lines} lines in the log of the agent")
    environment.remarks.append(f"{lines} log lines of the agent")


ROWS = [
    Attack("agent: other users", connect_as_other_user, foreign, attackers=2, after=still_holds),
    Attack("agent: other users, socket open", hold_as_other_user, exposed, attackers=3, after=still_holds),
    Attack("agent: holds, half of the clients never read", exhaust_connections, own, attackers=2, after=still_holds),
    Attack("agent: hostile programs", hostile, own, attackers=3, after=still_holds),
    # Longer than any timeout of the agent but that of the policy.
    Attack("agent: grabbed X server", grab_display, own, seconds=12.0, rounds=1, after=still_holds),
]
