#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# get-protocols.sh DIRECTORY: download the XML of the Wayland protocols from Debian's packages into DIRECTORY, for the test of
# the tables in CWayland. The packages' dependencies are not needed. Does nothing if the files were downloaded before. Which
# files exist depends on the Debian release.
set -eu

fingerprint=$(cksum <"$0")
[ "$(cat "$1/complete" 2>/dev/null)" != "$fingerprint" ] || exit 0
command -v apt-get >/dev/null 2>&1 || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
download() {
    apt-get download -qq -o APT::Sandbox::User="$(id -un)" "$1"
}
download wayland-protocols
# Debian 13 has wlr-protocols in a package of their own.
download librust-wayland-protocols-wlr-dev 2>/dev/null || download librust-wayland-protocols-dev
for package in *.deb; do
    dpkg-deb -x "$package" contents
done
cd "$OLDPWD"
mkdir -p "$1"
find "$work/contents" \( -name 'wlr-output-management-unstable-v1.xml' \
    -o -name 'wlr-foreign-toplevel-management-unstable-v1.xml' \
    -o -path '*/share/wayland-protocols/*/ext-foreign-toplevel-list-v1.xml' \
    -o -path '*/share/wayland-protocols/*/ext-workspace-v1.xml' \) -exec cp {} "$1" \;
echo "$fingerprint" >"$1/complete"
