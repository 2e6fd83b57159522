# SPDX-License-Identifier: Apache-2.0
"""The Debian 13 with the compositors, in a directory: built once and kept."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "Scripts"))

import debian_root  # noqa: E402

SUITE = "trixie"

# The compositors, and the programs that show what they do.
PACKAGES = [
    "sway", "labwc", "phoc", "kwin-wayland", "mutter",
    "wlr-randr", "libkscreen-bin", "qt6-wayland", "grim", "wtype", "dbus", "procps",
    # A terminal, for the picture of the README.
    "foot", "fonts-dejavu-core",
    # A launcher: a panel that takes the keyboard focus.
    "fuzzel",
    # A desktop that rotates the display itself, and gsettings for its rotation lock.
    "phosh", "libglib2.0-bin",
    # Used by the apps of Examples.
    "libgtk-4-1", "libsdl2-2.0-0", "libsdl2-gfx-1.0-0",
    # Used by orientationd.
    "libiio0", "libjansson4", "libsystemd0",
    # Used by orientation-autorotate.
    "libwayland-client0", "libxcb-randr0", "libxcb-xinput0",
]


def ensure(cache: Path) -> Path:
    """Return the root directory; build it if needed."""
    return debian_root.ensure(cache, SUITE, PACKAGES)
