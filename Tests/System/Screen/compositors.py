# SPDX-License-Identifier: Apache-2.0
"""The compositors of the tests: how each starts without a screen, and how its outputs are read and changed from outside."""

import json
import re
from dataclasses import dataclass

import session

TRANSFORMS = ["normal", "90", "180", "270", "flipped", "flipped-90", "flipped-180", "flipped-270"]


@dataclass(frozen=True)
class Output:
    """An output as another program reports it."""

    transform: str
    position: tuple[int, int]
    mode: tuple[int, int]
    scale: float

    @property
    def layout_width(self) -> int:
        return round((self.mode[1] if self.transform in ("90", "270") else self.mode[0]) / self.scale)


class Compositor:
    """A running compositor with two outputs, the first of which the agent rotates."""

    name = ""
    # The output that rotates, the one beside it, and whether grim works.
    internal = "HEADLESS-1"
    other = "HEADLESS-2"
    has_pictures = True
    # Whether windows open on the output that rotates.
    opens_on_internal = True
    # Whether a window in full screen remains in front while a launcher has the focus.
    keeps_front = True
    # Whether the agent learns that an output was turned off.
    reports_power = False
    environment: dict[str, str] = {}

    def __init__(self, room: session.Room) -> None:
        self.room = room
        before = room.sockets()
        self.process = room.start(self.command(), f"{self.name}.log", **self.environment)
        room.wait(lambda: room.sockets() - before, f"the socket of {self.name}")
        room.environment["WAYLAND_DISPLAY"] = (room.sockets() - before).pop()
        self.prepare()

    def command(self) -> list[str]:
        raise NotImplementedError

    def prepare(self) -> None:
        """Wait for both outputs."""
        self.room.wait(lambda: {self.internal, self.other} <= set(self.outputs()), f"the outputs of {self.name}")

    def outputs(self) -> dict[str, Output]:
        """Return the enabled outputs by name."""
        raise NotImplementedError

    def set_transform(self, output: str, transform: str) -> None:
        """Rotate an output as a user does."""
        raise NotImplementedError

    def set_power(self, is_on: bool) -> None:
        """Turn the output that rotates on or off, as at the end of the idle time."""
        raise NotImplementedError

    def terminal(self, app: str, *options: str) -> list[str]:
        """Return the command of a terminal with the app ID of an app."""
        return ["foot", f"--app-id={app}", *options, "sleep", "600"]

    def toggle_fullscreen(self) -> bool:
        """Take the window with the focus into full screen or out of it; false if this compositor cannot."""
        return False

    def show_workspace(self, number: int) -> bool:
        """Change to a workspace, 1 or 2; false if this compositor cannot."""
        return False

    def add_output(self) -> str | None:
        """Add an output and return its name; None if this compositor cannot."""
        return None

    def remove_output(self, name: str) -> None:
        raise NotImplementedError


WLROOTS = {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_HEADLESS_OUTPUTS": "2"}


class Wlroots(Compositor):
    environment = WLROOTS

    def outputs(self) -> dict[str, Output]:
        found = {}
        for head in json.loads(self.room.run(["wlr-randr", "--json"]).stdout or "[]"):
            current = [mode for mode in head["modes"] if mode["current"]]
            if not head["enabled"] or not current:
                continue
            found[head["name"]] = Output(
                head["transform"], (head["position"]["x"], head["position"]["y"]),
                (current[0]["width"], current[0]["height"]), head["scale"])
        return found

    def set_transform(self, output: str, transform: str) -> None:
        self.room.run(["wlr-randr", "--output", output, "--transform", transform], check=True)

    def set_power(self, is_on: bool) -> None:
        self.room.run(["wlopm", "--on" if is_on else "--off", self.internal], check=True)


class Sway(Wlroots):
    name = "sway"
    reports_power = True

    def command(self) -> list[str]:
        # The layout that a new user has: sway places outputs from left to right. A scale, to see that it stays.
        self.room.write("sway.conf", "output HEADLESS-1 resolution 1280x800 position 0 0 scale 1.25\n"
                                     "output HEADLESS-2 resolution 1600x900 position 1024 0\n")
        return ["sway", "-c", f"{self.room.directory}/sway.conf"]

    def prepare(self) -> None:
        super().prepare()
        # Windows open on the output with the focus.
        self.message("focus", "output", self.internal)

    def message(self, *words: str) -> None:
        self.room.run(["swaymsg", "-s", self.room.first("sway-ipc.*.sock"), *words], check=True)

    def toggle_fullscreen(self) -> bool:
        self.message("fullscreen", "toggle")
        return True

    def show_workspace(self, number: int) -> bool:
        # sway names the workspaces of the two outputs itself.
        self.message("workspace", "back_and_forth" if number == 1 else "empty")
        return True

    def add_output(self) -> str | None:
        before = set(self.outputs())
        self.message("create_output")
        self.room.wait(lambda: set(self.outputs()) - before, "the new output")
        return (set(self.outputs()) - before).pop()

    def remove_output(self, name: str) -> None:
        self.message("output", name, "unplug")


class Labwc(Wlroots):
    """labwc with an output that has the name of an internal connector: the agent must find it."""

    name = "labwc"
    internal = "eDP-1"
    other = "HEADLESS-1"
    environment = WLROOTS | {"WLR_HEADLESS_OUTPUTS": "1"}

    def command(self) -> list[str]:
        self.room.write("labwc/rc.xml", """<labwc_config><keyboard>
            <keybind key="F5"><action name="VirtualOutputAdd" output_name="eDP-1"/></keybind>
            <keybind key="F6"><action name="VirtualOutputAdd" output_name="DP-9"/></keybind>
            <keybind key="F7"><action name="VirtualOutputRemove" output_name="DP-9"/></keybind>
            <keybind key="F8"><action name="ToggleFullscreen"/><action name="MoveToOutput" output="eDP-1"/></keybind>
            <keybind key="F9"><action name="GoToDesktop" to="1"/></keybind>
            <keybind key="F10"><action name="GoToDesktop" to="2"/></keybind>
            </keyboard><desktops number="2"/>
            <windowRules><windowRule identifier="org.example.*"><action name="MoveToOutput" output="eDP-1"/></windowRule>
            </windowRules></labwc_config>""")
        return ["labwc", "-C", f"{self.room.directory}/labwc"]

    def press(self, key: str) -> None:
        self.room.run(["wtype", "-k", key], check=True)

    def prepare(self) -> None:
        self.room.wait(lambda: self.other in self.outputs(), "the output of labwc")
        self.press("F5")
        super().prepare()

    def toggle_fullscreen(self) -> bool:
        self.press("F8")
        return True

    def show_workspace(self, number: int) -> bool:
        self.press("F9" if number == 1 else "F10")
        return True

    def add_output(self) -> str | None:
        self.press("F6")
        self.room.wait(lambda: "DP-9" in self.outputs(), "the new output")
        return "DP-9"

    def remove_output(self, name: str) -> None:
        self.press("F7")


class Phoc(Wlroots):
    name = "phoc"
    opens_on_internal = False

    def command(self) -> list[str]:
        return ["dbus-run-session", "phoc"]


class BusCompositor(Compositor):
    """A compositor with D-Bus interfaces, on a session bus of its own."""

    # How the agent names it.
    desktop = ""

    def __init__(self, room: session.Room) -> None:
        address = f"unix:path={room.directory}/bus"
        room.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        room.start(["dbus-daemon", "--session", "--nofork", f"--address={address}"], "bus.log")
        room.wait((room.outside / "bus").is_socket, "the session bus")
        super().__init__(room)

    def bus(self, *words: str, check: bool = True) -> list:
        """Call a method or read a property with busctl; return its data."""
        text = self.room.run(["busctl", "--user", "--json=short", *words], check=check).stdout
        return json.loads(text)["data"] if text.strip() else []


class KWin(BusCompositor):
    name = "KWin"
    desktop = "KDE Plasma (KWin)"
    internal = "Virtual-0"
    other = "Virtual-1"

    # The numbers in the JSON of kscreen-doctor.
    NUMBERS = {1: "normal", 2: "90", 4: "180", 8: "270", 16: "flipped", 32: "flipped-90", 64: "flipped-180",
               128: "flipped-270"}

    def command(self) -> list[str]:
        return ["kwin_wayland", "--virtual", "--width", "1280", "--height", "800",
                "--output-count", "2", "--no-lockscreen", "--socket", "wayland-kwin"]

    def outputs(self) -> dict[str, Output]:
        # On a busy machine it sometimes waits for its helper without end.
        for _ in range(3):
            text = self.room.run(["timeout", "5", "dbus-run-session", "kscreen-doctor", "-j"]).stdout
            if "{" in text:
                break
        text = text[text.find("{"):] if "{" in text else "{}"
        found = {}
        for item in json.loads(text).get("outputs", []):
            modes = {mode["id"]: mode["size"] for mode in item["modes"]}
            size = modes.get(item.get("currentModeId"))
            if not item["enabled"] or size is None:
                continue
            found[item["name"]] = Output(
                self.NUMBERS[item["rotation"]], (item["pos"]["x"], item["pos"]["y"]), (size["width"], size["height"]),
                item["scale"])
        return found


class Mutter(BusCompositor):
    """GNOME's compositor."""

    name = "mutter"
    desktop = "GNOME (mutter)"
    internal = "Meta-0"
    other = "Meta-1"

    SERVICE = ["org.gnome.Mutter.DisplayConfig", "/org/gnome/Mutter/DisplayConfig", "org.gnome.Mutter.DisplayConfig"]

    def command(self) -> list[str]:
        return ["mutter", "--wayland", "--headless", "--no-x11", "--virtual-monitor", "1280x800", "--virtual-monitor",
                "1600x900"]

    def call(self, *words: str, check: bool = False) -> list:
        return self.bus("call", *self.SERVICE, *words, check=check)

    def state(self) -> tuple[int, dict[str, dict], list]:
        """Return the serial number, the current modes by connector, and the logical monitors."""
        data = self.call("GetCurrentState")
        if not data:
            return 0, {}, []
        serial, monitors, logical, _ = data
        modes = {names[0]: mode for names, modes, _ in monitors for mode in modes if "is-current" in mode[6]}
        return serial, modes, logical

    def outputs(self) -> dict[str, Output]:
        _, modes, logical = self.state()
        return {monitors[0][0]: Output(TRANSFORMS[transform], (x, y), tuple(modes[monitors[0][0]][1:3]), scale)
                for x, y, scale, transform, _, monitors, _ in logical}


class X11(Compositor):
    """An X server in a window of another one without a screen: unlike that one, it rotates. It has one output."""

    name = "x11"
    reports_power = True
    internal = "default"
    manager = "openbox"

    def __init__(self, room: session.Room) -> None:
        self.room = room
        if not (room.root / "tmp/.X11-unix/X76").is_socket():
            room.start(["Xvfb", ":76", "-screen", "0", "1100x1100x24"], "Xvfb.log")
        room.wait((room.root / "tmp/.X11-unix/X76").is_socket, "the socket of Xvfb")
        # At most 1600x1200 in each rotation.
        self.process = room.start(["Xephyr", ":77", "-screen", "1024x768", "-noreset"], "x11.log", DISPLAY=":76")
        room.environment["DISPLAY"] = ":77"
        room.wait(self.outputs, "the output of Xephyr")
        room.start([self.manager], "openbox.log")

    def set_power(self, is_on: bool) -> None:
        # Xephyr has no DPMS, which activates the screen saver on other servers.
        self.room.run(["xset", "s", "reset" if is_on else "activate"], check=True)

    def terminal(self, app: str, *options: str) -> list[str]:
        return ["xterm", "-class", app, *(["-fullscreen"] if "--fullscreen" in options else []), "-e", "sleep", "600"]

    def outputs(self) -> dict[str, Output]:
        found = {}
        for line in self.room.run(["xrandr", "--query"]).stdout.splitlines():
            if match := re.match(r"(\S+) connected (\d+)x(\d+)\+(\d+)\+(\d+) (left|inverted|right)?", line):
                name, width, height, x, y, word = match.groups()
                transform = {None: "normal", "left": "90", "inverted": "180", "right": "270"}[word]
                found[name] = Output(transform, (int(x), int(y)), (int(width), int(height)), 1.0)
        return found


ALL: list[type[Compositor]] = [Sway, Labwc, Phoc]
# Those of desktops that rotate the display themselves.
ROTATING: list[type[BusCompositor]] = [KWin, Mutter]
