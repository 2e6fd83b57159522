# SPDX-License-Identifier: Apache-2.0
"""Programs that hold an orientation through the agent's socket: one that crashes, ten at once, a deaf and a hostile one."""

import contextlib
import os
import signal
from collections.abc import Callable

from apps import App
from front import PLAIN, Story
from session import Failure
from tests import Session

HOLDERS = 10
# More replies than a socket buffers for a client that does not read.
CHANGES = 1_500
# More connections than the agent accepts.
MANY = 200
# Bytes of a message without an end: more than the agent accepts.
FLOOD = 1 << 20
# What all of it may cost the agent, in kB.
MEMORY = 8_192


def has_place(it: Session) -> bool:
    """Return whether the agent replies to another client. Until it has seen the ends of a crowd, it refuses more."""
    try:
        with contextlib.closing(App(it.room)) as app:
            return bool(app.explain())
    except (Failure, OSError):
        return False


def crashing_program(it: Session) -> None:
    """the hold of a program ends when the program crashes"""
    story = Story(it, "a program that holds an orientation")
    it.turn("portrait")
    it.expect("normal")
    unknown = story.explain().get("appsUnknown")
    applies = unknown or it.compositor.opens_on_internal
    holding = it.room.start(
        ["orientationctl", "hold", "--orientations", "landscapeLeft", "--app-id", PLAIN, "--", "foot",
         f"--app-id={PLAIN}", "sleep", "600"], "hold.log")
    it.room.wait(lambda: f"app {PLAIN}" in it.room.read("hold.log"), "the message of hold")
    in_front = PLAIN if not unknown and it.compositor.opens_on_internal else None
    story.tell("A program starts with 'orientationctl hold --orientations landscapeLeft'.",
               "90" if applies else "normal", in_front)
    program = it.room.run(["pgrep", "--parent", str(holding.pid)], check=True).stdout
    os.kill(int(program), signal.SIGSEGV)
    status = it.room.wait_for_exit(holding, "hold")
    if status != 128 + signal.SIGSEGV:
        raise Failure(f"hold: exit status {status}")
    story.tell("The program crashes. Its hold ends with it.", "normal", None)
    story.write("crash")


def many_apps(it: Session) -> None:
    """ten apps hold, one does not read, one sends garbage: the display follows those that behave"""
    story = Story(it, "programs that hold orientations, well-behaved and not")
    it.turn("portrait")
    it.expect("normal")
    memory = it.agent_figures()[1]
    apps = [App(it.room) for _ in range(HOLDERS)]
    last = apps.pop()
    for app in apps:
        app.hold(["landscapeLeft", "landscapeRight"])
    last.hold(["landscapeRight"])
    story.tell("Ten programs hold landscape, and the last of them only landscapeRight.", "270", None)
    last.close()
    it.turn("landscapeRight")
    story.tell("The last one ends, and the device is turned to the other landscape.", "90", None)

    deaf = App(it.room)
    deaf.hold(["landscapeLeft", "landscapeRight"])
    changing = App(it.room)
    for number in range(CHANGES):
        changing.hold(["landscapeLeft", "landscapeRight"] if number % 2 else ["landscapeLeft"], more=False)
    story.tell(f"A program does not read its replies, while another one changes its hold {CHANGES} times.", "90", None,
               "a hold changed")
    hostile = App(it.room)
    hostile.send_raw(b"x" * FLOOD)
    if not hostile.is_closed():
        raise Failure("a message without an end: the connection is still open")
    for text in (b'{"method":"org.orientationd.Interface.Hold","parameters":{"supported":["up"]}}\0', b"[[[[\0", b"\0"):
        App(it.room).send_raw(text)
    crowd: list[App] = []
    # A full queue of connections refuses more.
    with contextlib.suppress(BlockingIOError):
        while len(crowd) < MANY:
            crowd.append(App(it.room))
    open_ones = [app for app in crowd if not app.is_closed(wait=False)]
    for app in crowd:
        app.close()
    it.room.wait(lambda: has_place(it), "a place for a client after the crowd")
    story.note(f"A hostile program sends {FLOOD >> 20} MB without an end, and is disconnected; it sends malformed messages,"
               f" and opens up to {MANY} connections: {len(open_ones)} stay open.")
    story.tell("The display keeps its orientation.", "90", None)
    for app in [*apps, changing, deaf]:
        app.close()
    it.turn("portrait")
    story.tell("All programs end, and the device is held upright.", "normal", None)
    grown = it.agent_figures()[1] - memory
    if grown > MEMORY:
        raise Failure(f"the agent has grown by {grown} kB")
    it.notes.append(f"memory of the agent: {grown:+} kB")
    story.write("holds")


TESTS: list[Callable[[Session], None]] = [crashing_program, many_apps]
