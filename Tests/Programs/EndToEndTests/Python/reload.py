#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Starts a service with a socket, as systemd does, sends it SIGHUP once it is ready, and prints its exit status.

    reload.py SOCKET PROGRAM ARGUMENT...
"""
import os
import signal
import socket
import subprocess
import sys

path, command = sys.argv[1], sys.argv[2:]
listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
listener.bind(path)
listener.listen()
notifications = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
notifications.bind(path + ".notify")


def pass_socket():
    os.dup2(listener.fileno(), 3)
    os.set_inheritable(3, True)
    os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()), NOTIFY_SOCKET=path + ".notify")


service = subprocess.Popen(command, preexec_fn=pass_socket, close_fds=False)
while b"READY=1" not in notifications.recv(4096):
    pass
service.send_signal(signal.SIGHUP)
print(f"exited with {service.wait()}", flush=True)
