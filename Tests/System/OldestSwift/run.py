#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build the sources and run all tests with the oldest supported Swift, which is Debian's own, in a directory with Debian.
Needs root, for chroot and mounts.

    run.py CACHE PYTHON PACKAGE...    CACHE keeps the directory and the build; PYTHON has pip; the Debian packages are those
                                      that the tests need
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
sys.path.append(str(REPOSITORY / "Scripts"))

import debian_root  # noqa: E402
import swift_root  # noqa: E402

WHEELS = "wheels"


def main(cache: Path, python: Path, packages: list[str]) -> int:
    root = swift_root.enter(cache, packages)
    oldest = re.search(r"^oldest=(.+)$", (REPOSITORY / "Scripts/setup.sh").read_text(), re.MULTILINE)[1]
    found = swift_root.version(root)
    if not re.match(re.escape(oldest) + r"(?!\d)", found):
        sys.exit(f"Debian sid has Swift {found}, not {oldest}: raise the oldest version, or use a snapshot of Debian")
    # What `make test` downloads.
    subprocess.run(
        [python, "-m", "pip", "download", "--quiet", "--only-binary=:all:", "--dest", root / WHEELS, "-r",
         REPOSITORY / "Scripts/python-packages.txt"], check=True)
    protocols = root / swift_root.SOURCES / ".build/protocols"
    shutil.copytree(REPOSITORY / ".build/protocols", protocols, dirs_exist_ok=True)
    # Debian's package lacks this library, which no test uses, but which the linker searches.
    subprocess.run(["chroot", root, "ar", "rc", "/usr/libexec/swift/lib/swift/linux/lib_Testing_Foundation.a"], check=True)
    swift_root.run(root, "swift", "--version")
    return swift_root.run(root, "make", "test", PIP_NO_INDEX="1", PIP_FIND_LINKS=f"/{WHEELS}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    debian_root.enter_namespace()
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).absolute(), sys.argv[3:]))
