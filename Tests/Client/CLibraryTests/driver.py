#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The program of driver.c with the module for Python, in asyncio: the same commands and output."""
import asyncio
import json
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "Sources/Client/Python"))

import orientation  # noqa: E402

NUMBERS = {False: 0, True: 1, None: -1}
handle = orientation.Handle()
error = ""


def show(events, result=0):
    state = handle.state()
    print(json.dumps({
        "events": events, "result": result, "rotation": state.rotation, "locked": NUMBERS[state.locked],
        "tablet": NUMBERS[state.tablet_mode], "held": NUMBERS[state.held], "failed": NUMBERS[state.failed],
        "sequence": state.sequence, "slowest": 0, "pose": state.pose, "edge": state.edge, "natural": state.natural,
        "lockedTo": state.locked_to, "backend": state.backend, "sensor": state.sensor, "reason": state.reason,
        "holdReason": state.hold_reason, "error": error}), flush=True)


def process():
    global error
    before = handle.state()
    try:
        events = 1 if handle.process() else 0
    except orientation.Error as failure:
        error, events = str(failure), 2 | (handle.state() != before)
    if events:
        show(events)


def perform(word, second="", third=None):
    if word == "lock":
        handle.set_lock(second != "off", "unknown" if second in ("on", "off") else second)
    elif word == "hold":
        handle.hold(second, app_id=third)
    elif word == "release":
        handle.hold()
    elif word in ("suspend", "resume"):
        getattr(handle, word)()


def command():
    global error
    line = sys.stdin.readline()
    if not line or line == "quit\n":
        return asyncio.get_running_loop().stop()
    result = 0
    try:
        perform(*line.rstrip("\n").split(" ", 2))
    except orientation.Error as failure:
        error, result = str(failure), -failure.errno
    show(0, result)


async def main():
    loop = asyncio.get_running_loop()
    loop.add_reader(handle, process)
    loop.add_reader(sys.stdin, command)


loop = asyncio.new_event_loop()
loop.create_task(main())
loop.run_forever()
loop.remove_reader(handle)
handle.close()
print('{"slowest":0}')
