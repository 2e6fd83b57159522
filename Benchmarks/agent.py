# SPDX-License-Identifier: Apache-2.0
"""The wake-ups of the session agent while nothing changes."""
import contextlib
import subprocess
import sys
import tempfile
import time

import programs
from figures import Row, Usage

# In seconds.
SPAN, SETTLING = 60, 5


class Agent:
    """A session agent on an X server without a screen, with a simulated sensor at rest; it runs beside the other
    measurements."""

    def __init__(self, build):
        with contextlib.ExitStack() as stack:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            environment = stack.enter_context(programs.simulated(build, folder))
            server = stack.enter_context(programs.running(
                "Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-noreset", "-s", "0", stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True, env=environment))
            environment["DISPLAY"] = f":{server.stdout.readline().strip()}"
            environment["XDG_RUNTIME_DIR"] = folder
            environment.pop("WAYLAND_DISPLAY", None)
            self.process = stack.enter_context(programs.running(
                build / "orientation-autorotate", "--socket", f"{folder}/socket", "--log-level", "error",
                env=environment))
            time.sleep(SETTLING)
            # Xvfb cannot rotate: a pose that needs no rotation. The agent is to be idle again after a change.
            programs.simulate(build, folder, "faceUp", environment)
            time.sleep(SETTLING)
            if self.process.poll() is not None:
                sys.exit("bench: orientation-autorotate: cannot start; its messages are above")
            self.usage = Usage(self.process)
            self.close = stack.pop_all().close

    def measure(self):
        """Wait until the time is over, and count."""
        time.sleep(max(0, self.usage.began + SPAN - time.monotonic()))
        return [Row(f"session agent, wake-ups in {SPAN} s", self.usage.per_second()[0] * SPAN, 0)]
