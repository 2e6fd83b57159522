#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Hold landscape with socat, until Ctrl-C: hold.sh [SOCKET]
#
# With systemd 257 or later, varlinkctl does the same:
#   varlinkctl call --more SOCKET org.orientationd.Display.Hold '{"supported": ["landscape"]}'
socket=${1:-$XDG_RUNTIME_DIR/orientation-autorotate/socket}
hold='{"supported":["landscape"]}'

# The hold ends when socat exits; -t is how many seconds it continues to read after the call.
printf '{"method":"org.orientationd.Display.Hold","parameters":%s,"more":true}\0' "$hold" |
    socat -t 31536000 - "UNIX-CONNECT:$socket" |
    stdbuf -oL tr '\0' '\n'
