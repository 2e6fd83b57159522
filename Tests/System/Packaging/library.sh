#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# library.sh PACKAGES DIST DIRECTORY: install the packages of the library from PACKAGES in a Debian 13 in DIRECTORY that has only a
# compiler, meson, pkg-config and Python besides, and build and run examples there; then build the source package liborientation in
# DIST and pass its tests: without Swift. Run as root.
set -eu
umask 022

packages=$(cd "$1" && pwd)
dist=$(cd "$2" && pwd)
mkdir -p "$3"
directory=$(cd "$3" && pwd)
cd "$(dirname "$0")/../../.."

root=$(python3 Scripts/debian_root.py "$directory/library" trixie gcc libc6-dev pkgconf libjansson4 libsystemd0 libjansson-dev \
    libsystemd-dev meson python3 python3-pip python3-setuptools)
rm -rf "$root/library"
mkdir -p "$root/library"
cp "$packages"/liborientation0_*.deb "$packages"/liborientation-dev_*.deb "$packages"/python3-orientation_*.deb "$dist"/liborientation-*.tar.gz \
    Examples/clients/follow.c Examples/clients/follow_library.py "$root/library"
# The tests need /proc, and a root that is a mount.
# shellcheck disable=SC2016 # expanded later, in the directory
unshare --mount sh -euc 'mount --bind "$0" "$0" && mount -t proc proc "$0/proc" && cd "$0" && exec chroot . "$@"' \
    "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 sh -euc '
    cd /library
    dpkg --install ./*.deb >log 2>&1 || { cat log >&2; exit 1; }
    cc -std=c11 -Wall -Wextra -Wpedantic -Werror -o follow follow.c $(pkg-config --cflags --libs orientation)
    ORIENTATION_BACKEND=udev timeout 1 ./follow | grep -q "^unknown: ORIENTATION_BACKEND: invalid value"
    for program in ./follow "python3 follow_library.py"; do
        timeout 5 $program | grep -q "^unknown: /run/orientationd/orientationd.sock: cannot connect: no service is listening; "
    done
    dpkg --remove python3-orientation liborientation-dev liborientation0 >log 2>&1
    tar -xf liborientation-*.tar.gz
    cd liborientation-*/
    exec >>../log 2>&1
    # Without dpkg-dev, meson would take lib64, where Debian has no libraries.
    meson setup --prefix=/usr --libdir=lib build
    meson compile -C build
    meson test -C build --print-errorlogs
    meson install -C build
    ldconfig
    pip install --break-system-packages --no-build-isolation --no-index Sources/Client/Python
    timeout 5 python3 Examples/clients/follow_library.py | grep -q "^unknown: "' || {
    echo "FAILED  library: see $root/library/log" >&2
    exit 1
}
echo "passed  liborientation-dev, python3-orientation: examples are built and run with nothing else"
echo "passed  liborientation: the source package is built, passes its tests and is installed with meson and pip, without Swift"
