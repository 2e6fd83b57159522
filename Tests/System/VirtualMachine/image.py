# SPDX-License-Identifier: Apache-2.0
"""The guests' images: a minimal Debian with the kernel modules that the tests need, built once and kept."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[2] / "Scripts"))

from debian_root import KEYRING, mirror  # noqa: E402

# The packages of the image: a small system with udev, systemd and D-Bus, and the tools of the tests.
PACKAGES = ["systemd-sysv", "udev", "dbus", "kmod", "python3", "i2c-tools", "busybox-static", "sudo",
            # Dependencies of other services in the tests, which take an emulated machine minutes to install.
            "polkitd", "libgudev-1.0-0", "libavahi-client3"]

# The packages of the image for the tests of displays, in addition: compositors with keyboard and touch input, mutter and KWin
# in a session of logind; tools that print input and outputs; a window manager with an app.
SCREEN_PACKAGES = ["sway", "seatd", "wev", "xserver-xorg-core", "xserver-xorg-input-libinput", "xinput", "x11-xserver-utils",
                   "x11-xkb-utils", "xkb-data", "libxcb-randr0", "libxcb-xinput0", "libwayland-client0",
                   "libinput-tools", "mutter", "kwin-wayland", "wayland-utils", "libpam-systemd", "dbus-user-session"]

# The packages in the guest's offline repository: dependencies of the package, and the other services of the tests.
OFFERED = ["libiio0", "libjansson4", "libsystemd0", "acl", "iio-sensor-proxy", "polkitd"]

# For virtual hardware, the shared directory, and emulated devices: i2c registers, a HID hub, input devices.
MODULES = [
    "virtio_pci", "virtio_blk", "virtio_rng", "ext4", "9p", "9pnet_virtio", "autofs4", "evdev",
    "i2c-stub", "i2c-dev", "kxcjk-1013", "uhid", "hid-sensor-hub", "hid-sensor-accel-3d", "hid-sensor-custom", "uinput",
    # Loaded by one test only.
    "virtio-gpu",
    # The sensor core of Snapdragon machines.
    "qrtr",
    # For the modules that are built, which no Debian kernel has; see image/modules.sh.
    "configfs",
]

# The modules of the initrd: those that the disk needs.
BOOT_MODULES = ["virtio_pci", "virtio_blk", "ext4"]

SIZE = "2G"


def fingerprint(name: str) -> str:
    """Return a hash of everything that an image is built from, except the mirror's packages."""
    parts = [name.encode(), Path(__file__).read_bytes()]
    parts += [path.read_bytes() for path in sorted((HERE / "image").iterdir())]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def ensure(suite: str, cache: Path, architecture: str, has_screen: bool = False) -> Path:
    """Return the directory with the image `root`, the kernel `vmlinuz` and the `initrd` of a suite; build them if needed."""
    name = f"{suite}-screen" if has_screen else suite
    if architecture != "amd64":
        name += f"-{architecture}"
    folder = cache / name
    stamp = folder / "fingerprint"
    wanted = fingerprint(name)
    if stamp.exists() and stamp.read_text() == wanted:
        return folder
    print(f"building the image of {name} in {folder}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        build(suite, folder, architecture, PACKAGES + SCREEN_PACKAGES if has_screen else PACKAGES)
    except subprocess.CalledProcessError as error:
        log = (folder / "build.log").read_text()
        raise SystemExit(f"cannot build the image:\n{log[-3000:]}") from error
    stamp.write_text(wanted)
    return folder


def build(suite: str, folder: Path, architecture: str, packages: list[str]) -> None:
    disk, modules = folder / "root", folder / "modules.tar"
    source = f"deb [signed-by={KEYRING}] {mirror()} {suite} main"
    compilation = [
        "mmdebstrap", "--variant=apt", "--format=null", "--aptopt=APT::Install-Recommends false",
        f"--customize-hook={HERE}/image/modules.sh $1", f"--customize-hook=download /modules.tar {modules}",
        suite, "-", source,
    ]
    command = [
        "mmdebstrap", f"--architectures={architecture}", "--variant=minbase", f"--include={','.join(packages)}", "--format=ext2",
        "--aptopt=APT::Install-Recommends false",
        "--dpkgopt=path-exclude=/usr/share/doc/*", "--dpkgopt=path-exclude=/usr/share/man/*",
        "--dpkgopt=path-exclude=/usr/share/locale/*",
        # It would remove the machine id: each boot would be a first boot.
        "--skip=cleanup/reproducible",
        f"--customize-hook={HERE}/image/offer.sh $1 {' '.join(OFFERED)}",
        f"--customize-hook={HERE}/image/kernel.sh $1 {modules} '{' '.join(MODULES)}' '{' '.join(BOOT_MODULES)}'",
        f"--customize-hook={HERE}/image/configure.sh $1",
        f"--customize-hook=copy-out /boot/vmlinuz /boot/initrd {folder}",
        suite, str(disk), source,
    ]
    with open(folder / "build.log", "w") as log:
        if architecture == "amd64":
            subprocess.run(compilation, check=True, stdout=log, stderr=log)
        else:
            # Emulated, the compiler takes too long: the tests that need these modules run on amd64.
            subprocess.run(["tar", "-cf", modules, "--files-from=/dev/null"], check=True)
            # Without systemd, which mounts it, the programs of the image cannot run.
            if not Path("/proc/sys/fs/binfmt_misc/status").exists():
                subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", "/proc/sys/fs/binfmt_misc"], check=True, stderr=log)
                subprocess.run(["update-binfmts", "--enable", "qemu-aarch64"], check=True, stderr=log)
        subprocess.run(command, check=True, stdout=log, stderr=log)
        subprocess.run(["truncate", f"--size={SIZE}", disk], check=True)
        # Exits with 1 after a repair, which a new file system needs.
        subprocess.run(["/sbin/e2fsck", "-fy", disk], check=False, stdout=log, stderr=log)
        subprocess.run(["/sbin/resize2fs", disk], check=True, stdout=log, stderr=log)
