#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# make-dist.sh DIRECTORY: make the source tarballs of the last commit, and print their paths: orientationd, the Swift packages of
# vendored-packages.txt, which are unpacked in its folder, and liborientation, which needs no Swift. With dpkg-source, also the
# source packages of Debian. The same commit gives the same bytes.
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
    git -C "$checkout" archive --prefix="vendor/$package/" "$tag" | tar -C "$work" -xf -
done <Scripts/vendored-packages.txt

library=liborientation-$version
xargs git archive --prefix="$library/" HEAD <Scripts/library-files.txt | tar -C "$work" -xf -

# tarball FOLDER NAME
tarball() {
    LC_ALL=C tar -C "$work" --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$commit_time" \
        --mode=u=rwX,go=rX -cf - "$1" | gzip -9n >"$directory/$2.tar.gz"
    echo "$directory/$2.tar.gz"
}
tarball "$name" "$name"
tarball vendor "$name-vendor"
tarball "$library" "$library"

command -v dpkg-source >/dev/null || exit 0
mv "$work/vendor" "$work/$name"
cp -R packaging/liborientation/debian "$work/$library"
ln -s "$directory/$name.tar.gz" "$work/orientationd_$version.orig.tar.gz"
ln -s "$directory/$name-vendor.tar.gz" "$work/orientationd_$version.orig-vendor.tar.gz"
ln -s "$directory/$library.tar.gz" "$work/liborientation_$version.orig.tar.gz"
mkdir -p "$directory/debian"
cd "$work"
for folder in "$name" "$library"; do
    SOURCE_DATE_EPOCH=$commit_time dpkg-source --build "$folder" >log 2>&1 || {
        cat log >&2
        exit 1
    }
done
cp -L ./*.orig*.tar.gz ./*.debian.tar.xz ./*.dsc "$directory/debian"
ls "$directory"/debian/*.dsc
