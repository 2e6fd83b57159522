# SPDX-License-Identifier: Apache-2.0
"""Graphical sessions on the virtual machine's display: sway, mutter and Xorg, which print the input that they receive to a file,
and KWin."""

import itertools
import json
import os
import pwd
import re
import shutil
import subprocess
from pathlib import Path

from harness import TestFailure, eventually, run

RUNTIME = Path("/run/screen-test")
KEPT = Path("/vm/kept")
NUMBERS = itertools.count(1)

# Without bars and borders, the only window is as large as the output.
SWAY_CONFIG = """xwayland disable
default_border none
focus_follows_mouse no
"""
XORG_CONFIG = """Section "Device"
    Identifier "display"
    Driver "modesetting"
    Option "AccelMethod" "none"
EndSection
"""


class Session:
    """Programs that run until the end of the session; their output is in files."""

    name = ""
    # Whose programs they are.
    USER = "root"

    def __init__(self) -> None:
        RUNTIME.mkdir(mode=0o700, exist_ok=True)
        shutil.chown(RUNTIME, self.USER)
        # The agent's, perhaps of another user.
        shutil.rmtree(RUNTIME / "orientation-autorotate", ignore_errors=True)
        run("modprobe", "virtio-gpu")
        eventually("/dev/dri", lambda: list(Path("/dev/dri").glob("card*")))
        run("udevadm", "settle")
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": str(RUNTIME), "LC_ALL": "C.UTF-8"}
        self.programs: list[subprocess.Popen] = []

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        for program in reversed(self.programs):
            program.terminate()
            try:
                program.wait(timeout=20)
            except subprocess.TimeoutExpired:
                program.kill()
                program.wait()

    def start(self, name: str, *command: str, user: str | None = None) -> Path:
        """Start a program; return the file with its output, which is line buffered."""
        path = KEPT / f"{next(NUMBERS):02}-{self.name}-{name}.txt"
        user = user or self.USER
        with open(path, "wb") as output:
            self.programs.append(subprocess.Popen(
                ["stdbuf", "-oL", *command], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env=self.environment, user=user, group=user, extra_groups=[]))
        return path

    def require(self, what: str, path: Path, condition) -> object:
        """Wait for a condition; fail with the last lines of a program's output."""
        try:
            return eventually(what, condition)
        except TestFailure as failure:
            lines = path.read_text(errors="replace").splitlines()[-12:]
            raise TestFailure("\n".join([str(failure), *lines])) from failure

    def turns(self, edge: str, log: Path) -> None:
        """Wait until the output has the transform of this edge."""
        wanted = self.TRANSFORMS[edge]
        self.require(f"transform {wanted} for edge {edge}; it is {self.transform()}", log, lambda: self.transform() == wanted)


class Sway(Session):
    name = "sway"
    # Debian 12's refuses to be root's.
    USER = "tester"
    # By the edge of the panel that is up. Sway's own interface counts clockwise.
    TRANSFORMS = {"top": "normal", "left": "270", "bottom": "180", "right": "90"}

    def __enter__(self) -> "Sway":
        self.environment |= {"LIBSEAT_BACKEND": "seatd", "WLR_RENDERER": "pixman", "SEATD_VTBOUND": "0"}
        for stale in [*RUNTIME.glob("wayland-*"), *RUNTIME.glob("sway-ipc*")]:
            stale.unlink()
        log = self.start("seatd", "seatd", "-u", self.USER, user="root")
        self.require("seatd's socket", log, Path("/run/seatd.sock").exists)
        config = RUNTIME / "sway.conf"
        config.write_text(SWAY_CONFIG)
        log = self.start("log", "sway", "--config", str(config))
        control = self.require("sway's socket", log, lambda: next(RUNTIME.glob("sway-ipc.*"), None))
        display = self.require(
            "the Wayland display", log, lambda: next((path for path in RUNTIME.glob("wayland-?")), None))
        self.environment |= {"SWAYSOCK": str(control), "WAYLAND_DISPLAY": display.name}
        self.require("an output", log, lambda: self.output())
        self.input = self.start("input", "wev")
        self.require("wev's window", self.input, lambda: '"app_id": "wev"' in self.ask("get_tree"))
        return self

    def ask(self, question: str) -> str:
        return run("swaymsg", "--raw", "--type", question, env=self.environment, check=False)

    def output(self) -> dict | None:
        try:
            return next((output for output in json.loads(self.ask("get_outputs")) if output.get("active")), None)
        except json.JSONDecodeError:
            return None

    def transform(self) -> str:
        return (self.output() or {}).get("transform", "")

    def size(self) -> tuple[int, int]:
        rectangle = self.output()["rect"]
        return rectangle["width"], rectangle["height"]

    def places(self) -> list[tuple[float, float]]:
        """Return the places of all touches in the window, which fills the output."""
        found = re.findall(r"down.*x, y: (-?[\d.]+), (-?[\d.]+)\n", self.input.read_text(errors="replace"))
        return [(float(x), float(y)) for x, y in found]


class Desktop(Session):
    """A compositor that rotates the display itself, for which the output is an internal panel: in a session of logind of the
    user tester, on a virtual terminal."""

    UNIT = "desktop-test.service"
    USER = "tester"
    TERMINAL, OTHER_TERMINAL = "7", "1"
    # By the edge of the panel that is up: those of wl_output, counter-clockwise.
    TRANSFORMS = {"top": "normal", "left": "90", "bottom": "180", "right": "270"}
    # The value of XDG_CURRENT_DESKTOP, and the command.
    desktop = ""
    command: list[str] = []

    def __enter__(self) -> "Desktop":
        runtime = f"/run/user/{pwd.getpwnam(self.USER).pw_uid}"
        self.environment |= {"XDG_RUNTIME_DIR": runtime, "DBUS_SESSION_BUS_ADDRESS": f"unix:path={runtime}/bus",
                             "WAYLAND_DISPLAY": "wayland-0", "XDG_CURRENT_DESKTOP": self.desktop}
        self.input = KEPT / f"{next(NUMBERS):02}-{self.name}-input.txt"
        self.input.touch()
        settings = [
            f"User={self.USER}", "PAMName=login", f"TTYPath=/dev/tty{self.TERMINAL}", "StandardInput=tty", "TTYVHangup=yes",
            f"StandardOutput=file:{self.input}", "StandardError=inherit",
            # KWin without OpenGL. That of mutter, which has no other renderer, crashes in emulated AVX instructions.
            "Environment=XDG_SESSION_TYPE=wayland XDG_SESSION_CLASS=user LD_PRELOAD=/vm/internal-panel.so KWIN_COMPOSE=Q "
            "GALLIUM_OVERRIDE_CPU_CAPS=sse4.1"]
        self.show(self.TERMINAL)
        run("systemd-run", f"--unit={self.UNIT}", "--collect", *(f"--property={setting}" for setting in settings), *self.command)
        self.require("an output", self.input, self.transform)
        return self

    def __exit__(self, *error: object) -> None:
        run("systemctl", "stop", self.UNIT, check=False)
        super().__exit__(*error)

    @staticmethod
    def show(terminal: str) -> None:
        run("busybox", "chvt", terminal)

    def ask(self, *command: str) -> str:
        """Run a program of the session's user."""
        return run(*command, user=self.USER, env=self.environment, check=False)

    def transform(self) -> str:
        match = re.search(r"output_transform: (\w+)", self.ask("wayland-info"))
        return match[1] if match else ""

    def reads(self, node: Path) -> bool:
        """Whether the compositor reads an input device, which it does not while another terminal is shown."""
        return self.name in run("fuser", "--verbose", str(node), check=False)


class Mutter(Desktop):
    """mutter with a window of wev."""

    name = "mutter"
    desktop = "GNOME"
    command = ["mutter", "--wayland", "--display-server", "--no-x11", "--", "stdbuf", "-oL", "wev"]

    def __enter__(self) -> "Mutter":
        super().__enter__()
        self.require("wev's window", self.input, lambda: "xdg_toplevel" in self.input.read_text(errors="replace"))
        return self


class KWin(Desktop):
    name = "kwin"
    desktop = "KDE"
    command = ["kwin_wayland", "--drm", "--no-lockscreen"]

    def __enter__(self) -> "KWin":
        # The dynamic linker preloads nothing into a program with a capability.
        run("setcap", "-r", "/usr/bin/kwin_wayland", check=False)
        super().__enter__()
        return self


class Xorg(Session):
    name = "xorg"
    TRANSFORMS = {"top": "normal", "left": "left", "bottom": "inverted", "right": "right"}

    def __enter__(self) -> "Xorg":
        self.environment |= {"DISPLAY": ":1"}
        config = RUNTIME / "xorg.conf"
        config.write_text(XORG_CONFIG)
        log = self.start("log", "Xorg", ":1", "vt7", "-keeptty", "-nolisten", "tcp", "-noreset", "-config", str(config))
        self.require("an output", log, self.line)
        self.input = self.start("input", "xinput", "test-xi2", "--root")
        return self

    def line(self) -> str:
        """Return xrandr's line of the connected output."""
        text = run("xrandr", "--query", env=self.environment, check=False)
        return next((line for line in text.splitlines() if " connected " in line and "+0+0" in line), "")

    def transform(self) -> str:
        match = re.search(r"\+0\+0 (?:(left|inverted|right) )?\(", self.line())
        return (match[1] or "normal") if match else ""

    def size(self) -> tuple[int, int]:
        match = re.search(r"(\d+)x(\d+)\+0\+0", self.line())
        return int(match[1]), int(match[2])

    def places(self) -> list[tuple[float, float]]:
        # Each touch is printed for the device and for its master pointer: `detail` is its number.
        found = re.findall(
            r"\(TouchBegin\)\n(?: .*\n)*?\s+detail: (\d+)\n(?: .*\n)*?\s+root: (-?[\d.]+)/(-?[\d.]+)\n",
            self.input.read_text(errors="replace"))
        return [(float(x), float(y)) for x, y in {number: (x, y) for number, x, y in found}.values()]


class Agent:
    """The session agent, until `__exit__`, which checks that it ends with success."""

    def __init__(self, session: Session, *options: str) -> None:
        self.session = session
        self.log = session.start("agent", "/usr/bin/orientation-autorotate", *options)
        self.process = session.programs.pop()

    def __enter__(self) -> "Agent":
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.process.terminate()
        status = self.process.wait(timeout=60)
        if kind is None and status != 0:
            raise TestFailure(f"the agent exited with {status}: {self.log.read_text()[-400:]}")

    def turns(self, edge: str) -> None:
        self.session.turns(edge, self.log)
