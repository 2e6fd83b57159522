#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# setup.sh PACKAGE...: see that Swift and these Debian packages are here; install the packages that are not.
set -eu

oldest=6.2

if ! command -v swift >/dev/null 2>&1; then
    echo "Swift $oldest or later is needed and was not found: see https://www.swift.org/install/linux" >&2
    exit 1
fi
version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' | head -n 1)
if [ "$(printf '%s\n%s\n' "$oldest" "$version" | sort -V | head -n 1)" != "$oldest" ]; then
    echo "Swift $oldest or later is needed; this is ${version:-a version that tells no number}: see https://www.swift.org/install/linux" >&2
    exit 1
fi

missing=
for package in "$@"; do
    dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    echo "These Debian packages, or what they are called here, are needed:$missing" >&2
    exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "As root, run: apt-get install$missing" >&2
        exit 1
    fi
    as_root=sudo
fi
echo "Installing:$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086 # a list of words
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null
