# SPDX-License-Identifier: Apache-2.0
"""Apps in front of an X server that rotates, under a window manager."""

import json
import subprocess

from harness import eventually, run, test
from hub import Hub
from panels import FORCES, install_agent
from sessions import KEPT, RUNTIME, Agent, Xorg

# By natural orientation: the edge that is up while the device is held upright, and those with which the two landscape
# orientations of a film are upright, first the one that it declares first.
EDGES = {"portrait": ("top", "right", "left"), "landscapeLeft": ("left", "top", "bottom")}

DESKTOP_FILE = """[Desktop Entry]
Type=Application
Name=Film
Exec=xterm
X-SupportedInterfaceOrientations=landscapeRight;landscapeLeft;
"""


class Desktop(Xorg):
    """Xorg with openbox, and the desktop file of the class Film."""

    def __enter__(self) -> "Desktop":
        super().__enter__()
        folder = RUNTIME / "data/applications"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "Film.desktop").write_text(DESKTOP_FILE)
        self.environment |= {"XDG_DATA_HOME": str(RUNTIME / "data")}
        log = self.start("openbox", "openbox")
        self.require("openbox", log, lambda: "_NET_SUPPORTED(" in run(
            "xprop", "-root", "_NET_SUPPORTED", env=self.environment, check=False))
        return self

    def open(self, name: str, *options: str) -> subprocess.Popen:
        """Open a window of a class."""
        self.start(f"window-{name}", "xterm", "-class", name, *options, "-e", "sleep", "3600")
        return self.programs.pop()


class Story:
    """What the agent says in each step."""

    def __init__(self, desktop: Desktop, agent: Agent) -> None:
        self.desktop, self.agent = desktop, agent
        self.lines: list[str] = []

    def tell(self, what: str, edge: str, app: str | None, because: str = "") -> None:
        """Wait for the rotation, for the app in front and for a part of the sentence; write what the agent says."""
        self.agent.turns(edge)

        def said() -> dict:
            return json.loads(self.display("--json"))["explanation"] or {}

        eventually(lambda: f"{what} {app} in front: {said()}", lambda: (said().get("app") or {}).get("appId") == app)
        eventually(lambda: f"{what} '{because}' in: {said()}", lambda: because in said().get("sentence", ""))
        self.lines += [f"# {what}", self.display(), ""]
        (KEPT / "x11-apps.txt").write_text("\n".join(self.lines))

    def display(self, *options: str) -> str:
        return run("orientationctl", "display", *options, env=self.desktop.environment)


def close(window: subprocess.Popen) -> None:
    window.terminate()
    window.wait(timeout=60)


@test("an X11 app in front turns the display")
def app_in_front() -> str:
    install_agent()
    hub = Hub()
    try:
        hub.hold(*FORCES["top"])
        with Desktop() as desktop, Agent(desktop, "--when", "always") as agent:
            story = Story(desktop, agent)
            agent.turns("top")
            natural = json.loads(run("orientationctl", "status", "--json"))["natural"]
            upright, film_edge, other_edge = EDGES[natural]
            hub.hold(*FORCES[upright])
            story.tell("The device is held upright. No window is open.", upright, None)
            plain = desktop.open("Plain")
            story.tell("A terminal opens.", upright, "Plain")
            film = desktop.open("Film", "-fullscreen")
            story.tell("A film opens in full screen; its desktop file permits landscape only.", film_edge, "Film",
                       "Film came to the front")
            hub.hold(*FORCES[other_edge])
            story.tell("The device is turned to the other landscape orientation.", other_edge, "Film")
            hub.hold(*FORCES[upright])
            story.tell("The device is held upright again; the film stays in landscape.", other_edge, "Film",
                       "does not allow portrait-primary")
            close(film)
            story.tell("The film is closed: the terminal is in front again.", upright, "Plain", "Plain came to the front")
            close(plain)
            story.tell("The terminal is closed.", upright, None)
    finally:
        hub.unplug()
    return f"natural orientation {natural}: {upright}, {film_edge}, {other_edge} and {upright} edge up"
