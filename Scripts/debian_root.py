# SPDX-License-Identifier: Apache-2.0
"""Debian in a directory, made by mmdebstrap: built once and kept.

    debian_root.py CACHE SUITE PACKAGE...  build the directory in CACHE if needed, and print its path
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
# Documents that no program reads.
WITHOUT_DOCUMENTS = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("doc", "man", "locale")]
# The variables of programs in the directory.
ENVIRONMENT = {"HOME": "/root", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8"}
# Set in the process that has mounts of its own.
NAMESPACE = "ORIENTATIOND_MOUNT_NAMESPACE"


def mirror() -> str:
    """Return the Debian mirror of this machine, which it can reach; Debian's own if it has none."""
    lists = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    found = (uri.rstrip("/") for path in lists if path.is_file() for uri in main_uris(path.suffix, path.read_text()))
    return next((uri for uri in found if uri.endswith("/debian")), "http://deb.debian.org/debian")


def main_uris(suffix: str, text: str) -> list[str]:
    """Return the URIs of the component main in a file of apt's sources: lines of a .list, stanzas of a .sources file."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    if suffix == ".list":
        # An entry is: deb [OPTIONS] URI SUITE COMPONENT...
        words = [re.sub(r"\[.*?\]|#.*", " ", line).split() for line in lines]
        return [entry[1] for entry in words if entry[:1] == ["deb"] and "main" in entry[3:]]
    uris = []
    for stanza in re.split(r"\n\s*\n", "\n".join(lines)) if suffix == ".sources" else ():
        # A line that begins with a space continues a field.
        fields = re.findall(r"^([\w-]+):((?:.*\n?)(?:[ \t]+.*\n?)*)", stanza, re.MULTILINE)
        values = {name.lower(): value.split() for name, value in fields}
        is_used = "deb" in values.get("types", []) and values.get("enabled", ["yes"]) not in (["no"], ["false"])
        if is_used and "main" in values.get("components", []):
            uris += values.get("uris", [])
    return uris


def fingerprint(*words: str) -> str:
    return hashlib.sha256("\0".join([Path(__file__).read_text(), *words]).encode()).hexdigest()


def is_current(cache: Path, suite: str, packages: list[str], *options: str) -> bool:
    """Return whether `cache` has the directory that these arguments of `ensure` build."""
    stamp = cache / "fingerprint"
    return stamp.exists() and stamp.read_text() == fingerprint(suite, *packages, *options)


def ensure(cache: Path, suite: str, packages: list[str], *options: str) -> Path:
    """Return the directory `root` in `cache`, with these packages of a Debian release; build it if needed. The options are
    mmdebstrap's."""
    root, stamp, log = cache / "root", cache / "fingerprint", cache / "build.log"
    if is_current(cache, suite, packages, *options):
        return root
    print(f"installing Debian {suite} in {root}", file=sys.stderr, flush=True)
    shutil.rmtree(cache, ignore_errors=True)
    cache.mkdir(parents=True)
    command = [
        "mmdebstrap", "--variant=minbase", f"--include={','.join(packages)}", "--format=directory",
        "--aptopt=APT::Install-Recommends false", *WITHOUT_DOCUMENTS, *options,
        suite, str(root), f"deb [signed-by={KEYRING}] {mirror()} {suite} main",
    ]
    with open(log, "w") as file:
        if subprocess.run(command, stdout=file, stderr=file, check=False).returncode != 0:
            raise SystemExit(f"cannot install Debian:\n{log.read_text()[-3000:]}")
    stamp.write_text(fingerprint(suite, *packages, *options))
    return root


def mount(root: Path, *names: str) -> None:
    """Mount what programs expect: these directories of the machine, and empty /run and /tmp. Only this process and its
    children see it."""
    for name in names:
        subprocess.run(["mount", "--rbind", f"/{name}", root / name], check=True)
    for name in ("run", "tmp"):
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", root / name], check=True)
    machine = root / "etc/machine-id"
    if not machine.exists() or not machine.read_text().strip():
        machine.write_text("0123456789abcdef0123456789abcdef\n")


def run(root: Path, folder: str, *command: str, **environment: str) -> int:
    """Run a command in a folder of the directory; return its status."""
    variables = [f"{name}={value}" for name, value in (ENVIRONMENT | environment).items()]
    # Not chroot alone: in a chroot the kernel permits no user namespaces, which some tests need.
    pivot = 'mount --rbind "$0" "$0" && cd "$0" && pivot_root . mnt && umount -l /mnt && exec env "$@"'
    inside = ["sh", "-c", pivot, root, "-i", f"--chdir=/{folder}", *variables, *command]
    return subprocess.run(["unshare", "--mount", *inside], check=False).returncode


def enter_namespace() -> None:
    """Start this program again with mounts of its own."""
    if os.environ.pop(NAMESPACE, "") == "1":
        return
    if os.geteuid() != 0:
        sys.exit(f"{Path(sys.argv[0]).name}: must be root, for chroot and mounts")
    os.environ[NAMESPACE] = "1"
    os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", "--", sys.executable, *sys.argv])


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    print(ensure(Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3:]))
