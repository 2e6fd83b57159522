#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# make-dist.sh DIRECTORY: make the source tarballs of the last commit, and print their paths: orientationd, with the Swift packages of
# vendored-packages.txt in vendor/, and liborientation, which needs no Swift. The same commit gives the same bytes.
set -eu
umask 022

cd "$(dirname "$0")/.."
mkdir -p "$1"
directory=$(cd "$1" && pwd)
version=$(sed -n 's/.*current = "\(.*\)"/\1/p' Sources/Protocol/OrientationWire/Version.swift)
name=orientationd-$version
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if ! commit_time=$(git log -1 --format=%ct 2>/dev/null); then
    echo "make-dist: no git repository: make the tarball in a clone" >&2
    exit 1
fi
[ -z "$(git status --porcelain)" ] || echo "make-dist: changes that are not committed are left out" >&2
git archive --prefix="$name/" HEAD | tar -C "$work" -xf -

while read -r package tag; do
    case $package in '' | '#'*) continue ;; esac
    checkout=.build/checkouts/$package
    [ -d "$checkout" ] || swift package resolve >&2
    if ! git -C "$checkout" rev-parse --quiet --verify "$tag^{commit}" >/dev/null; then
        echo "make-dist: $checkout: tag $tag not found: run swift package update, or correct Scripts/vendored-packages.txt" >&2
        exit 1
    fi
    git -C "$checkout" archive --prefix="$name/vendor/$package/" "$tag" | tar -C "$work" -xf -
done <Scripts/vendored-packages.txt

library=liborientation-$version
git archive --prefix="$library/" HEAD meson.build meson_options.txt CHANGELOG.md LICENSE NOTICE.txt docs/apps.md man/orientation.3 \
    Examples/clients Sources/Client/CLibrary Sources/Client/Python Tests/Client/CLibraryTests | tar -C "$work" -xf -

for each in "$name" "$library"; do
    LC_ALL=C tar -C "$work" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$commit_time" \
        --mode=u=rwX,go=rX -cf - "$each" | gzip -9n >"$work/tarball"
    mv "$work/tarball" "$directory/$each.tar.gz"
    chmod 644 "$directory/$each.tar.gz"
    echo "$1/$each.tar.gz"
done
