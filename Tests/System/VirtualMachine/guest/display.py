# SPDX-License-Identifier: Apache-2.0
"""The virtual machine's display, which is wider than tall: a virtio-gpu. Its driver is loaded only for a test, because the
display gives all poses other names."""

import contextlib
from pathlib import Path

from harness import eventually, run

BUS = Path("/sys/bus/pci")
# The identifier of virtio-gpu.
VENDOR, DEVICE = "0x1af4", "0x1050"


class Display:
    """The display, connected until `disconnect`."""

    def __init__(self) -> None:
        if not self.device():
            (BUS / "rescan").write_text("1")
        run("modprobe", "virtio-gpu")
        self.connector = eventually("a connected display in /sys/class/drm", self.find)
        self.mode = eventually("the display's modes", lambda: (self.connector / "modes").read_text().split())[0]
        # The driver need not report a display that was connected before it was loaded.
        run("udevadm", "trigger", "--settle", "--action=change", "--subsystem-match=drm")

    @staticmethod
    def device() -> Path | None:
        return next((path for path in BUS.glob("devices/*") if (path / "vendor").read_text().strip() == VENDOR
                     and (path / "device").read_text().strip() == DEVICE), None)

    @staticmethod
    def find() -> Path | None:
        for connector in Path("/sys/class/drm").glob("card*-*"):
            # The display may be removed meanwhile.
            with contextlib.suppress(OSError):
                if (connector / "status").read_text().strip() == "connected":
                    return connector
        return None

    def disconnect(self) -> None:
        """Remove the device. The driver cannot be unloaded: the kernel's console may use the display."""
        device = self.device()
        if device:
            (device / "remove").write_text("1")
        eventually("removal of the display", lambda: not self.find())
        run("udevadm", "settle")
