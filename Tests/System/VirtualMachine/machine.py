# SPDX-License-Identifier: Apache-2.0
"""A guest: QEMU on a read-only image, with a shared directory and a serial port for its report."""

import fcntl
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# The ioctl of /dev/kvm that returns the version of the interface.
KVM_GET_API_VERSION = 0xAE00
MEMORY = "1024"
PROCESSORS = "2"
# Seconds between two reads of a guest's report.
PAUSE = 0.5


@dataclass(frozen=True)
class Machine:
    """What differs between the emulated machines: the program and its machine, the processor if it is emulated, the console, and
    the device of the report."""

    qemu: list[str]
    processor: str
    console: str
    report: list[str]
    options: str = ""


MACHINES = {
    # Without two processor features that are slow in emulation. No watchdog of the emulated clock, which fails on a busy machine.
    "amd64": Machine(["qemu-system-x86_64", "-machine", "q35"], "max,la57=off,pku=off", "ttyS0", ["-serial", "chardev:report"],
                     "tsc=reliable no_timer_check"),
    # Its board has one serial port. Newer processors authenticate pointers, which is slow in emulation.
    "arm64": Machine(["qemu-system-aarch64", "-machine", "virt"], "cortex-a72", "ttyAMA0",
                     ["-device", "pci-serial,chardev=report"]),
}


@dataclass(frozen=True)
class Display:
    """A guest's display: its size in pixels, more options of the kernel, and the number of outputs."""

    width: int = 1920
    height: int = 1080
    options: str = ""
    outputs: int = 1


class GuestError(Exception):
    """The guest ended before its report."""


def has_kvm(architecture: str) -> bool:
    """Return whether KVM works. A machine without these processor flags can have a /dev/kvm for other uses."""
    if architecture != "amd64":
        return False
    try:
        flags = Path("/proc/cpuinfo").read_text().split()
        with open("/dev/kvm", "rb") as kvm:
            return ("vmx" in flags or "svm" in flags) and fcntl.ioctl(kvm, KVM_GET_API_VERSION) == 12
    except OSError:
        return False


def acceleration(architecture: str) -> list[str]:
    if has_kvm(architecture):
        return ["-accel", "kvm", "-cpu", "host"]
    return ["-accel", "tcg,thread=multi,tb-size=512", "-cpu", MACHINES[architecture].processor]


def command(image: Path, directory: Path, architecture: str, display: Display) -> list[str]:
    machine = MACHINES[architecture]
    # No rebuild of caches, such as the dynamic linker's, at each boot.
    append = (f"root=/dev/vda console={machine.console} panic=-1 quiet systemd.show_status=0 mitigations=off audit=0 "
              f"random.trust_cpu=on {machine.options} systemd.condition-needs-update=no "
              # The test of displays loads it: a display gives all poses other names.
              f"modprobe.blacklist=virtio_gpu,virtio-gpu {display.options}")
    return [
        *machine.qemu, "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
        *acceleration(architecture), "-smp", PROCESSORS, "-m", MEMORY,
        "-kernel", str(image / "vmlinuz"), "-initrd", str(image / "initrd"), "-append", append,
        "-drive", f"if=none,id=root,file={image / 'root'},format=raw,cache=unsafe,snapshot=on",
        "-device", "virtio-blk-pci,drive=root", "-device", "virtio-rng-pci",
        "-device", f"virtio-gpu-pci,max_outputs={display.outputs},xres={display.width},yres={display.height}",
        "-chardev", f"file,id=console,path={directory / 'console.log'}", "-serial", "chardev:console",
        "-chardev", f"file,id=report,path={directory / 'report'}", *machine.report,
        "-fsdev", f"local,id=shared,path={directory / 'shared'},security_model=none,multidevs=remap",
        "-device", "virtio-9p-pci,fsdev=shared,mount_tag=shared",
    ]


class Guest:
    """QEMU on an image. `directory` holds its files, and the directory `shared` for the guest."""

    def __init__(self, image: Path, directory: Path, architecture: str, display: Display = Display()) -> None:
        self.directory = directory
        (directory / "report").touch()
        with open(directory / "errors", "wb") as errors:
            self.process = subprocess.Popen(
                command(image, directory, architecture, display), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)

    def __enter__(self) -> "Guest":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def report(self, end: float) -> Iterator[str]:
        """Yield the lines of the report until the guest ends, which must be before the time `end`."""
        with open(self.directory / "report", newline="", errors="replace") as report:
            rest = ""
            while True:
                has_ended = self.process.poll() is not None
                *lines, rest = (rest + report.read()).split("\n")
                yield from (line.rstrip("\r") for line in lines)
                if has_ended:
                    break
                if time.monotonic() > end:
                    raise GuestError("timed out")
                time.sleep(PAUSE)
        if self.process.returncode != 0:
            errors = (self.directory / "errors").read_text(errors="replace").strip()
            raise GuestError(f"QEMU exited with {self.process.returncode}: {errors}")

    def console(self) -> list[str]:
        """Return the kernel's messages."""
        file = self.directory / "console.log"
        return file.read_text(errors="replace").splitlines() if file.exists() else []
