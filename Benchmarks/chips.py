# SPDX-License-Identifier: Apache-2.0
"""The emulated chips (umockdev), and what moves them."""
import contextlib
import itertools
import os
import pathlib
import struct
import threading
import time

CHIP = """\
P: /devices/platform/chip0
E: SUBSYSTEM=platform

P: /devices/platform/chip0/iio:device0
N: iio:device0
E: DEVNAME=/dev/iio:device0
E: DEVTYPE=iio_device
E: SUBSYSTEM=iio
E: ACCEL_MOUNT_MATRIX=-1, 0, 0; 0, -1, 0; 0, 0, -1
E: IIO_SENSOR_PROXY_TYPE=iio-poll-accel
A: name=kxcjk1013\\n
A: in_accel_x_raw=0\\n
A: in_accel_y_raw=1024\\n
A: in_accel_z_raw=0\\n
A: in_accel_scale=0.009582\\n
A: in_accel_x_scale=0.009582\\n
A: sampling_frequency=25\\n
"""
# Three axes of 16 bits in 32-bit slots, and a time.
SCAN = struct.Struct("<iii4xq")
CAPTURED_CHIP = (
    CHIP.replace("N: iio:device0\n", "").replace("iio-poll-accel", "iio-buffer-accel").replace("kxcjk1013", "kxcjk1013\\n\nA: label=accel-display")
    + "".join(
        f"A: scan_elements/in_{channel}_en=0\\n\nA: scan_elements/in_{channel}_index={index}\\n\n"
        f"A: scan_elements/in_{channel}_type=le:{kind}\\n\n"
        for index, (channel, kind) in enumerate(
            [(f"accel_{axis}", "s16/32>>0") for axis in "xyz"] + [("timestamp", "s64/64>>0")]))
    + """\
A: buffer/enable=0\\n
A: buffer/length=2\\n
A: buffer/watermark=1\\n
A: trigger/current_trigger=kxcjk1013-dev0\\n
A: current_timestamp_clock=realtime\\n

P: /devices/trigger0
E: SUBSYSTEM=iio
A: name=kxcjk1013-dev0\\n
""")
AMBIENT_CHIP = """\
P: /devices/platform/chip0
E: SUBSYSTEM=platform

P: /devices/platform/chip0/iio:device0
E: DEVNAME=/dev/iio:device0
E: DEVTYPE=iio_device
E: SUBSYSTEM=iio
E: PROXIMITY_NEAR_LEVEL=128
E: IIO_SENSOR_PROXY_TYPE=iio-poll-als iio-poll-proximity
A: name=als\\n
A: in_illuminance_raw=200\\n
A: in_illuminance_scale=0.5\\n
A: in_proximity_raw=10\\n
"""


@contextlib.contextmanager
def running(body, done):
    """Run a function in a thread, which ends after `done` is set."""
    thread = threading.Thread(target=body)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


@contextlib.contextmanager
def changing(interval, *steps):
    """Write the attributes of each step to the chip, in turn, with `interval` seconds between the steps."""
    chip = pathlib.Path(os.environ["UMOCKDEV_DIR"], "sys/devices/platform/chip0/iio:device0")
    done = threading.Event()

    def change():
        for step in itertools.cycle(steps):
            if done.wait(interval):
                return
            for name, value in step.items():
                # In place: the daemon keeps the file open.
                with open(chip / name, "r+") as file:
                    file.write(f"{value:<5}\n")

    with running(change, done):
        yield


# x and y in two poses, 90° apart, in units of the chip.
POSES = (0, 1024), (1024, 0)


def turning():
    """Turn the chip by 90° twice per second."""
    return changing(0.5, *({"in_accel_x_raw": x, "in_accel_y_raw": y} for x, y in POSES))


@contextlib.contextmanager
def scanning(hertz, poses=POSES):
    """Write scans to the chip's node, which is a FIFO, at this rate, and turn the chip to the next pose twice per second."""
    node = os.open(pathlib.Path(os.environ["UMOCKDEV_DIR"], "dev/iio:device0"), os.O_RDWR | os.O_NONBLOCK)
    done = threading.Event()

    def scan():
        began = time.monotonic()
        for number in itertools.count():
            if done.wait(max(0, began + number / hertz - time.monotonic())):
                return
            x, y = poses[int(number * 2 / hertz) % len(poses)]
            with contextlib.suppress(BlockingIOError):  # as in the kernel, a scan that does not fit is lost
                os.write(node, SCAN.pack(x, y, 0, time.clock_gettime_ns(time.CLOCK_BOOTTIME)))

    try:
        with running(scan, done):
            yield
    finally:
        os.close(node)


def light_changing():
    """Change the light once per second."""
    return changing(1, {"in_illuminance_raw": 400}, {"in_illuminance_raw": 200})
