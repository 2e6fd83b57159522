# SPDX-License-Identifier: Apache-2.0
"""The Debian 13 with the compositors, in a directory: built once and kept."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "VirtualMachine"))

from image import KEYRING, mirror  # noqa: E402

SUITE = "trixie"

# The compositors, and the programs that show what they do.
PACKAGES = [
    "sway", "labwc", "phoc", "kwin-wayland", "mutter",
    "wlr-randr", "libkscreen-bin", "qt6-wayland", "grim", "wtype", "dbus", "procps",
    # A terminal, for the picture of the README.
    "foot", "fonts-dejavu-core",
    # A launcher: a panel that takes the keyboard focus.
    "fuzzel",
    # Used by the apps of Examples.
    "libgtk-4-1", "libsdl2-2.0-0", "libsdl2-gfx-1.0-0",
    # Used by orientationd.
    "libiio0", "libjansson4", "libsystemd0",
    # Used by orientation-autorotate.
    "libwayland-client0", "libxcb-randr0", "libxcb-xinput0",
]


def fingerprint() -> str:
    """Return a hash of everything that the directory is built from, except the mirror's packages."""
    return hashlib.sha256(Path(__file__).read_bytes()).hexdigest()


def ensure(cache: Path) -> Path:
    """Return the root directory; build it if needed."""
    root, stamp = cache / "root", cache / "fingerprint"
    if stamp.exists() and stamp.read_text() == fingerprint():
        return root
    print(f"installing Debian {SUITE} with the compositors in {root}", flush=True)
    shutil.rmtree(cache, ignore_errors=True)
    cache.mkdir(parents=True)
    log = cache / "build.log"
    command = [
        "mmdebstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", "--format=directory",
        "--aptopt=APT::Install-Recommends false",
        "--dpkgopt=path-exclude=/usr/share/doc/*", "--dpkgopt=path-exclude=/usr/share/man/*",
        "--dpkgopt=path-exclude=/usr/share/locale/*",
        SUITE, str(root), f"deb [signed-by={KEYRING}] {mirror()} {SUITE} main",
    ]
    with open(log, "w") as file:
        if subprocess.run(command, stdout=file, stderr=file, check=False).returncode != 0:
            raise SystemExit(f"cannot install Debian:\n{log.read_text()[-3000:]}")
    stamp.write_text(fingerprint())
    return root
