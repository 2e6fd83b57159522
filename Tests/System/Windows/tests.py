# SPDX-License-Identifier: Apache-2.0
"""What must hold with every toolkit, and SDL: TESTS and SDL_TESTS are the lists. No test waits for a time: each waits for a
line in the app's log or for a picture."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from screenshot import angle, is_upright, up
from session import HEIGHT, POSES, WIDTH, Failure, Session


def launch(it: Session) -> None:
    """upright in each pose, the first frame is right, and nothing is animated"""
    for pose, (edge, orientation) in POSES.items():
        it.end()
        it.turn(pose)
        expect_launch(it, pose, edge, orientation)


def expect_launch(it: Session, pose: str, edge: str, orientation: str) -> None:
    """Start the app, and check its first picture, and those after the first reading."""
    it.start()
    # The first picture with the app in it, complete.
    it.wait(lambda: {"heading", "lock", "film", "next"} <= set(it.areas()), "the window")
    if not is_upright(it.areas(), edge, WIDTH, HEIGHT):
        it.picture("failed")
        raise Failure(f"{pose}: the first picture is not upright: {it.areas()}")
    it.expect_reading(pose)
    it.expect_kept(edge, pose)
    if set(it.frames) != {f"{orientation} 100 %"}:
        raise Failure(f"{pose}: frames {it.frames} instead of {orientation} at rest")


def poses(it: Session) -> None:
    """four orientations, and a click presses the button at its rotated position"""
    it.turn("portrait")
    it.start()
    for pose in ["landscapeRight", "portraitUpsideDown", "landscapeLeft", "portrait"]:
        it.turn(pose)
        it.expect(POSES[pose][0], pose)
        it.picture(pose)
        it.turn_page(f"in {pose}")


def middle(it: Session) -> None:
    """in the middle of a turn the picture is between, and a click presses the button where it is seen"""
    it.turn("portrait")
    # Slow, so that the button is still there when the click arrives.
    it.start("--turn-duration", "40")
    it.expect("top", "portrait")
    # A turn before the first reading would not be animated.
    it.expect_reading("portrait")

    def is_between() -> bool:
        return (seen := angle(it.areas())) is not None and -70 < seen < -25

    # A turn without a frame for a second, as on a loaded machine, ends at once: the next one is in the same angles.
    for pose in ["landscapeRight", "portrait", "landscapeRight"]:
        it.turn(pose)
        it.expect_reading(pose)
        it.wait(lambda end=f"{POSES[pose][1]} 100 %": is_between() or it.frames[-1] == end, "a picture between")
        if is_between():
            break
    it.picture("turning")
    it.click("lock")
    it.wait(lambda: "locked" in it.areas(), "the lock after a click during a turn")
    if it.frames[-1].endswith(" 100 %"):
        raise Failure("the turn has ended before the click")


def film(it: Session) -> None:
    """the film is in landscape, and the reader has its orientation afterwards"""
    it.turn("portrait")
    it.start()
    it.expect("top", "portrait")
    it.click("film")

    def is_wide() -> bool:
        areas = it.areas()
        if not {"sky", "hill", "close"} <= set(areas):
            return False
        # In either landscape: the hill below, the button at the upper right.
        return any(abs(up(edge, areas["hill"].x, areas["hill"].y, WIDTH, HEIGHT)[1] - 0.75) < 0.1
                   and up(edge, areas["close"].x, areas["close"].y, WIDTH, HEIGHT)[0] > 0.6
                   for edge in ("left", "right"))

    it.wait(is_wide, "the film in landscape")
    it.picture("film")
    it.click("close")
    it.expect("top", "after the film")


def unmapped(it: Session) -> None:
    """a turn of an unmapped window is completed, and the window is upright when it appears again"""
    it.turn("portrait")
    # Longer than the test waits.
    it.start("--turn-duration", "600")
    it.expect("top", "portrait")
    it.expect_reading("portrait")
    it.turn("landscapeRight")
    it.wait(lambda: it.frames[-1] != "portrait 100 %", "the beginning of the turn")
    window = it.window()
    it.display.xdotool("windowunmap", "--sync", window)
    it.display.xdotool("windowmap", "--sync", window)
    it.expect("left", "the turn of the window that was hidden")
    it.start()
    it.expect("left", "landscapeRight")
    window = it.window()
    it.display.xdotool("windowunmap", "--sync", window)
    it.turn("portrait")
    it.display.xdotool("windowmap", "--sync", window)
    it.expect("top", "the turn while hidden")


def without_textures(it: Session) -> None:
    """a renderer that cannot draw into textures is replaced, and without any the interface is shown and does not turn"""
    library = it.directory / "textures.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, Path(__file__).parent / "textures.c", "-ldl"], check=True)
    it.turn("portrait")
    it.start(LD_PRELOAD=str(library), FAILING_RENDERERS="1")
    for pose in ["portrait", "landscapeLeft"]:
        it.turn(pose)
        it.expect(POSES[pose][0], f"{pose} with the second renderer")
        it.turn_page(f"in {pose} with the second renderer")
    it.turn("portrait")
    it.turn("landscapeRight")
    it.start(LD_PRELOAD=str(library), FAILING_RENDERERS="9")
    it.expect("top", "without textures")
    it.expect_reading("landscapeRight")
    it.expect_kept("top", "without textures")


TESTS: list[Callable[[Session], None]] = [launch, poses, middle, film, unmapped]
SDL_TESTS: list[Callable[[Session], None]] = [without_textures]
