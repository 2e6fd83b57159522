#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# make-deb.sh DIRECTORY: make the Debian packages of the programs in DIRECTORY, and print their paths. debian/rules does the work,
# on a copy of the tree, so that the tree stays clean.
set -eu
umask 022

cd "$(dirname "$0")/.."
ORIENTATIOND_PROGRAMS=$(cd "$1" && pwd)
export ORIENTATIOND_PROGRAMS
work=.build/deb
rm -rf "$work"
mkdir -p "$work/orientationd"
tar --exclude-vcs --exclude='.build*' --exclude=./vendor -cf - . | tar -C "$work/orientationd" -xf -

# -d: the libraries of the build are not needed, because the programs exist.
if ! (cd "$work/orientationd" && dpkg-buildpackage --build=binary --no-sign -d >../log 2>&1); then
    tail -n 30 "$work/log" >&2
    echo "make-deb: dpkg-buildpackage failed: see $work/log" >&2
    exit 1
fi
for package in "$work"/*.deb; do
    cp "$package" .build/
    echo ".build/${package##*/}"
done
