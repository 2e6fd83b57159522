# SPDX-License-Identifier: Apache-2.0
"""The guest's image: a minimal Debian with the kernel modules that the proofs need, built once and kept."""

import hashlib
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"

# What the guest has from the start: a small system with udev, systemd and D-Bus, and what the proofs are written in.
PACKAGES = ["systemd-sysv", "udev", "dbus", "kmod", "python3", "i2c-tools", "busybox-static",
            # What the neighbours in the proofs need, which takes an emulated machine minutes to install.
            "polkitd", "libgudev-1.0-0", "libavahi-client3"]

# What the guest's apt can install without a network: what our package may depend on, and the neighbours in the proofs.
OFFERED = ["libiio0", "libjansson4", "libsystemd0", "acl", "iiod", "iio-sensor-proxy", "polkitd"]

# The machine itself, the shared folder, and the emulated hardware: registers behind i2c, a HID hub, input devices.
MODULES = [
    "virtio_pci", "virtio_blk", "virtio_rng", "ext4", "9p", "9pnet_virtio", "autofs4", "evdev",
    "i2c-stub", "i2c-dev", "kxcjk-1013", "uhid", "hid-sensor-hub", "hid-sensor-accel-3d", "uinput",
    # Not in Debian 12's kernel.
    "iio-trig-hrtimer",
]

# The initrd has what leads to the disk.
BOOT_MODULES = ["virtio_pci", "virtio_blk", "ext4"]

SIZE = "2G"


def mirror() -> str:
    """Debian's mirror of this machine, so that what it can reach is asked; Debian's own where it has none."""
    lists = [Path("/etc/apt/sources.list"), *sorted(Path("/etc/apt/sources.list.d").glob("*"))]
    words = " ".join(path.read_text() for path in lists if path.is_file() and path.suffix in (".list", ".sources")).split()
    found = (word.rstrip("/") for word in words if "://" in word)
    return next((uri for uri in found if uri.endswith("/debian")), "http://deb.debian.org/debian")


def fingerprint(suite: str) -> str:
    """Changes with all that an image is made of, except what the mirror has."""
    parts = [suite.encode(), Path(__file__).read_bytes()]
    parts += [path.read_bytes() for path in sorted((HERE / "image").iterdir())]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def ensure(suite: str, cache: Path) -> Path:
    """The folder with the image `root`, the kernel `vmlinuz` and the `initrd` of a suite; makes them if need be."""
    folder = cache / suite
    stamp = folder / "fingerprint"
    wanted = fingerprint(suite)
    if stamp.exists() and stamp.read_text() == wanted:
        return folder
    print(f"building the image of {suite}; it is kept in {folder}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        build(suite, folder)
    except subprocess.CalledProcessError as error:
        log = (folder / "build.log").read_text()
        raise SystemExit(f"The image could not be built:\n{log[-3000:]}") from error
    stamp.write_text(wanted)
    return folder


def build(suite: str, folder: Path) -> None:
    disk = folder / "root"
    command = [
        "mmdebstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}", "--format=ext2",
        "--aptopt=APT::Install-Recommends false",
        "--dpkgopt=path-exclude=/usr/share/doc/*", "--dpkgopt=path-exclude=/usr/share/man/*",
        "--dpkgopt=path-exclude=/usr/share/locale/*",
        # Would forget the machine's id, so that each boot were a first one.
        "--skip=cleanup/reproducible",
        f"--customize-hook={HERE}/image/offer.sh $1 {' '.join(OFFERED)}",
        f"--customize-hook={HERE}/image/kernel.sh $1 '{' '.join(MODULES)}' '{' '.join(BOOT_MODULES)}'",
        f"--customize-hook={HERE}/image/configure.sh $1",
        f"--customize-hook=copy-out /boot/vmlinuz /boot/initrd {folder}",
        suite, str(disk), f"deb [signed-by={KEYRING}] {mirror()} {suite} main",
    ]
    with open(folder / "build.log", "w") as log:
        subprocess.run(command, check=True, stdout=log, stderr=log)
        subprocess.run(["truncate", f"--size={SIZE}", disk], check=True)
        # Answers 1 when it has repaired something, as it does in a file system fresh from the archive.
        subprocess.run(["/sbin/e2fsck", "-fy", disk], check=False, stdout=log, stderr=log)
        subprocess.run(["/sbin/resize2fs", disk], check=True, stdout=log, stderr=log)
