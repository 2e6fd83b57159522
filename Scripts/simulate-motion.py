#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write a recording of a simulated motion, which orientationd --sensor replay:FILE plays.

    simulate-motion.py demonstration|walking|running

demonstration: the six poses. walking, running: a device that is read meanwhile, and turned by hand three times.
"""
import math
import sys

RATE = 50.0
GRAVITY = 9.80665
# Degrees per second.
TURN_SPEED = 240
# The position of the sensor relative to the centre of a turn, in metres.
LEVER = (0.03, 0.12, 0.0)
POSES = {"portrait": (0, 1, 0), "portraitUpsideDown": (0, -1, 0), "landscapeLeft": (1, 0, 0), "landscapeRight": (-1, 0, 0),
         "faceUp": (0, 0, 1), "faceDown": (0, 0, -1)}
# Vectors in m/s², their frequency in hertz and their phase: bounce along the vertical, sway along the axes of the device.
# Knocks along the vertical, in m/s² and hertz; rolling about the z axis, in degrees and hertz.
STILL = {"bounce": [], "sway": [], "knock": (0, 1), "roll": (0, 1)}
WALKING = {"bounce": [(2.2, 1.9, 0), (0.9, 3.8, 0.7)], "sway": [((0.9, 0, 0.5), 0.95, 0), ((0.3, 0.2, 0.5), 5.7, 1.1)],
           "knock": (3, 1.9), "roll": (6, 0.95)}
RUNNING = {"bounce": [(9, 2.7, 0), (4, 5.4, 0.5)], "sway": [((3, 0, 2), 1.35, 0), ((1, 1, 2), 8.1, 1.3)],
           "knock": (15, 2.7), "roll": (10, 1.35)}
CARRIED = ["portrait", "landscapeLeft", "portrait", "landscapeRight"]
# The poses with the time in each, how far the screen is tilted back in degrees, and the shaking.
MOTIONS = {
    "demonstration": ([("portrait", 1.6), ("landscapeLeft", 1.4), ("portraitUpsideDown", 1.4), ("faceUp", 1.4),
                       ("landscapeRight", 1.4), ("faceDown", 1.4), ("portrait", 2)], 0, STILL),
    "walking": ([(pose, 8) for pose in CARRIED], 40, WALKING),
    "running": ([(pose, 8) for pose in CARRIED], 40, RUNNING)}


def add(*vectors):
    return tuple(map(sum, zip(*vectors)))


def scaled(factor, vector):
    return tuple(factor * part for part in vector)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def sine(time, frequency, phase):
    return math.sin(2 * math.pi * frequency * time + phase)


class Turn:
    """A turn by the shortest rotation that starts and ends slowly: minimum jerk, the trajectory of human arms."""

    def __init__(self, start, end):
        across, cosine = cross(start, end), sum(a * b for a, b in zip(start, end))
        length = math.hypot(*across)
        # Half a turn is one about z.
        self.start, self.axis = start, scaled(1 / length, across) if length > 1e-6 else (0, 0, 1)
        self.angle = math.atan2(length, cosine)
        self.duration = math.degrees(self.angle) / TURN_SPEED

    def progress(self, time):
        """Return the completed share of the turn, with its first and second derivative."""
        part = time / self.duration if self.duration else 1
        if part >= 1:
            return 1, 0, 0
        return (part ** 3 * (10 + part * (6 * part - 15)), 30 * (part * (1 - part)) ** 2 / self.duration,
                60 * part * (1 - part) * (1 - 2 * part) / self.duration ** 2)

    def state(self, time):
        """Return the direction of gravity's reaction, and the acceleration of the sensor in m/s²."""
        share, speed, change = self.progress(time)
        across = cross(self.axis, LEVER)
        direction = add(scaled(math.cos(self.angle * share), self.start),
                        scaled(math.sin(self.angle * share), cross(self.axis, self.start)))
        return direction, add(scaled((self.angle * speed) ** 2, cross(self.axis, across)), scaled(-self.angle * change, across))


def acceleration(time, direction, swing, shaking):
    degrees, rate = shaking["roll"]
    angle = math.radians(degrees) * sine(time, rate, 0)
    (x, y, z), cosine, roll = direction, math.cos(angle), math.sin(angle)
    up = (cosine * x - roll * y, roll * x + cosine * y, z)
    knock, rate = shaking["knock"]
    since = time * rate % 1 / rate
    vertical = sum(size * sine(time, *wave) for size, *wave in shaking["bounce"])
    vertical += knock * math.exp(-since / 0.03) * math.cos(2 * math.pi * 20 * since)
    return add(scaled(GRAVITY + vertical, up), swing, *(scaled(sine(time, *wave), size) for size, *wave in shaking["sway"]))


def main(name):
    poses, back, shaking = MOTIONS[name]
    tilt, moves, start = math.radians(back), [], 0.0
    former = None
    for pose, hold in poses:
        direction = add(scaled(math.cos(tilt), POSES[pose]), (0, 0, math.sin(tilt)))
        turn = Turn(former or direction, direction)
        moves.append((start, turn))
        start, former = start + turn.duration + hold, direction
    print(f"# orientationd recording 1\n# device: simulated {name}\n# rate: {RATE}\n# natural: portrait")
    print("t,x,y,z,raw_x,raw_y,raw_z")
    count = int(start * RATE)
    for time in (index / RATE for index in range(count)):
        begin, turn = next(move for move in reversed(moves) if move[0] <= time)
        print(time, *acceleration(time, *turn.state(time - begin), shaking), "", "", "", sep=",")
    print(f"# samples: {count}")


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in MOTIONS:
        sys.exit(__doc__)
    main(sys.argv[1])
