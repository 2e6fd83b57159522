#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run-demo.sh DIRECTORY [SECONDS]: run the daemon from DIRECTORY with a real sensor, or a simulated one, and watch it until
# Ctrl-C or SECONDS after the first state. Removes its files.
set -eu

programs=$1
duration=${2:-}
folder=$(mktemp -d)
daemon=

clean_up() {
    trap - EXIT INT TERM
    [ -z "$daemon" ] || { kill "$daemon" 2>/dev/null; wait "$daemon" 2>/dev/null; } || :
    rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 0' INT TERM

# The log goes to a file: on the terminal it would disturb the picture.
"$programs/orientationd" --sensor auto,fake: --socket "$folder/socket" --state-directory "$folder" \
    --log-level warning 2>"$folder/log" &
daemon=$!
tries=0
until sensors=$("$programs/orientationctl" --socket "$folder/socket" sensors --json 2>/dev/null); do
    tries=$((tries + 1))
    if [ "$tries" -ge 50 ] || ! kill -0 "$daemon" 2>/dev/null; then
        cat "$folder/log" >&2
        exit 1
    fi
    sleep 0.1
done
case $sensors in
*'"id":"fake:'*)
    echo "no accelerometer found; simulating a device that turns by itself"
    # The picture covers this line.
    [ ! -t 1 ] || sleep 2
    ;;
esac
"$programs/orientationctl" --socket "$folder/socket" watch ${duration:+--duration "$duration"}
