# SPDX-License-Identifier: Apache-2.0
"""Hostile services: `orientationctl` must end in time, without a crash, and print no control characters of any reply."""

import contextlib
import itertools
import json
import os
import pty
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from attack import Outcome, Environment
from attacks.descriptors import SlowSockets
from text import raw_control_characters
from users import ATTACKER, REFERENCE, Child

COMMANDS = [
    ["status"], ["status", "--json"], ["watch", "--plain", "--count", "3", "--duration", "2"],
    ["watch", "--json", "--count", "3", "--duration", "2"], ["sensors"], ["sensors", "--json"],
    ["record", "--duration", "1", "-"], ["record", "--csv", "--duration", "1", "-"], ["lock", "portrait-primary"],
    ["doctor"], ["doctor", "--json"], ["watch", "--duration", "1"],
]
# Seconds after which a command gets SIGINT: `watch` waits for a valid service.
INTERRUPTED = 8
# The timeout of a command in seconds, and its maximum memory and descriptors.
TIMEOUT, MEMORY, DESCRIPTORS = 30, 256 * 1024, 64
CONTROL = "\x1b]0;owned\x07\x9b31m\u202e\u2066\u2028\r"
FLOATS, INTEGERS = [1e30, -1e308, 5e-324, 1e308], [2**63 - 1, -2**63, 0, 2**53 + 1]


def values(float_: float, integer: int, text: str) -> dict[str, dict]:
    """Return valid replies of every method."""
    state = {"orientation": "portrait", "lastEdge": "portrait", "tilt": float_, "disturbance": float_, "locked": True,
             "lockedTo": "portrait", "tabletMode": True, "sequence": integer, "instance": text, "timestamp": integer,
             "sensor": text, "reason": text}
    vector, matrix = [float_] * 3, [float_] * 9
    sensor = {"id": text, "name": text, "driver": text, "location": text, "chosen": True, "why": text, "matrix": matrix,
              "matrixSource": text, "warnings": [text], "lastVector": vector, "lastError": text}
    samples = [{"timestamp": integer, "x": float_, "y": float_, "z": float_, "raw": vector}] * 3
    origin = {"device": text, "driver": text, "scale": vector, "offset": vector, "matrix": matrix, "matrixSource": text,
              "sense": text, "rate": float_, "classifier": text}
    return {
        "Get": {"state": state}, "Orientation.Monitor": {"state": state}, "ListSensors": {"sensors": [sensor, sensor]},
        "Motion.Monitor": {"samples": samples, "origin": origin, "reason": text},
        "Status": {"version": text, "instance": text, "uptime": float_, "source": text, "sensor": text, "chipRate": float_,
                   "sampleRate": float_, "subscribers": integer,
                   "connections": [{"user": integer, "connections": integer, "subscribers": integer}],
                   "samples": integer, "dropped": integer, "changes": integer,
                   "failures": [{"timestamp": integer, "reason": text}]},
        "SetRotationLock": {"notKept": text},
        "ToggleRotationLock": {"locked": True, "lockedTo": "portrait", "notKept": text},
        "GetInfo": {"vendor": text, "product": text, "version": text, "url": text, "interfaces": [text]},
    }


def reply(method: str, float_: float = 1.0, integer: int = 1, text: str = "x", more: bool = False) -> bytes:
    parameters = next((found for end, found in values(float_, integer, text).items() if method.endswith(end)), {})
    return json.dumps({"parameters": parameters, **({"continues": True} if more else {})}).encode() + b"\0"


def ordinary(method: str, more: bool) -> Iterator[bytes]:
    for sequence in range(1, 9):
        yield reply(method, integer=sequence, more=more)


def extreme(method: str, more: bool) -> Iterator[bytes]:
    for float_, integer in itertools.product(FLOATS, INTEGERS):
        yield reply(method, float_, integer, more=more)


def control_characters(method: str, more: bool) -> Iterator[bytes]:
    for _ in range(3):
        yield reply(method, text=CONTROL, more=more)


def evil_errors(method: str, more: bool) -> Iterator[bytes]:
    error = {"error": CONTROL if more else "org.orientationd.Control.PermissionDenied",
             "parameters": {"needs": CONTROL, "reason": CONTROL, "limit": CONTROL, "maximum": 2**63 - 1}}
    yield json.dumps(error).encode() + b"\0"


def without_end(method: str, more: bool) -> Iterator[bytes]:
    """One message that never ends."""
    yield b'{"parameters":{"state":{"reason":"'
    while True:
        yield b"x" * (1 << 16)


def replies_without_end(method: str, more: bool) -> Iterator[bytes]:
    while True:
        yield reply(method, more=True) * 50


def misshapen(method: str, more: bool) -> Iterator[bytes]:
    """Yield replies with wrong types in every position, and with deep nesting."""
    text = reply(method, more=more).decode()
    for old, new in [('"x"', "[[{}]]"), ("1.0", '"x"'), (": 1", ": 1e400"), ("true", "null"), ("{", "[" * 5000 + "{")]:
        yield text.replace(old, new).encode()
    yield b'{"parameters":' + b'{"state":' * 20_000 + b"\0" + b"\xff\xfe\0" + b"\0" * 1000


def silent(method: str, more: bool) -> Iterator[bytes]:
    return iter(())


class Service:
    """Accepts connections and replies to each call with the parts of `answer`, with descriptors if `passes`."""

    def __init__(self, path: str, answer: Callable[[str, bool], Iterator[bytes]], passes: bool) -> None:
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        os.chmod(path, 0o666)
        self.listener.listen(64)
        self.answer, self.sockets = answer, SlowSockets() if passes else None

    def serve(self) -> None:
        while True:
            threading.Thread(target=self.talk, args=(self.listener.accept()[0],), daemon=True).start()

    def talk(self, connection: socket.socket) -> None:
        rest = b""
        with connection, contextlib.suppress(OSError, ValueError):
            while data := connection.recv(1 << 16):
                *calls, rest = (rest + data).split(b"\0")
                for text in calls:
                    call = json.loads(text)
                    for part in self.answer(call["method"], call.get("more", False)):
                        self.send(connection, part)

    def send(self, connection: socket.socket, part: bytes) -> None:
        if not self.sockets:
            return connection.sendall(part)
        slow = self.sockets.make()
        try:
            socket.send_fds(connection, [part], [os.dup(0)] * 100 + [slow.fileno()])
        except PermissionError:
            connection.sendall(part)
        finally:
            slow.detach()


@dataclass
class ServiceAttack:
    """A row without a daemon."""

    name: str
    answer: Callable[[str, bool], Iterator[bytes]]
    passes: bool = False

    def make(self, programs: Path, natives: dict[str, Path]) -> Outcome:
        with TemporaryDirectory(prefix="attack-") as name:
            folder = Path(name)
            os.chown(folder, ATTACKER, ATTACKER)
            folder.chmod(0o755)
            environment = Environment(programs, folder, natives)
            path = str(folder / "socket")
            child = Child(ATTACKER, lambda: Service(path, self.answer, self.passes).serve())
            try:
                while not os.path.exists(path):
                    time.sleep(0.01)
                with ThreadPoolExecutor(len(COMMANDS)) as pool:
                    for done in [pool.submit(self.run, environment, path, words) for words in COMMANDS]:
                        done.result()
            finally:
                child.end()
            return Outcome(None, None, None, environment)

    def run(self, environment: Environment, path: str, words: list[str]) -> None:
        title = f"orientationctl {' '.join(words)}"
        output = environment.folder / f"output{COMMANDS.index(words)}"
        # The live picture, for which there has to be a terminal.
        is_live = words == COMMANDS[-1]
        master, terminal = pty.openpty() if is_live else (None, None)
        with open(output, "wb") as file:
            program = subprocess.Popen(
                # Not preexec_fn, which is not for a process with threads.
                ["setpriv", f"--reuid={REFERENCE}", f"--regid={REFERENCE}", "--clear-groups",
                 environment.programs / "orientationctl", "--socket", path, *words],
                stdin=terminal or subprocess.DEVNULL, stdout=terminal or file, stderr=terminal or file, cwd="/",
                env={"PATH": "/usr/bin:/bin", "SWIFT_BACKTRACE": "enable=no", "TERM": "xterm", "HOME": "/nonexistent"})
        drawn = b""
        passed, start, most, is_interrupted = 0.0, time.monotonic(), 0, False
        while True:
            pid, status, usage = os.wait4(program.pid, os.WNOHANG)
            if pid:
                break
            with contextlib.suppress(OSError):
                most = max(most, len(os.listdir(f"/proc/{program.pid}/fd")))
            passed = time.monotonic() - start
            if passed > INTERRUPTED and words[0] == "watch" and not is_interrupted:
                is_interrupted = True
                program.send_signal(signal.SIGINT)
            if passed > TIMEOUT:
                environment.expect(False, f"{title} did not end within {TIMEOUT} s")
                program.kill()
                _, status, usage = os.wait4(program.pid, 0)
                break
            time.sleep(0.02)
            if is_live:
                drawn += read_now(master)
        program.returncode = os.waitstatus_to_exitcode(status)
        environment.expect(program.returncode >= 0 or passed > TIMEOUT, f"{title} ended with signal {-program.returncode}")
        environment.expect(usage.ru_maxrss < MEMORY, f"{title} took {usage.ru_maxrss} KiB")
        environment.expect(most < DESCRIPTORS, f"{title} had {most} descriptors")
        if is_live:
            os.close(master)
            os.close(terminal)
            # A picture contains control sequences.
            found = [word for word in ("\x1b]", "\x9b", "\u202e", "\u2066") if word in drawn.decode(errors="replace")]
        else:
            found = raw_control_characters(output.read_bytes()[:1 << 24])
        environment.expect(not found, f"{title} prints {found}")


def read_now(terminal: int) -> bytes:
    os.set_blocking(terminal, False)
    try:
        return os.read(terminal, 1 << 20)
    except OSError:
        return b""


ROWS = [
    ServiceAttack("service: extreme numbers", extreme),
    ServiceAttack("service: control characters", control_characters),
    ServiceAttack("service: control characters in errors", evil_errors),
    ServiceAttack("service: a message without end", without_end),
    ServiceAttack("service: replies without end", replies_without_end),
    ServiceAttack("service: types and nesting", misshapen),
    ServiceAttack("service: silence", silent),
    ServiceAttack("service: descriptors with each reply", ordinary, passes=True),
]
