#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run-demo.sh FOLDER [SECONDS]: run the daemon from FOLDER with the best source there is, and watch it, until Ctrl-C or
# SECONDS after the first state. Leaves nothing behind.
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

"$programs/orientationd" --sensor auto,fake: --socket "$folder/socket" --state-directory "$folder" \
    --log-level warning &
daemon=$!
"$programs/orientationctl" --socket "$folder/socket" watch ${duration:+--duration "$duration"}
