#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# musl.sh DIST DIRECTORY: build the source package liborientation in DIST with musl and without a bus, and pass its tests, all but
# those of Python, which is for glibc here. jansson is linked statically, from Debian's source.
set -eu
umask 022

dist=$(cd "$1" && pwd)
rm -rf "$2"
mkdir -p "$2/lists/partial" "$2/jansson"
directory=$(cd "$2" && pwd)
mirror=$(cd "$(dirname "$0")/../../../Scripts" && python3 -c 'import debian_root; print(debian_root.mirror())')
. /etc/os-release
cd "$directory"

# Signed by Debian.
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror ${VERSION_CODENAME:-sid} main" >sources.list
CC=musl-gcc PKG_CONFIG_LIBDIR=$directory/musl/lib/pkgconfig ORIENTATION_PYTHON=0
# shellcheck disable=SC2012 # names of versions
tarball=$(ls -t "$dist"/liborientation-*.tar.gz | head -n 1)
export CC PKG_CONFIG_LIBDIR ORIENTATION_PYTHON directory tarball
# shellcheck disable=SC2016 # expanded there
sh -euc '
    set -- -qq -o "Dir::Etc::SourceList=$directory/sources.list" -o Dir::Etc::SourceParts=/dev/null -o "Dir::State::Lists=$directory/lists"
    apt-get "$@" update
    cd jansson
    apt-get "$@" source jansson
    cd jansson-*/
    autoreconf --install
    CFLAGS="-O2 -fPIC" ./configure --host="$(gcc -dumpmachine)" --disable-shared --prefix="$directory/musl"
    make -C src install
    make install-pkgconfigDATA
    cd "$directory"
    tar -xf "$tarball"
    meson setup -Dwerror=true -Dsd-bus=none -Dpython=disabled build liborientation-*
    meson compile -C build
    meson test -C build --print-errorlogs tables internal RefusalTests HoldTests' >log 2>&1 || {
    tail -n 40 log >&2
    echo "FAILED  musl: see $directory/log" >&2
    exit 1
}
# musl's C library alone.
needed=$(readelf -d build/liborientation.so.0 | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
if [ "$needed" != libc.so ] || ! readelf -l build/driver | grep -q 'interpreter: /lib/ld-musl-'; then
    echo "FAILED  musl: the library needs $needed" >&2
    exit 1
fi
echo "passed  musl: liborientation is built with musl, passes its tests, and needs nothing else at run time"
