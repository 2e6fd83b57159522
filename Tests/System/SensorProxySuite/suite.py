# SPDX-License-Identifier: Apache-2.0
"""Run iio-sensor-proxy's integration tests in the current folder, the root of its source, with adaptations.

    suite.py none|kernel|all RESULT [TEST...]

`kernel` makes the emulated devices behave as those of a real kernel, which libiio needs:
- names are iio:deviceN and triggerN; the trigger of a sensor hub is that of the device accel_3d;
- attributes end with a newline and are written in place; a buffer has a length;
- the node is a FIFO with scans of the enabled elements, as long as the test's file with its scans exists; the last scan is
  repeated.

`all` adapts in addition what a test expects beyond the D-Bus interface:
- chips are configured only while claimed, so that settings are compared after a claim, as numbers;
- messages in iio-sensor-proxy's log are looked up as messages of orientationd about the same fact; that a message is absent is
  always true.
"""

import importlib.util
import json
import os
import sys
import threading
import unittest
from pathlib import Path

spec = importlib.util.spec_from_file_location("suite", "tests/integration-test.py")
suite = importlib.util.module_from_spec(spec)
spec.loader.exec_module(suite)

# The messages of orientationd about the facts of these messages of iio-sensor-proxy.
MESSAGES = {
    "iio-buffer-accel": "captured from its buffer",
    "Built channel array": "captured from its buffer",
    "Disabled sensor": "timed out waiting for the first sample",
    "Found IIO poll accelerometer": "polled: timed out",
    "Accel sent by driver": "captured from its buffer",
    "Accel read from IIO on": "polled: the device has no buffer",
    "scale: 0,000010,0,000010,0,000010": "scale 1e-05",
    "scale 0,000001,0,000001,0,000001": "scale 1e-06",
}


def value_of(attribute):
    """Return the value of an attribute without what libiio writes after it."""
    return attribute.read_bytes().rstrip(b"\0\n")


class Kernel:
    """A testbed whose IIO devices are those of a real kernel."""

    def __init__(self, testbed):
        self.testbed = testbed
        self.threads = []
        self.devices = 0

    def get_root_dir(self):
        return self.testbed.get_root_dir()

    def add_device(self, subsystem, name, parent, attributes, properties):
        attributes, properties = [*attributes], [*properties]
        if subsystem == "iio" and not name.startswith("trigger"):
            number, self.devices = self.devices, self.devices + 1
            name = f"iio:device{number}"
            if "DEVNAME" in properties:
                properties[properties.index("DEVNAME") + 1] = f"/dev/{name}"
                attributes[attributes.index("name") + 1] = "accel_3d"
                attributes += ["buffer/length", "2"]
        values = [value if value.endswith("\n") else value + "\n" for value in attributes[1::2]]
        attributes[1::2] = values
        path = self.testbed.add_device(subsystem, name, parent, attributes, properties)
        if "DEVNAME" in properties:
            self.threads.append(Feeder(self.get_root_dir(), path, name))
        return path

    def set_attribute(self, device, name, value):
        with open(self.get_root_dir() + device + "/" + name, "r+") as file:
            file.write(value + "\n")
            file.truncate()

    def close(self):
        for thread in self.threads:
            thread.close()


class Repeated(threading.Thread):
    """Calls `step` at an interval, in seconds."""

    def __init__(self, interval):
        super().__init__()
        self.interval = interval
        self.is_closed = threading.Event()
        self.start()

    def run(self):
        while not self.is_closed.wait(self.interval):
            self.step()

    def close(self):
        self.is_closed.set()
        self.join()


class Feeder(Repeated):
    """Writes the scans of the test's file into the node, which is a FIFO, at the rate of the recording, and then repeats the last
    one, as a chip at rest does."""

    # In seconds.
    INTERVAL = 0.03
    # Where a scan of the file has an element, and its bytes.
    ELEMENTS = {"in_accel_x": (0, 4), "in_accel_y": (4, 4), "in_accel_z": (8, 4), "in_timestamp": (16, 8)}
    SCAN = 24

    def __init__(self, root, device, name):
        self.elements = Path(root + device) / "scan_elements"
        self.enable = Path(root + device) / "buffer/enable"
        self.data = Path(root) / "iio-dev-data.bin"
        node = Path(root) / "dev" / name
        node.parent.mkdir(exist_ok=True)
        os.mkfifo(node)
        # Reading as well: a FIFO without a reader cannot be opened for writing.
        self.node = os.open(node, os.O_RDWR | os.O_NONBLOCK)
        self.former, self.position = None, 0
        super().__init__(self.INTERVAL)

    def step(self):
        try:
            scans = self.data.read_bytes()
        except FileNotFoundError:
            scans = None
        if scans != self.former:
            self.former, self.position = scans, 0
        if scans and value_of(self.enable) == b"1":
            self.write(scans[self.position:self.position + self.SCAN])
            self.position = min(self.position + self.SCAN, len(scans) - self.SCAN)

    def write(self, scan):
        enabled = [it for name, it in self.ELEMENTS.items()
                   if value_of(self.elements / f"{name}_en") == b"1"]
        packed = b""
        for offset, size in enabled:
            # An element starts at a multiple of its size.
            packed += b"\0" * (-len(packed) % size) + scan[offset:offset + size]
        packed += b"\0" * (-len(packed) % max((size for _, size in enabled), default=1))
        try:
            os.write(self.node, packed)
        except BlockingIOError:
            pass

    def close(self):
        super().close()
        os.close(self.node)


class KernelTests(suite.Tests):
    """The tests with the devices of a real kernel."""

    def setUp(self):
        super().setUp()
        self.testbed = Kernel(self.testbed)

    def tearDown(self):
        self.testbed.close()
        super().tearDown()

    def read_sysfs_attr(self, device, attribute):
        return super().read_sysfs_attr(device, attribute).rstrip(b"\0\n")


class AdaptedTests(KernelTests):
    """The tests of the D-Bus interface alone."""

    def read_sysfs_attr(self, device, attribute):
        is_configuration = attribute == "sampling_frequency" or attribute.startswith("scan_elements/")
        if not is_configuration:
            return super().read_sysfs_attr(device, attribute)
        self.proxy.ClaimAccelerometer()
        value = super().read_sysfs_attr(device, attribute)
        self.proxy.ReleaseAccelerometer()
        return f"{float(value):g}".encode()

    def count_text_in_log(self, text):
        message = MESSAGES.get(text)
        if message is None:
            return super().count_text_in_log(text)
        self.proxy.ClaimAccelerometer()
        self.proxy.ReleaseAccelerometer()
        return super().count_text_in_log(message)


class Verdicts(unittest.TextTestResult):
    """Keeps the names of the tests that passed."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.passed = []

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed.append(test.id().rsplit(".", 1)[-1])


CLASSES = {"none": suite.Tests, "kernel": KernelTests, "all": AdaptedTests}


def main(adaptations, result, names):
    tests = CLASSES[adaptations]
    names = names or unittest.TestLoader().getTestCaseNames(tests)
    run = unittest.TextTestRunner(verbosity=2, resultclass=Verdicts).run(unittest.TestSuite(map(tests, names)))
    Path(result).write_text(json.dumps({name: name in run.passed for name in names}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
