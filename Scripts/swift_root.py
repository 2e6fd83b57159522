# SPDX-License-Identifier: Apache-2.0
"""Debian's own Swift in a directory, with a copy of the sources: the oldest Swift that builds them, and the one that
cross-compiles. Nothing there needs a network: the Swift packages are those that this machine has resolved."""

import os
import shutil
import subprocess
from pathlib import Path

import debian_root

# The release of Debian with the oldest supported Swift. On an old mirror its index counts as expired.
SUITE = "sid"
OPTIONS = ["--aptopt=Acquire::Check-Valid-Until false"]
PACKAGES = ["swiftlang", "git", "make"]

REPOSITORY = Path(__file__).resolve().parent.parent
# Where the sources are in the directory.
SOURCES = "orientationd"


def enter(cache: Path, packages: list[str]) -> Path:
    """Return the root directory with Swift, these packages and the present sources; build and mount what is needed."""
    root = debian_root.ensure(cache, SUITE, [*PACKAGES, *packages], *OPTIONS)
    debian_root.mount(root, "proc", "dev", "sys")
    copy_sources(root / SOURCES)
    return root


def run(root: Path, *command: str, **environment: str) -> int:
    """Run a command in the folder of the sources; return its status."""
    return debian_root.run(root, SOURCES, *command, **environment)


def version(root: Path) -> str:
    """Return the version of Debian's package."""
    command = ["chroot", root, "dpkg-query", "--show", "--showformat=${Version}", "swiftlang"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def copy_sources(target: Path) -> None:
    """Make the files of a folder those of the repository, with the Swift packages that `swift package resolve` has checked out
    where a source tarball has them. Files that are the same stay: they are not built again."""
    # With sudo, the repository belongs to another user.
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPOSITORY, check=True, capture_output=True, text=True).stdout
    files = {Path(name): REPOSITORY / name for name in listed.split("\0") if name}
    checkouts = REPOSITORY / ".build/checkouts"
    files |= {"vendor" / path.relative_to(checkouts): path for path in checkouts.glob("*/[!.]*/**/*")}
    files |= {"vendor" / path.relative_to(checkouts): path for path in checkouts.glob("*/[!.]*")}
    files = {name: source for name, source in files.items() if source.is_file()}
    for place, folders, names in os.walk(target):
        folder = Path(place)
        if folder == target:
            folders[:] = [name for name in folders if not name.startswith(".build")]
        for name in names:
            if (folder / name).relative_to(target) not in files:
                (folder / name).unlink()
    for name, source in files.items():
        copy, status = target / name, source.stat()
        if copy.exists() and (copy.stat().st_mtime_ns, copy.stat().st_size) == (status.st_mtime_ns, status.st_size):
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, copy)
