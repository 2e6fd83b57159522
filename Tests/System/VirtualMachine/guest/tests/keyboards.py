# SPDX-License-Identifier: Apache-2.0
"""The keyboard of a folded laptop, as libinput and compositors have it."""

import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

from convertible import Convertible, keyboard
from harness import eventually, expect, test
from sessions import Mutter, Session, Sway
from tablet_switch import TabletSwitch, is_tablet, released

# Keys of linux/input-event-codes.h, and their names in the output of both programs.
BEFORE, FOLDED, AFTER = 30, 48, 46
NAMES = {BEFORE: "a", FOLDED: "b", AFTER: "c"}


def letters(file: Path, pattern: str) -> set[str]:
    """Return the letters in the output of a program that prints keys."""
    return {match.lower() for match in re.findall(pattern, file.read_text(errors="replace"))}


def suspends(session: Session) -> str:
    """Press a key before, during and after tablet mode."""
    with TabletSwitch() as program:
        laptop, keys = Convertible(), keyboard()
        try:
            program.start()
            eventually(lambda: f"the switch; the log is: {program.log[-500:]}", lambda: is_tablet() is False)
            with session:
                # Only root can open input devices.
                log = session.start("libinput", "libinput", "debug-events", "--show-keycodes", user="root")
                readers: dict[str, Callable[[], set[str]]] = {
                    "libinput": lambda: letters(log, r"KEY_(\w) .*pressed"),
                    session.name: lambda: letters(session.input, r"sym: (\w) ")}

                def press_until_read(key: int) -> float:
                    began = time.monotonic()
                    for reader, read in readers.items():
                        eventually(lambda: f"key {NAMES[key]} in {reader}; it has {read()}",
                                   lambda: keys.press(key) or NAMES[key] in read())
                    return time.monotonic() - began

                press_until_read(BEFORE)
                laptop.fold(300)
                session.require("tablet mode in libinput", log, lambda: "tablet-mode state 1" in log.read_text())
                for _ in range(5):
                    keys.press(FOLDED)
                    time.sleep(0.2)
                # After SIGKILL the unit starts it again, and the keyboard would be suspended again.
                process = program.process
                release = released("the end of the program", lambda: os.kill(process, signal.SIGTERM))
                again = press_until_read(AFTER)
                found = {reader: "".join(sorted(read())) for reader, read in readers.items()}
                expect(all(NAMES[FOLDED] not in read for read in found.values()), f"keys while folded: {found}")
        finally:
            keys.remove()
            laptop.unplug()
    return f"no key while folded; the switch reports laptop {release}, and a key arrives after {again:.1f} s more"


@test("libinput and sway ignore the keyboard in tablet mode")
def sway() -> str:
    return suspends(Sway())


@test("libinput and mutter ignore the keyboard in tablet mode")
def mutter() -> str:
    return suspends(Mutter())
