#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Count the turns that the daemon and iio-sensor-proxy report while a recording of a carried device is played to a polled chip.

    carried.py FOLDER RECORDING    FOLDER has the built programs; RECORDING has lines t,x,y,z in s and m/s²

Takes as long as the recording. Needs what `make -C Benchmarks bench` installs and builds.
"""
import os
import pathlib
import subprocess
import sys
import threading
import time

if len(sys.argv) != 3:
    sys.exit(__doc__)
if "umockdev" not in os.environ.get("LD_PRELOAD", ""):
    # It needs to be loaded before the interpreter.
    os.execvp("umockdev-wrapper", ["umockdev-wrapper", "/usr/bin/python3", *sys.argv])

import programs  # noqa: E402

# in_accel_scale of the chip.
SCALE = 0.009582
# The words of each program for the edge that is up.
OWN = ['"lastEdge":"portrait"', '"lastEdge":"landscapeLeft"', '"lastEdge":"portraitUpsideDown"', '"lastEdge":"landscapeRight"']
PEER = [": normal", ": right-up", ": bottom-up", ": left-up"]


class Counter:
    """Counts the changes from one word to another in the lines of a client."""

    def __init__(self, process, words):
        self.words, self.last, self.changes = words, None, -1
        threading.Thread(target=self.read, args=[process.stdout], daemon=True).start()

    def read(self, lines):
        for line in lines:
            found = next((word for word in self.words if word in line), self.last)
            self.changes += found != self.last
            self.last = found


def client(*command):
    return programs.running(*command, stdout=subprocess.PIPE, text=True)


def main(build, recording):
    lines = [line for line in pathlib.Path(recording).read_text().splitlines() if line[:1].isdigit()]
    samples = [[float(word) for word in line.split(",")[:4]] for line in lines]
    with programs.emulated(programs.POLLED) as folder:
        programs.hold([round(value / SCALE) for value in samples[0][1:]])
        with programs.orientationd(build, folder), programs.sensor_proxy(), \
                client(build / "orientationctl", "watch", "--json", "--socket", f"{folder}/socket") as own, \
                client(*programs.in_debian("monitor-sensor"), "--accel") as peer:
            counters = Counter(own, OWN), Counter(peer, PEER)
            began = time.monotonic() + 2
            for at, *vector in samples:
                time.sleep(max(0, began + at - samples[0][0] - time.monotonic()))
                programs.hold([round(value / SCALE) for value in vector])
            # The slower program reads every 0.7 s.
            time.sleep(1)
    minutes = (samples[-1][0] - samples[0][0]) / 60
    for name, counter in zip(("orientationd", "iio-sensor-proxy"), counters):
        print(f"{name}: {counter.changes} turns in {minutes:.1f} minutes, {counter.changes / minutes:.1f} per minute")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2])
