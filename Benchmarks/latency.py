# SPDX-License-Identifier: Apache-2.0
"""The time from a turn of the device to the line of a client."""
import random
import statistics
import time

from figures import Row
from programs import POSES, hold

TURNS = 40
# Seconds between two turns, at random: independent of the readings, and long enough to come to rest.
PAUSES = 2.0, 3.0


def measure(own, own_signal, peer):
    """Turn the polled chip by 90° at once, from rest, and wait for the daemon's clients and that of iio-sensor-proxy."""
    followers = [own, own_signal, peer]
    delays = [], [], []
    for turn in range(TURNS):
        time.sleep(random.uniform(*PAUSES))
        *values, own_word, peer_word = POSES[(turn + 1) % 2]
        began = time.monotonic()
        hold(values)
        for each, follower, word in zip(delays, followers, (own_word, peer_word, peer_word)):
            each.append(follower.wait(word) - began)
    p50 = [statistics.median(each) for each in delays]
    p90 = [statistics.quantiles(each, n=10)[-1] for each in delays]
    return [Row("turn to line at a client, p50, s", p50[0], 0.13, p50[2]), Row("p90, s", p90[0], 0.22, p90[2]),
            Row("the same by D-Bus, p50, s", p50[1], 0.13, p50[2]), Row("p90, s", p90[1], 0.22, p90[2])]
