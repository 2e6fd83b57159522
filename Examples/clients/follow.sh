#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Subscribe to the orientation with socat: follow.sh [SOCKET]
#
# A message is a JSON object followed by a NUL, which tr replaces by a newline. socat shuts down its sending half after the
# call; -t is how many seconds it continues to read.
socket=${1:-/run/orientationd/orientationd.sock}

printf '%s\0' '{"method":"org.orientationd.Orientation.Monitor","more":true}' |
    socat -t 31536000 - "UNIX-CONNECT:$socket" |
    stdbuf -oL tr '\0' '\n'
