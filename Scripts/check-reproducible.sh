#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check-reproducible.sh DIST DIRECTORY: build the Debian packages of the newest tarball in DIST twice, in folders of DIRECTORY
# with different paths, homes, time zones and locales, without a network; compare the packages byte by byte.
set -eu

# Tarballs of earlier versions stay in DIST.
# shellcheck disable=SC2012 # names of versions
tarball=$(cd "$1" && ls -t "$PWD"/orientationd-*.tar.gz | head -n 1)
rm -rf "$2"
mkdir -p "$2"
directory=$(cd "$2" && pwd)
cd "$directory"

# Only root, or a user with a namespace of its own, can take the network away.
offline="unshare --map-root-user --net"
[ "$(id -u)" -ne 0 ] || offline="unshare --net"
if ! $offline true 2>/dev/null; then
    echo "check-reproducible: cannot create a network namespace: the builds could use the network" >&2
    offline=
fi

# build FOLDER HOME TZ LC_ALL
build() {
    mkdir -p "$1" "$2"
    tar -C "$1" -xzf "$tarball"
    began=$(date +%s)
    if ! (cd "$1"/orientationd-*/ &&
        HOME="$2" TZ="$3" LC_ALL="$4" $offline dpkg-buildpackage --build=binary --no-sign >../log 2>&1); then
        tail -n 30 "$1/log" >&2
        echo "check-reproducible: dpkg-buildpackage failed: see $directory/$1/log" >&2
        exit 1
    fi
    echo "$1: built in $(($(date +%s) - began)) s"
}
build first "$directory/home-1" UTC C.UTF-8
build "second build/in a longer path" "$directory/home-2" Asia/Kathmandu C

failed=0
for package in first/*.deb; do
    if cmp -s "$package" "second build/in a longer path/${package##*/}"; then
        echo "identical: ${package##*/}  $(sha256sum <"$package" | cut -c 1-64)"
        continue
    fi
    failed=1
    echo "check-reproducible: ${package##*/} differs:" >&2
    rm -rf contents
    mkdir contents
    dpkg-deb --raw-extract "$package" contents/1
    dpkg-deb --raw-extract "second build/in a longer path/${package##*/}" contents/2
    diff -rq contents/1 contents/2 >&2 || :
done
exit $failed
