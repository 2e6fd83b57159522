#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Subscribe to the orientation with Python's standard library: follow.py [SOCKET]

A message is a JSON object followed by a NUL. The first reply is the current state, each further reply a change.
"""
import json
import socket
import sys

path = sys.argv[1] if len(sys.argv) > 1 else "/run/orientationd/orientationd.sock"
call = {"method": "org.orientationd.Orientation.Monitor", "more": True}

with socket.socket(socket.AF_UNIX) as connection:
    connection.connect(path)
    connection.sendall(json.dumps(call).encode() + b"\0")
    waiting = b""
    while received := connection.recv(4096):
        *messages, waiting = (waiting + received).split(b"\0")
        for message in messages:
            reply = json.loads(message)
            if "error" in reply:
                sys.exit(f"{reply['error']} {reply.get('parameters', {})}")
            print(reply["parameters"]["state"]["orientation"], flush=True)
