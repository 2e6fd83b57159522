#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# setup.sh PACKAGE...: check for Swift and these Debian packages; install missing packages. Without apt-get, print them.
set -eu

oldest=6.2.3

if ! command -v swift >/dev/null 2>&1; then
    echo "setup: Swift not found: install Swift $oldest or later, see https://www.swift.org/install/linux" >&2
    exit 1
fi
version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
if [ "$(printf '%s\n%s\n' "$oldest" "$version" | sort -V | head -n 1)" != "$oldest" ]; then
    echo "setup: Swift ${version:-of unknown version} is too old: install Swift $oldest or later, see https://www.swift.org/install/linux" >&2
    exit 1
fi

if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: apt-get not found: the build needs the equivalents of: $*" >&2
    exit 0
fi

missing=
for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "setup: sudo not found: as root, run: apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
echo "Installing:$missing"
# Each command of apt has a lock of its own; another apt may have it for minutes.
apt() {
    tries=0
    until error=$($as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=600 "$@" 2>&1 >/dev/null); do
        case $error in *"Could not get lock"*) ;; *) tries=120 ;; esac
        if [ "$tries" -ge 120 ]; then
            echo "$error" >&2
            exit 1
        fi
        tries=$((tries + 1))
        sleep 5
    done
}
apt update
# shellcheck disable=SC2086 # a list of words
apt install -y --no-install-recommends $missing
