#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Subscribe to the orientation with the package `varlink` from PyPI: follow_varlink.py [SOCKET]"""
import sys

import varlink

path = sys.argv[1] if len(sys.argv) > 1 else "/run/orientationd/orientationd.sock"

with varlink.Client(f"unix:{path}") as client, client.open("org.orientationd.Orientation") as orientation:
    try:
        for reply in orientation.Monitor(_more=True):
            print(reply["state"]["orientation"], flush=True)
    except BrokenPipeError:
        pass  # The daemon disconnected.
