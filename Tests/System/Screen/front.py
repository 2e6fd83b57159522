# SPDX-License-Identifier: Apache-2.0
"""Apps that restrict the rotation: real windows in front of real compositors, and the sentences of the agent, as a story."""

import signal
import subprocess
from collections.abc import Callable

from apps import App
from session import Failure
from tests import Session

FILM, NOTES, PLAIN = "org.example.Film", "org.example.Notes", "org.example.Plain"

# The declared orientations by desktop file.
DECLARED = {FILM: "landscapeRight;landscapeLeft;", NOTES: "portrait;"}


def install_desktop_files(room, declared: dict[str, str] = DECLARED) -> None:
    """Write the desktop files of apps where the agent finds them."""
    folder = room.outside / ".local/share/applications"
    folder.mkdir(parents=True, exist_ok=True)
    for app, orientations in declared.items():
        (folder / f"{app}.desktop").write_text(
            f"[Desktop Entry]\nType=Application\nName={app}\nExec=foot\n"
            f"X-SupportedInterfaceOrientations={orientations}\n")


# Seconds in which the display must keep what it turned to: apps can take part in the turn and cause another one.
STABLE = 0.5


class Story:
    """The steps of a test, with what the agent says in each."""

    def __init__(self, it: Session, title: str = "apps restrict the rotation") -> None:
        self.it = it
        self.lines = [f"{it.compositor.name}: {title}", ""]

    def explain(self) -> dict:
        """Return the reply of `Explain`."""
        app = App(self.it.room)
        try:
            return app.explain()
        finally:
            app.close()

    def tell(self, what: str, transform: str, app: str | None, because: str = "") -> None:
        """Wait for the transform, the app in front and a part of the sentence, and write what the agent says."""
        self.it.room.wait(
            lambda: (self.explain().get("app") or {}).get("appId") == app,
            f"{what} {app} in front: {self.explain()}")
        self.it.expect(transform, what)
        self.it.expect_kept(transform, STABLE, what)
        self.it.room.wait(
            lambda: because in self.explain()["sentence"], f"{what} '{because}' in the sentence: {self.explain()['sentence']}")
        said = self.explain()
        self.lines += [what, f"    display  {transform}", f"    in front {app or 'no window'}",
                       f"    Explain  {said['sentence']}", ""]

    def write(self, name: str) -> None:
        name = f"{self.it.compositor.name}-{name}.txt"
        (self.it.pictures / name).write_text("\n".join(self.lines))
        self.it.notes.append(name)


def start_app(it: Session, app: str, *options: str) -> subprocess.Popen[bytes]:
    """Start a terminal with the app ID of an app."""
    return it.room.start(it.compositor.terminal(app, *options), "foot.log")


def close_app(it: Session, app: subprocess.Popen[bytes]) -> None:
    it.room.end(app, signal.SIGTERM)


def apps_in_front(it: Session) -> None:
    """a full-screen app with a landscape desktop file turns the display, and leaving it turns back"""
    install_desktop_files(it.room)
    it.restart_agent()
    story = Story(it)
    if unknown := story.explain().get("appsUnknown"):
        raise Failure(unknown)
    it.turn("portrait")
    it.expect("normal")
    if not it.compositor.opens_on_internal:
        film = start_app(it, FILM, "--fullscreen")
        it.expect_kept("normal", 2.0, "an app on the other output")
        close_app(it, film)
        it.notes.append("windows open on the other output: their apps do not restrict the rotation")
        return
    story.tell("The device is held upright. No window is open.", "normal", None)
    plain = start_app(it, PLAIN, "--fullscreen")
    story.tell("An app without declared orientations opens in full screen.", "normal", PLAIN)
    film = start_app(it, FILM, "--fullscreen")
    # Of the two landscape orientations, the first one that it declares.
    story.tell("A film player opens in full screen. Its desktop file permits landscape only.", "270", FILM,
               f"{FILM} came to the front")
    it.turn("landscapeRight")
    story.tell("The device is turned to the other landscape orientation.", "90", FILM)
    it.turn("portrait")
    story.tell("The device is held upright again. The film stays in landscape.", "90", FILM,
               "does not allow portrait-primary")
    launcher = it.room.start(["fuzzel", "--dpi-aware=no"], "fuzzel.log")
    if it.compositor.keeps_front:
        it.expect_kept("90", 1.5, "a launcher over the film")
        story.tell("A launcher opens over the film, and has the focus. The display does not turn.", "90", FILM,
                   "does not allow portrait-primary")
    else:
        story.tell("A launcher opens over the film, and has the focus: no window is in front here.", "normal", None)
    if launcher.poll() is not None:
        raise Failure(f"fuzzel has ended: {it.room.read('fuzzel.log')[-300:]}")
    it.room.end(launcher)
    story.tell("The launcher closes.", "90", FILM)
    if it.compositor.show_workspace(2):
        story.tell("The user changes to an empty workspace.", "normal", None)
        it.compositor.show_workspace(1)
        story.tell("The user returns to the film.", "90", FILM)
    if it.compositor.toggle_fullscreen():
        story.tell("The film leaves full screen.", "normal", FILM, "left full screen")
        it.compositor.toggle_fullscreen()
        story.tell("The film is in full screen again.", "270", FILM)
    notes = start_app(it, NOTES, "--fullscreen")
    it.turn("landscapeLeft")
    story.tell("A notebook opens over the film: portrait only, whatever the device does.", "normal", NOTES)
    close_app(it, film)
    story.tell("The film behind it is closed: nothing changes.", "normal", NOTES)
    # It is in front when its process is killed.
    it.room.end(notes)
    it.room.wait(
        lambda: (story.explain().get("app") or {}).get("appId") in (PLAIN, None), "the notebook has closed")
    it.expect("270", "after the notebook")
    close_app(it, plain)
    story.tell("The notebook crashes, and the last app is closed: the display follows the device.", "270", None,
               "no window is in front")
    it.turn("portrait")
    story.tell("The device is held upright.", "normal", None)
    story.write("apps")


TESTS: list[Callable[[Session], None]] = [apps_in_front]
