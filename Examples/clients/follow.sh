#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Follow how the device is held, with socat: follow.sh [SOCKET]
#
# One call goes out, ended by a NUL; each reply is one line of JSON once its NUL is turned into a newline. The call's end
# closes the sending half of the connection, and -t says for how many seconds to go on listening all the same.
socket=${1:-/run/orientationd/orientationd.sock}

printf '%s\0' '{"method":"org.orientationd.Orientation.Monitor","more":true}' |
    socat -t 31536000 - "UNIX-CONNECT:$socket" |
    stdbuf -oL tr '\0' '\n'
