#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run-demo.sh DIRECTORY [SECONDS]: run the daemon from DIRECTORY with a real sensor, or a simulated one, and watch it until
# Ctrl-C or SECONDS after the first state. Removes its files.
#
# run-demo.sh DIRECTORY --app APP [SECONDS]: run the daemon with a simulated sensor, and the program APP in a window, without
# a display in Xvfb.
set -eu

programs=$1
shift
app=
sources=auto,
if [ "${1:-}" = --app ]; then
    app=$2
    sources=
    shift 2
fi
duration=${1:-}
folder=$(mktemp -d)
daemon=
display=

clean_up() {
    trap - EXIT INT TERM HUP
    [ -z "$display" ] || { kill "$display" 2>/dev/null; wait "$display" 2>/dev/null; } || :
    [ -z "$daemon" ] || { kill "$daemon" 2>/dev/null; wait "$daemon" 2>/dev/null; } || :
    rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 0' INT TERM HUP

# Waits for a command to succeed, while the process $1 runs; prints the log $2 if it does not.
wait_for() {
    process=$1 log=$2
    shift 2
    tries=0
    until "$@" 2>/dev/null; do
        tries=$((tries + 1))
        if [ "$tries" -ge 50 ] || ! kill -0 "$process" 2>/dev/null; then
            cat "$log" >&2
            exit 1
        fi
        sleep 0.1
    done
}

"$(dirname "$0")/simulate-motion.py" demonstration >"$folder/demonstration.rec"
# The log goes to a file: on the terminal it would disturb the picture.
"$programs/orientationd" --sensor "${sources}replay:$folder/demonstration.rec?loop=1" --socket "$folder/socket" --state-directory "$folder" \
    --log-level warning 2>"$folder/log" &
daemon=$!
wait_for "$daemon" "$folder/log" "$programs/orientationctl" --socket "$folder/socket" sensors >"$folder/sensors"

if [ -n "$app" ]; then
    echo "simulating a device that turns by itself; one line for each frame of a turn"
    if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
        echo "no display found: the window is in Xvfb, where it cannot be seen"
        Xvfb -displayfd 3 -screen 0 480x800x24 -nolisten tcp 3>"$folder/display" 2>"$folder/xvfb" &
        display=$!
        wait_for "$display" "$folder/xvfb" test -s "$folder/display"
        export DISPLAY=":$(cat "$folder/display")"
    fi
    status=0
    ORIENTATIOND_SOCKET="$folder/socket" ${duration:+timeout "$duration"} "$app" --frames || status=$?
    # The status of timeout(1) at the end of the time.
    [ "$status" -eq 124 ] || exit "$status"
    exit 0
fi

if grep -q '^\* replay:' "$folder/sensors"; then
    echo "no accelerometer found; simulating a device that turns by itself"
    # The picture covers this line.
    [ ! -t 1 ] || sleep 2
fi
"$programs/orientationctl" --socket "$folder/socket" watch ${duration:+--duration "$duration"}
