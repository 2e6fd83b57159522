# SPDX-License-Identifier: Apache-2.0
"""The Debian 13 with the compositors, in a directory: built once and kept."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "Scripts"))

import debian_root  # noqa: E402

SUITE = "trixie"

# sway, and the programs that show what it does.
PACKAGES = [
    "sway", "wlr-randr", "grim", "wtype", "dbus", "procps",
    # A terminal, for the picture of the README.
    "foot", "fonts-dejavu-core",
    # A launcher: a panel that takes the keyboard focus.
    "fuzzel",
    # Turns outputs off; and a server of notifications.
    "wlopm", "mako-notifier",
    # Used by orientationd.
    "libiio0", "libjansson4", "libsystemd0",
    # Used by orientation-autorotate.
    "libwayland-client0", "libxcb-randr0", "libxcb-xinput0",
]
# The other compositors.
OTHERS = [
    "labwc", "phoc", "kwin-wayland", "mutter", "libkscreen-bin", "qt6-wayland",
    # X servers, a window manager and a terminal.
    "xvfb", "xserver-xephyr", "x11-xserver-utils", "openbox", "xterm",
    # Used by openbox-session, for XDG autostart.
    "python3-xdg",
    # A desktop that rotates the display itself, and gsettings for its rotation lock.
    "phosh", "libglib2.0-bin",
    # Used by the apps of Examples.
    "libgtk-4-1", "libsdl2-2.0-0", "libsdl2-gfx-1.0-0",
]


def ensure(cache: Path, only_sway: bool = False) -> Path:
    """Return the root directory; build it if needed. With all packages it serves for sway alone, too."""
    is_complete = debian_root.is_current(cache, SUITE, PACKAGES + OTHERS)
    return debian_root.ensure(cache, SUITE, PACKAGES if only_sway and not is_complete else PACKAGES + OTHERS)
