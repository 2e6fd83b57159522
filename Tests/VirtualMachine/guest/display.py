# SPDX-License-Identifier: Apache-2.0
"""The virtual machine's display, which is wider than high: a virtio-gpu. Its driver is loaded only for a test, because the
display gives all poses other names."""

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
        run("udevadm", "settle")

    @staticmethod
    def device() -> Path | None:
        return next((path for path in BUS.glob("devices/*") if (path / "vendor").read_text().strip() == VENDOR
                     and (path / "device").read_text().strip() == DEVICE), None)

    @staticmethod
    def find() -> Path | None:
        connectors = Path("/sys/class/drm").glob("card*-*")
        return next((path for path in connectors if (path / "status").read_text().strip() == "connected"), None)

    def disconnect(self) -> None:
        """Remove the device. The driver cannot be unloaded: the kernel's console may use the display."""
        device = self.device()
        if device:
            (device / "remove").write_text("1")
        eventually("removal of the display", lambda: not self.find())
        run("udevadm", "settle")
