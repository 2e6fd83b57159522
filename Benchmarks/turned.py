# SPDX-License-Identifier: Apache-2.0
"""The CPU time while the device is turned."""
from figures import Row, per_second
from programs import POSES, hold, repeated

# In seconds.
SPAN, INTERVAL = 15, 0.5


def measure(daemon, proxy):
    """Turn the polled chip by 90° twice per second."""
    with repeated(INTERVAL, lambda turn: hold(POSES[turn % 2][:2])):
        (_, own), (_, peer) = per_second(SPAN, daemon, proxy)
    return [Row("CPU while turned twice per second, ms per second", own, 4, peer)]
