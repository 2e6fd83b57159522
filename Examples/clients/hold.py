#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Hold landscape with Python's standard library, until Ctrl-C: hold.py [SOCKET]

The session agent, orientation-autorotate, replies now and after each change. The hold ends with the connection.
"""
import json
import os
import socket
import sys

path = sys.argv[1] if len(sys.argv) > 1 else os.environ["XDG_RUNTIME_DIR"] + "/orientation-autorotate/socket"
hold = {"supported": ["landscape"]}
call = {"method": "org.orientationd.Display.Hold", "parameters": hold, "more": True}

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
            print(reply["parameters"].get("orientation"), reply["parameters"]["sentence"], flush=True)
