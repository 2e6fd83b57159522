# SPDX-License-Identifier: Apache-2.0
"""The switch in the hinge of a convertible, with keys beside it."""

from uinput import SWITCH, InputDevice

# From linux/input-event-codes.h.
TABLET_MODE = 1
LETTER_A, VOLUME_UP = 30, 115
# The size of struct input_event, in bytes.
EVENT_SIZE = 24


class Hinge(InputDevice):
    def __init__(self, *keys: int) -> None:
        super().__init__("hinge", keys, [TABLET_MODE])

    def fold(self, is_tablet: bool) -> None:
        self.send(SWITCH, TABLET_MODE, int(is_tablet))
