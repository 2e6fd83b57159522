#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check-reproducible.sh DIST DIRECTORY: build the source packages of Debian in DIST twice, in folders of DIRECTORY with different
# paths, homes, time zones and locales, without a network, the first time with their tests; compare the packages byte by byte.
set -eu

version=$(sed -n 's/.*current = "\(.*\)"/\1/p' Sources/Protocol/OrientationWire/Version.swift)
sources=$(cd "$1/debian" && pwd)
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

# build FOLDER HOME TZ LC_ALL OPTIONS
build() {
    mkdir -p "$1" "$2"
    for source in liborientation orientationd; do
        began=$(date +%s)
        # The loopback is up, as on a builder. -d: Swift may be no package.
        if ! (cd "$1" && dpkg-source --extract "$sources/${source}_$version-"*.dsc >"$source.log" && cd "$source-$version" &&
            HOME="$2" TZ="$3" LC_ALL="$4" DEB_BUILD_OPTIONS="$5" \
                $offline sh -c 'ip link set lo up; exec dpkg-buildpackage --build=binary --no-sign -d' >>"../$source.log" 2>&1); then
            tail -n 30 "$1/$source.log" >&2
            echo "check-reproducible: dpkg-buildpackage failed: see $directory/$1/$source.log" >&2
            exit 1
        fi
        echo "$1: $source: built in $(($(date +%s) - began)) s"
    done
}
build first "$directory/home-1" UTC C.UTF-8 ""
build "second build/in a longer path" "$directory/home-2" Asia/Kathmandu C nocheck

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
