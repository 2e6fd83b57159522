# SPDX-License-Identifier: Apache-2.0
"""The situations: a program in use, and what must be true although one of its calls fails."""

import contextlib
import errno
import math
import os
import re
import signal
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import varlink
from calls import Row, calls, options, plan
from daemon import Daemon
from stage import CAPTURED, CHIP, LIMIT, SWITCH, Machine, Program, Stage, wait

# The most lines of a log: one for each step, and for each attempt with exponential backoff.
LINES = 40
# The most seconds of processor time beyond three times that of the undisturbed run.
BUSY = 2.0
# What the programs call a pose: orientation, rotation of the picture, word of SensorProxy and of a display's transform.
POSES = {"portrait": ("portrait", "0", "normal"), "landscapeLeft": ("landscapeLeft", "270", "right-up"),
         "portraitUpsideDown": ("portraitUpsideDown", "180", "bottom-up"), "landscapeRight": ("landscapeRight", "90", "left-up")}
SENSOR_PROXY = r"orientation(?: changed)?: ([\w-]+)"
# Without these, libdispatch ends the program.
DISPATCH = "epoll_|eventfd2|timerfd_create"


class Bad(Exception):
    """A row is bad: the class, and what was seen."""


@dataclass
class Outcome:
    """What became of a row: `ok`, `refused` (ended with a message before its use), `not hit`, or the class of what is bad.
    For an undisturbed run also what a command has done, the processor time, and the chosen rows."""

    kind: str
    detail: str = ""
    injected: str = ""
    log: str = ""
    result: str = ""
    seconds: float = 0.0
    rows: list[Row] = field(default_factory=list)


class Situation:
    name, file = "", "orientationd"
    # The number of rows, the objects of their calls, and the calls and objects that they spare.
    rows, only, spared = 30, re.compile(""), re.compile("(?!)")
    # Whether SIGTERM may end the program, whether it may give up with a message, and the statuses after which its unit does not
    # start it again.
    dies, may_give_up, final = False, False, ()

    def __init__(self, stage: Stage, row: Row | None = None, clean: Outcome | None = None) -> None:
        self.stage, self.row, self.clean = stage, row, clean
        self.lasts = bool(row) and row.failures == math.inf
        self.is_ready, self.daemon = False, None

    def start(self) -> None:
        """Start what the program needs, and the program."""

    def use(self) -> None:
        """Use the program until it has ended."""

    def check(self) -> None:
        """Check what the program has left behind."""

    def result(self) -> str:
        """Return what the program has done."""
        return ""

    def run(self) -> Outcome:
        with tempfile.TemporaryDirectory(dir=self.stage.folder) as name, contextlib.ExitStack() as self.stack:
            self.folder, self.socket = Path(name), f"{name}/daemon/socket"
            self.roots = {"FOLDER": name, "BIN": str(self.stage.programs)}
            outcome = Outcome("ok")
            self.start()
            self.stack.callback(self.program.end)
            try:
                self.use()
                outcome.kind = self.judge()
                self.check()
            except Bad as bad:
                outcome.kind, outcome.detail = bad.args
                # A crash explains what was seen before it.
                if self.program.has_ended and self.program.status < 0:
                    outcome.kind, outcome.detail = "crash", f"signal {-self.program.status}"
            injected = [call for call in calls(self.program.trace, self.roots) if "(INJECTED)" in call.line]
            outcome.injected = injected[0].line if injected else ""
            if self.row and (not injected or any(call.is_impossible or self.spared.search(str(call)) for call in injected)):
                outcome.kind = "not hit"
            if not self.row and outcome.kind == "ok":
                outcome.rows, outcome.result = plan(self, self.program.trace, self.roots), self.result()
            outcome.log, outcome.seconds = self.program.text("log"), self.program.seconds
            return outcome

    def judge(self) -> str:
        """End the program, and judge its end and what it did before."""
        program, ended_itself = self.program, self.program.has_ended
        if not program.end():
            raise Bad("hang", f"does not end within {LIMIT:.0f} s of SIGTERM")
        lines = program.text("log").count("\n")
        if program.status < 0 and not (self.dies and program.status == -signal.SIGTERM):
            raise Bad("crash", f"signal {-program.status}")
        if lines > LINES:
            raise Bad("endless log", f"{lines} lines")
        if program.seconds > BUSY + 3 * (self.clean.seconds if self.clean else 1):
            raise Bad("spin", f"{program.seconds:.1f} s of processor time")
        if not ended_itself and program.status <= 0:
            return "ok"
        if not lines:
            raise Bad("silent end", f"status {program.status}")
        is_final = program.status in self.final and self.row and self.row.error not in ("EACCES", "EPERM")
        if program.status == 0 or is_final or self.is_ready and not self.may_give_up:
            raise Bad("gave up", f"status {program.status}")
        return "refused"

    def expect(self, condition, what: str, kind: str = "stale") -> None:
        """Wait until a condition holds or the program has ended. A failure that lasts excuses what does not come."""
        excused = self.lasts and kind in ("stale", "settings")
        if not wait(lambda: self.program.has_ended or condition(), 2 if excused else LIMIT) and not excused:
            raise Bad(kind, what)

    def run_program(self, *words: object, environment: dict[str, str], preload: str = "") -> None:
        self.program = Program([self.stage.path(self.file), *words], self.folder, environment, preload,
                               options(self.row, self.roots), self.row.failures if self.row else math.inf)

    def start_daemon(self, *arguments: str, environment: dict[str, str] | None = None) -> None:
        """Start a daemon with a simulated device, in which no call fails. The former one ends."""
        if self.daemon:
            self.daemon.end()
        (self.folder / "daemon").mkdir(exist_ok=True)
        self.daemon = Daemon(self.stage.programs, self.folder / "daemon", ("--sensor", "fake:", *arguments), user=0,
                             environment=environment)
        self.stack.callback(self.daemon.end)

    def start_machine(self, description: str) -> dict[str, str]:
        """Start an emulated machine; return the environment of programs in it."""
        self.machine = Machine(self.folder, description)
        self.stack.callback(self.machine.end)
        self.roots["MACHINE"] = str(self.machine.root)
        return {"UMOCKDEV_DIR": str(self.machine.root)}

    def ask(self, method: str, **parameters: object) -> dict:
        """Call the daemon, again if the connection is lost; return an empty reply after an error."""
        reply: dict = {}

        def has_replied() -> bool:
            with contextlib.suppress(OSError, EOFError), varlink.Client(self.socket) as client:
                with contextlib.suppress(varlink.Refused):
                    reply.update(client.call(f"org.orientationd.{method}", **parameters))
                return True
            return False
        self.expect(has_replied, f"no reply to {method}")
        return reply

    def turn(self, pose: str) -> None:
        self.ask("Simulator.SetPose", pose=pose)


class Polled(Situation):
    """A daemon with a polled chip, and a subscriber that connects again, as clients do."""

    name, description, rows, final = "polled", CHIP, 190, (64,)
    client, allowed = None, frozenset(["unknown"])

    def start(self) -> None:
        self.run_daemon(environment=self.start_machine(self.description), preload=self.stage.preload())

    def run_daemon(self, *words: str, environment: dict[str, str], preload: str = "") -> None:
        self.stack.callback(self.unsubscribe)
        (self.folder / "daemon").mkdir()
        self.run_program("--socket", self.socket, "--state-directory", self.folder / "state", *words, preload=preload,
                         environment=environment | {"STATE_DIRECTORY": str(self.folder / "default")})

    def turn(self, pose: str) -> None:
        self.machine.turn(pose)

    def unsubscribe(self) -> None:
        if self.client:
            self.client.socket.close()
        self.client = None

    def receive(self) -> dict:
        try:
            if self.client:
                self.client.limit(0.2)
                return self.client.receive()["state"]
            self.client = varlink.Client(self.socket)
            return self.client.monitor()["state"]
        except BlockingIOError:
            return {}
        except (OSError, EOFError, varlink.Refused):
            self.unsubscribe()
            return {}

    def follow(self, pose: str) -> None:
        """Turn the device; the subscriber has the former orientation, or none with a reason, until it has this one."""
        self.allowed |= {pose}
        self.turn(pose)

        def has_arrived() -> bool:
            state = self.receive()
            orientation = state.get("orientation", "unknown")
            if orientation not in self.allowed or state and orientation == "unknown" and not state.get("reason"):
                raise Bad("wrong orientation", f"{orientation} instead of {pose}, reason {state.get('reason')}")
            return orientation == pose
        self.expect(has_arrived, f"the orientation is not {pose}")
        self.allowed = {"unknown", pose}

    def is_settled(self) -> bool:
        """Whether the settings of the chip are as before its use. One that could not be written stays recorded."""
        return not self.machine.changed() or any((self.folder / "state").glob("restore-record*"))

    def use(self) -> None:
        self.expect(Path(self.socket).is_socket, "nothing listens at its --socket", "lost option")
        self.follow("portrait")
        self.is_ready = not self.program.has_ended
        self.follow("landscapeLeft")
        for locked in (True, False):
            reply = self.ask("Control.SetRotationLock", locked=locked)
            state = self.ask("Orientation.Get").get("state")
            if reply and state and state["locked"] != locked:
                raise Bad("wrong lock", f"locked: {state['locked']}")
        self.ask("Orientation.ListSensors")
        if not self.program.has_ended:
            self.program.process.send_signal(signal.SIGHUP)
        self.follow("portraitUpsideDown")
        self.unsubscribe()
        self.expect(self.is_settled, "left while the chip is not used", "settings")
        self.follow("landscapeRight")

    def check(self) -> None:
        if not self.is_settled() and not self.lasts:
            raise Bad("settings", f"{self.machine.changed()} after the end")


class Captured(Polled):
    """A daemon with a captured chip."""

    name, description, rows = "captured", CAPTURED, 90
    only = re.compile("buffer|scan_elements|trigger|timestamp|/dev/|^[^/]*$")


class TabletNode(Polled):
    """A daemon with a polled chip and a tablet switch."""

    name, description, rows, only = "tablet-node", CHIP + SWITCH, 25, re.compile("input|event4")

    def use(self) -> None:
        super().use()
        self.expect(lambda: self.ask("Orientation.Get").get("state", {}).get("tabletMode") is True, "tabletMode is not true")


class Desktop(Polled):
    """A daemon with --dbus and a simulated device, and a desktop."""

    name, rows = "dbus", 50
    turn = Situation.turn

    def start(self) -> None:
        self.observer = Program([self.stage.path("monitor-sensor"), "--accel"], self.folder / "observer", self.stage.bus())
        self.stack.callback(self.observer.end)
        self.run_daemon("--sensor", "fake:", "--dbus", environment=self.stage.bus())

    def is_settled(self) -> bool:
        return True

    def follow(self, pose: str) -> None:
        super().follow(pose)
        self.expect(lambda: self.observer.last(SENSOR_PROXY) in POSES[pose], f"SensorProxy does not say {POSES[pose][2]}")


class Agent(Situation):
    """The session agent on sway, while the daemon restarts."""

    name, file, rows, final = "agent", "orientation-autorotate", 120, (64, 69, 75)

    def start(self) -> None:
        self.sway, environment = self.stage.display()
        self.sway.set_transform(self.sway.internal, "normal")
        self.roots["SESSION"] = environment["XDG_RUNTIME_DIR"]
        self.start_daemon()
        self.run_program("--socket", self.socket, "--output", self.sway.internal, "--when", "always", environment=environment)

    def transform(self) -> str:
        return self.sway.outputs()[self.sway.internal].transform

    def follow(self, pose: str) -> None:
        self.turn(pose)
        self.expect(lambda: self.transform() in POSES[pose], f"the display is not rotated to {POSES[pose][1]}")

    def use(self) -> None:
        self.follow("landscapeLeft")
        self.is_ready = not self.program.has_ended
        self.follow("portraitUpsideDown")
        self.start_daemon()
        self.follow("landscapeRight")

    def check(self) -> None:
        if not wait(lambda: self.transform() == "normal", 2):
            raise Bad("display", f"left rotated by an end with status {self.program.status}")


class TabletSwitch(Situation):
    """The tablet switch that follows the lid angle, with a file in place of /dev/uinput, while the daemon restarts."""

    name, file, rows, spared = "tablet-switch", "orientation-tablet-switch", 40, re.compile("write FOLDER/steps")
    may_give_up, final = True, (64, 69)

    def start(self) -> None:
        self.steps = self.folder / "steps"
        self.steps.touch()
        environment = self.start_machine(CHIP) | {"ORIENTATIOND_UINPUT": str(self.steps)}
        self.start_daemon()
        self.run_program("--socket", self.socket, preload=self.stage.preload("uinput"), environment=environment)

    def fold(self, angle: int, step: str) -> None:
        self.ask("Simulator.SetLidAngle", angle=angle)
        self.expect(lambda: self.steps.read_text().endswith(step + "\n"), f"no {step} at {angle} degrees")

    def use(self) -> None:
        self.fold(270, "switch 1")
        self.is_ready = not self.program.has_ended
        self.fold(100, "switch 0")
        self.start_daemon()
        self.fold(280, "switch 1")

    def check(self) -> None:
        # The guardian removes the device half a second later.
        if not wait(lambda: re.fullmatch(r"(created.*\n(switch 1\nswitch 0\n)*removed\n)*", self.steps.read_text()), 3):
            raise Bad("keyboard", f"left off: {self.steps.read_text().splitlines()}")


class Client(Situation):
    """A client of the library in C, while the daemon restarts."""

    name, file, rows, dies, spared = "c-client", "follow", 25, True, re.compile("write FOLDER/output")
    words, shown, on_bus = (), r"rotated by (\d+)", False

    def start(self) -> None:
        self.serve()
        self.run_program(*(self.socket if word == "SOCKET" else word for word in self.words), environment={
            "ORIENTATIOND_SOCKET": self.socket} | (self.stage.bus() if self.on_bus else {}))

    def serve(self) -> None:
        self.start_daemon(*["--dbus"] * self.on_bus, environment=self.stage.bus() if self.on_bus else None)

    def use(self) -> None:
        for pose in ("landscapeLeft", "landscapeRight"):
            if self.is_ready:
                self.serve()
            self.turn(pose)
            self.expect(lambda: self.program.last(self.shown) in POSES[pose], f"does not show {pose}")
            self.is_ready = not self.program.has_ended


class SwiftClient(Client):
    """A client of the library in Swift. It traps where it cannot read its arguments, or cannot make a connection."""

    name, file, spared = "swift-client", "LoopClient", re.compile(rf"{DISPATCH}|/maps$|write FOLDER/output")
    words, shown = ("SOCKET", "poll", "1000"), r"device (\w+)"

    def judge(self) -> str:
        return "refused" if "Error raised at top level" in self.program.text("log") else super().judge()


class Monitor(Client):
    """The program monitor-sensor. It gives up where it loses the bus, as that of iio-sensor-proxy does, and handles no signals:
    nothing interrupts its calls of the service."""

    name, file, may_give_up, spared = "monitor-sensor", "monitor-sensor", True, re.compile("ppoll|write FOLDER/output")
    words, shown, on_bus = ("--accel",), SENSOR_PROXY, True


class Command(Situation):
    """A command of orientationctl. Success means that it has done what it does in an undisturbed run, or names the failure."""

    name, file, rows, spared = "status", "orientationctl", 15, re.compile(DISPATCH)
    # The statuses of success.
    words, statuses = ("status",), (0,)

    def start(self) -> None:
        self.start_daemon()
        self.run_program(*(word.replace("FOLDER", str(self.folder)) for word in self.words), **self.surroundings())

    def surroundings(self) -> dict:
        return {"environment": {"ORIENTATIOND_SOCKET": self.socket}}

    def use(self) -> None:
        self.expect(lambda: self.program.has_ended, f"does not end in {LIMIT:.0f} s", "hang")

    def result(self) -> str:
        """Return the output without numbers and identifiers, the lock, and whether recordings are complete."""
        printed = re.sub(r"\b[0-9a-f]{32}\b|\d+(\.\d+)?", "N", self.program.text("output").replace(str(self.folder), "FOLDER"))
        with varlink.Client(self.socket) as client:
            lock = client.call(varlink.GET)["state"].get("lockedTo")
        return f"{printed}\nlock {lock}\nrecordings {['# samples:' in path.read_text() for path in self.folder.glob('*.rec')]}"

    def judge(self) -> str:
        if self.program.status not in self.statuses:
            if self.program.status == 0 or 0 not in self.statuses and self.program.text("output"):
                raise Bad("wrong status", f"{self.program.status} instead of {self.statuses[0]}")
            return super().judge()
        lines = self.result().splitlines()
        reason = os.strerror(getattr(errno, self.row.error)).lower() if self.row else ""
        if self.clean and (new := set(lines) - set(self.clean.result.splitlines())) and reason not in " ".join(
                " ".join(lines).lower().split()) and "annot" not in "".join(new):
            raise Bad("wrong output", ascii([line for line in lines if line in new][:3]))
        return "ok"

    def check(self) -> None:
        if empty := [path.name for path in self.folder.glob("*.rec") if not path.stat().st_size]:
            raise Bad("files", f"{empty[0]} is empty")


class Lock(Command):
    name, words = "lock", ("lock", "left")


class Record(Command):
    name, words, rows = "record", ("record", "--duration", "1", "FOLDER/walk.rec"), 25


class Hold(Command):
    """A program that holds the landscape orientations, and exits with 7."""

    name, words, statuses, rows = "hold", ("hold", "--landscape", "--", "sh", "-c", "echo ran; exit 7"), (7,), 25
    spared = re.compile(f"{DISPATCH}|write FOLDER/output")

    def surroundings(self) -> dict:
        environment = self.stage.display()[1] | {"ORIENTATIOND_SOCKET": self.socket}
        agent = Program([self.stage.path(Agent.file)], self.folder / "agent", environment)
        self.stack.callback(agent.end)
        wait(lambda: agent.text("log"))
        return {"environment": environment}


class Doctor(Command):
    """The examination of a machine. Status 2: it has found a problem."""

    name, words, statuses, rows = "doctor", ("doctor", "--all"), (0, 2), 40

    def surroundings(self) -> dict:
        environment = self.start_machine(CHIP) | {"ORIENTATIOND_SOCKET": self.socket}
        return {"environment": environment, "preload": self.stage.preload()}


class Calibrate(Command):
    """A calibration from a recording of six poses."""

    name, words = "calibrate", ("calibrate", "--from", "FOLDER/poses.rec")

    def surroundings(self) -> dict:
        samples = [f"{2 * index + tick / 25},{-x},{-y},{z},{x},{y},{z}\n" for index, (x, y, z) in enumerate(
            [(9.8, 0, 0), (0, -9.8, 0), (-9.8, 0, 0), (0, 9.8, 0), (0, 0, 9.8), (0, 0, -9.8)]) for tick in range(40)]
        (self.folder / "poses.rec").write_text(
            "# orientationd recording 1\n# device: kxcjk1013\n# scale: 1 1 1\n# matrix: 1 0 0 0 1 0 0 0 1\n"
            f"# sense: specific force\nt,x,y,z,raw_x,raw_y,raw_z\n{''.join(samples)}# samples: {len(samples)}\n")
        return super().surroundings()


SITUATIONS = {kind.name: kind for kind in (
    Polled, Captured, TabletNode, Desktop, Agent, TabletSwitch, Client, SwiftClient, Monitor, Command, Lock, Record, Hold,
    Doctor, Calibrate)}
