# SPDX-License-Identifier: Apache-2.0
"""What must hold with every toolkit: PROOFS is the list."""

from collections.abc import Callable

from screenshot import angle, is_upright, up
from session import HEIGHT, POSES, WIDTH, Failure, Session


def launch(it: Session) -> None:
    """in each pose the first frame is right, and nothing is animated"""
    for pose, (edge, orientation) in POSES.items():
        it.end()
        it.turn(pose)
        it.start()
        # The first picture with the app in it.
        it.wait(lambda: "heading" in (areas := it.areas()) and "film" in areas, "the window")
        if not is_upright(it.areas(), edge, WIDTH, HEIGHT):
            it.picture("failed")
            raise Failure(f"{pose}: the first picture is not upright: {it.areas()}")
        it.expect_kept(edge, 0.5, pose)
        if set(it.frames) != {f"{orientation} 100 %"}:
            raise Failure(f"{pose}: frames {it.frames} instead of {orientation} at rest")


def poses(it: Session) -> None:
    """four orientations, and a click presses the button at its rotated position"""
    it.turn("portrait")
    it.start()
    page = 1
    for pose in ["landscapeRight", "portraitUpsideDown", "landscapeLeft", "portrait"]:
        it.turn(pose)
        it.expect(POSES[pose][0], pose)
        it.picture(pose)
        it.click("next")
        page = page % 3 + 1
        it.wait(lambda: f"page {page}" in it.areas(), f"page {page} after a click in {pose}")


def middle(it: Session) -> None:
    """in the middle of a turn the picture is between, and a click presses the button where it is seen"""
    it.turn("portrait")
    # Slow, so that the button is still there when the click arrives.
    it.start("--turn-duration", "40")
    it.expect("top", "portrait")
    it.turn("landscapeRight")
    it.wait(lambda: (seen := angle(it.areas())) is not None and -70 < seen < -25, "a picture between")
    it.picture("turning")
    it.click("lock")
    it.wait(lambda: "locked" in it.areas(), "the lock after a click during a turn")
    if it.frames[-1].endswith(" 100 %"):
        raise Failure("the turn has ended before the click")


def lock(it: Session) -> None:
    """the lock button keeps the orientation, and releases it"""
    it.turn("portrait")
    it.start()
    it.expect("top", "portrait")
    it.click("lock")
    it.wait(lambda: "locked" in it.areas(), "the lock")
    it.turn("landscapeLeft")
    it.expect_kept("top", 1.0, "locked")
    it.click("locked")
    it.expect("right", "unlocked")


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


def resized(it: Session) -> None:
    """a resized window is a panel of the new size, also of another shape"""
    it.turn("portrait")
    it.start()
    it.expect("top", "portrait")
    window = it.window()
    for width, height in [(420, 700), (480, 450)]:
        it.display.xdotool("windowsize", "--sync", window, str(width), str(height))
        for pose in ["landscapeLeft", "portrait"]:
            it.turn(pose)
            it.expect(POSES[pose][0], f"{width}x{height} in {pose}", width, height)


def daemon_restart(it: Session) -> None:
    """the daemon killed and started again"""
    it.turn("portrait")
    it.start()
    it.expect("top", "portrait")
    it.daemon.kill()
    it.daemon.wait()
    it.expect_kept("top", 0.5, "without a daemon")
    it.daemon = it.start_daemon()
    it.turn("landscapeLeft")
    it.expect("right", "after the restart")


PROOFS: list[Callable[[Session], None]] = [launch, poses, middle, lock, film, unmapped, resized, daemon_restart]
