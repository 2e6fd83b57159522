# SPDX-License-Identifier: Apache-2.0
"""A guest: QEMU on an image, of which nothing is changed, with a shared folder and a port for its report."""

import fcntl
import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

# A system call of /dev/kvm, which tells whether what is there is the interface that QEMU knows.
KVM_GET_API_VERSION = 0xAE00
MEMORY = "1024"
PROCESSORS = "2"
# Bytes of a guest's report that wait while another guest's is read.
REPORT_SIZE = 1 << 20


class GuestError(Exception):
    """The guest came to an end before its report did."""


def has_kvm() -> bool:
    """Whether the processor runs the guest itself. A machine without these flags may have a /dev/kvm for other uses."""
    try:
        flags = Path("/proc/cpuinfo").read_text().split()
        with open("/dev/kvm", "rb") as kvm:
            return ("vmx" in flags or "svm" in flags) and fcntl.ioctl(kvm, KVM_GET_API_VERSION) == 12
    except OSError:
        return False


def acceleration() -> list[str]:
    if has_kvm():
        return ["-accel", "kvm", "-cpu", "host"]
    # Without two features of processors that emulation makes slow.
    return ["-accel", "tcg,thread=multi,tb-size=512", "-cpu", "max,la57=off,pku=off"]


def command(image: Path, place: Path) -> list[str]:
    # An emulated processor's clock is not judged, which would go wrong on a busy machine. Caches such as the dynamic linker's
    # are as the packages left them: not made anew at each start.
    append = ("root=/dev/vda console=ttyS0 panic=-1 quiet systemd.show_status=0 mitigations=off audit=0 "
              "random.trust_cpu=on tsc=reliable no_timer_check systemd.condition-needs-update=no")
    return [
        "qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot", "-machine", "q35",
        *acceleration(), "-smp", PROCESSORS, "-m", MEMORY,
        "-kernel", str(image / "vmlinuz"), "-initrd", str(image / "initrd"), "-append", append,
        "-drive", f"if=none,id=root,file={image / 'root'},format=raw,cache=unsafe,snapshot=on",
        "-device", "virtio-blk-pci,drive=root", "-device", "virtio-rng-pci",
        "-chardev", f"file,id=console,path={place / 'console.log'}", "-serial", "chardev:console",
        "-chardev", "stdio,id=report,signal=off", "-serial", "chardev:report",
        "-fsdev", f"local,id=shared,path={place / 'shared'},security_model=none,multidevs=remap",
        "-device", "virtio-9p-pci,fsdev=shared,mount_tag=shared",
    ]


class Guest:
    """QEMU on an image. `place` is a folder of its own, with the folder `shared` that the guest sees."""

    def __init__(self, image: Path, place: Path) -> None:
        self.place = place
        self.complaints = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            command(image, place), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.complaints,
            pipesize=REPORT_SIZE)

    def __enter__(self) -> "Guest":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.complaints.close()

    def report(self, end: float) -> Iterator[str]:
        """The lines of its report, as they come. Ends when the guest does, which has to be before the clock's `end`."""
        yield from lines_until(end, self.process.stdout.fileno())
        if self.process.wait(timeout=30) != 0:
            self.complaints.seek(0)
            raise GuestError(self.complaints.read().decode(errors="replace"))

    def console(self) -> list[str]:
        return (self.place / "console.log").read_text(errors="replace").splitlines()


def lines_until(end: float, descriptor: int) -> Iterator[str]:
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while True:
            if not selector.select(max(end - time.monotonic(), 0)):
                raise GuestError("the guest took too long")
            data = os.read(descriptor, 65536)
            if not data:
                return
            *lines, rest = (rest + data).split(b"\n")
            yield from (line.decode(errors="replace").rstrip("\r") for line in lines)
