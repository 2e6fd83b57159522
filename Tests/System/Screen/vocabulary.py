# SPDX-License-Identifier: Apache-2.0
"""Each word for orientations means the same transform, wherever it is written and whatever the shape of the panel is."""

import contextlib
import signal
from collections.abc import Callable, Iterator

from apps import App
from front import PLAIN, close_app, install_desktop_files, start_app
from session import Failure
from tests import Session

TRANSFORMS = ["normal", "90", "180", "270"]
# By the natural orientation, on a tall and on a wide panel: the poses with the top, left, bottom and right edge up.
POSES = {
    "portrait": ["portrait", "landscapeRight", "portraitUpsideDown", "landscapeLeft"],
    "landscapeLeft": ["landscapeLeft", "portrait", "landscapeRight", "portraitUpsideDown"],
}
# The edges that may be up, on a tall and on a wide panel; those in LOCKS are words of `lock` too.
WORDS = {
    "any": ([0, 1, 2, 3], [0, 1, 2, 3]), "portrait": ([0, 2], [1, 3]), "landscape": ([3, 1], [0, 2]),
}
UIKIT = {"portraitUpsideDown": ([2], [3]), "landscapeLeft": ([1], [2]), "landscapeRight": ([3], [0])}
LOCKS = {
    "natural": ([0], [0]), "portrait-primary": ([0], [1]), "portrait-secondary": ([2], [3]),
    "landscape-primary": ([3], [0]), "landscape-secondary": ([1], [2]),
}
EDGES = {word: ([edge], [edge]) for edge, words in enumerate(
    [("top", "normal"), ("left", "left-up"), ("bottom", "bottom-up"), ("right", "right-up")]) for word in words}
# Seconds in which a display must not turn.
STABLE = 0.4


@contextlib.contextmanager
def call(it: Session, word: str) -> Iterator[None]:
    app = App(it.room)
    app.hold([word])
    yield
    app.close()


@contextlib.contextmanager
def option(it: Session, word: str) -> Iterator[None]:
    it.restart_agent("--orientations", word)
    yield
    it.restart_agent()


@contextlib.contextmanager
def hold(it: Session, word: str) -> Iterator[None]:
    app = f"org.example.{word}"
    program = it.room.start(
        ["orientationctl", "hold", "--orientations", word, "--app-id", app, "--", *it.compositor.terminal(app)], "hold.log")
    await_front(it, app)
    yield
    # Ends the terminal too, which may have a group of its own.
    it.room.end(program, signal.SIGTERM)
    await_front(it, PLAIN)


@contextlib.contextmanager
def desktop_file(it: Session, word: str) -> Iterator[None]:
    app = f"org.example.{word}"
    install_desktop_files(it.room, {app: word})
    program = start_app(it, app, "--fullscreen")
    await_front(it, app)
    yield
    it.room.end(program)
    (it.room.outside / f".local/share/applications/{app}.desktop").unlink()
    await_front(it, PLAIN)


def await_front(it: Session, app: str) -> None:
    """Wait until a window of an app is in front."""
    def in_front() -> str | None:
        agent = App(it.room)
        try:
            return (agent.explain().get("app") or {}).get("appId")
        finally:
            agent.close()
    try:
        it.room.wait(lambda: in_front() == app, "")
    except Failure:
        raise Failure(f"{in_front()} in front instead of {app}") from None


def turn(it: Session, poses: list[str], allowed: list[int], what: str) -> None:
    """Turn the device to all allowed poses, and to another one, which the display does not follow."""
    for edge in allowed:
        it.room.tool("simulate", poses[edge], check=True)
        it.expect(TRANSFORMS[edge], f"{what}, {poses[edge]}")
    for other in {0, 1, 2, 3}.difference(allowed):
        it.room.tool("simulate", poses[other], check=True)
        it.expect_kept(TRANSFORMS[allowed[-1]], STABLE, f"{what}, {poses[other]}")
        break


def vocabulary(it: Session) -> None:
    """each word means the same in Hold, hold, --orientations, desktop files and lock, on a tall and on a wide panel"""
    has_windows = it.compositor.opens_on_internal
    places = [call, option] + ([hold, desktop_file] if has_windows else [])
    # Not all window managers report that no window has the focus.
    plain = start_app(it, PLAIN) if has_windows else None
    for shape, (natural, poses) in enumerate(POSES.items()):
        it.room.end(it.daemon)
        it.daemon = it.start_daemon(natural)
        for word, allowed in (WORDS | UIKIT | LOCKS).items():
            # The option refuses UIKit's names.
            for place in [place for place in places if place is not option or word not in UIKIT]:
                with place(it, word):
                    turn(it, poses, allowed[shape], f"{place.__name__} {word}, natural {natural}")
        for word, allowed in (LOCKS | EDGES).items():
            locked = it.tool("lock", word)
            if locked.returncode != 0:
                raise Failure(f"lock {word}: {locked.stderr.strip()}")
            edge = allowed[shape][0]
            it.expect(TRANSFORMS[edge], f"lock {word}, natural {natural}")
            it.room.tool("simulate", poses[(edge + 1) % 4], check=True)
            it.expect_kept(TRANSFORMS[edge], STABLE, f"lock {word}, natural {natural}")
        it.tool("unlock")
    it.notes.append(f"{len(WORDS | UIKIT | LOCKS)} words in {len(places)} places, {len(LOCKS | EDGES)} in lock, on two shapes")
    if plain:
        close_app(it, plain)
    it.room.end(it.daemon)
    it.daemon = it.start_daemon()


TESTS: list[Callable[[Session], None]] = [vocabulary]
