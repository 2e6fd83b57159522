#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# library.sh PACKAGES DIRECTORY: install the packages of the library from PACKAGES in a Debian 13 in DIRECTORY that has only a
# compiler and pkg-config besides, and build and run an example there. Run as root.
set -eu
umask 022

packages=$(cd "$1" && pwd)
mkdir -p "$2"
directory=$(cd "$2" && pwd)
cd "$(dirname "$0")/../../.."

root=$(python3 Scripts/debian_root.py "$directory/library" trixie gcc libc6-dev pkgconf libjansson4 libsystemd0)
mkdir -p "$root/library"
rm -f "$root"/library/*
cp "$packages"/liborientation0_*.deb "$packages"/liborientation-dev_*.deb Examples/clients/follow.c "$root/library"
# shellcheck disable=SC2016 # expanded in the directory
chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 sh -euc '
    cd /library
    dpkg --install ./*.deb >log 2>&1 || { cat log >&2; exit 1; }
    cc -std=c11 -Wall -Wextra -Wpedantic -Werror -o follow follow.c $(pkg-config --cflags --libs orientation)
    ORIENTATION_BACKEND=udev timeout 1 ./follow | grep -q "^unknown: ORIENTATION_BACKEND: invalid value"
    timeout 1 ./follow | grep -q "^unknown: /run/orientationd/orientationd.sock: cannot connect: no service is listening; "
    dpkg --remove liborientation-dev liborientation0 >log 2>&1' || {
    echo "FAILED  library: see $root/library/log" >&2
    exit 1
}
echo "passed  liborientation-dev: an example is built and runs with nothing else"
