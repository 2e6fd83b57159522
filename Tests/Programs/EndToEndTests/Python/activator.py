#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Starts a service for each connection that finds none, as systemd does, and calls it at the moments at which it exits.

    activator.py SOCKET CALLS STARTS PROGRAM ARGUMENT...

Makes CALLS calls, and more until the service was started STARTS times: on a busy machine it exits less often. Ends after
20 times CALLS in any case. Prints "calls N, replies M, starts S".
"""
import os
import random
import select
import socket
import subprocess
import sys
import threading

path, least_calls, least_starts, command = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
# Seeded: a failure can be repeated.
chance = random.Random(1)
TIMEOUT = 60
listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
listener.bind(path)
listener.listen(1024)
starts = 0


def pass_socket():
    os.dup2(listener.fileno(), 3)
    os.set_inheritable(3, True)
    os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))


def activate():
    global starts
    while True:
        select.select([listener], [], [])
        starts += 1
        status = subprocess.run(command, preexec_fn=pass_socket, close_fds=False).returncode
        if status != 0:
            print(f"the service exited with {status}", flush=True)
            os._exit(1)


def call(get):
    """Connect, call, and return whether a whole reply arrived; the connection must not be closed before."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(TIMEOUT)
        connection.connect(path)
        connection.sendall(get)
        reply = b""
        while not reply.endswith(b"\0"):
            part = connection.recv(65536)
            if not part:
                return False
            reply += part
        return b'"error"' not in reply


threading.Thread(target=activate, daemon=True).start()
GET_INFO = b'{"method":"org.varlink.service.GetInfo"}\0'
calls = replies = 0
while calls < least_calls or (starts < least_starts and calls < 20 * least_calls):
    calls += 1
    replies += call(GET_INFO)
    # Around the time after which the service exits.
    select.select([], [], [], chance.uniform(0, 0.004))
print(f"calls {calls}, replies {replies}, starts {starts}", flush=True)
os._exit(0)
