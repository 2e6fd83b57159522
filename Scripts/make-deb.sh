#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# make-deb.sh DIRECTORY: make the Debian packages of the programs in DIRECTORY, and those of the library for C, and print their paths.
# debian/rules does the work, on a copy of the tree, so that the tree stays clean.
set -eu
umask 022

cd "$(dirname "$0")/.."
ORIENTATIOND_PROGRAMS=$(cd "$1" && pwd)
# `make test` and `make -C Tests/System library-test` run the tests.
DEB_BUILD_OPTIONS="nocheck noautodbgsym ${DEB_BUILD_OPTIONS:-}"
export ORIENTATIOND_PROGRAMS DEB_BUILD_OPTIONS
work=.build/deb
rm -rf "$work"
mkdir -p "$work/orientationd" "$work/liborientation"
tar --exclude-vcs --exclude='.build*' --exclude=./vendor -cf - . | tar -C "$work/orientationd" -xf -
tar -cf - -T Scripts/library-files.txt | tar -C "$work/liborientation" -xf -
cp -R packaging/liborientation/debian "$work/liborientation"

for source in orientationd liborientation; do
    # -d: the libraries of the build are not needed, because the programs exist, or are those of `make build`.
    if ! (cd "$work/$source" && dpkg-buildpackage --build=binary --no-sign -d >"../$source.log" 2>&1); then
        tail -n 30 "$work/$source.log" >&2
        echo "make-deb: dpkg-buildpackage failed: see $work/$source.log" >&2
        exit 1
    fi
done
for package in "$work"/*.deb; do
    cp "$package" .build/
    echo ".build/${package##*/}"
done
