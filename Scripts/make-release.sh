#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# make-release.sh FOLDER DIST DEBIAN CROSS PACKAGES DOCS: collect in FOLDER what a publisher uploads: the tarball in DIST, the
# Debian packages in DEBIAN and those for other architectures in CROSS, the packages that packages.sh made in PACKAGES, the HTML
# in DOCS, and the sums of all files.
set -eu
umask 022

folder=$1
dist=$2
debian=$3
cross=$4
packages=$5
docs=$6
version=$(sed -n 's/.*current = "\(.*\)"/\1/p' Sources/Protocol/OrientationWire/Version.swift)
own=$(dpkg --print-architecture)
rm -rf "${folder:?}"
mkdir -p "$folder/arch"
tarball=$dist/orientationd-$version.tar.gz

cp "$tarball" "$debian"/*_"$version"_"$own".deb "$folder"
for package in "$cross"/*_"$version"_*.deb; do
    case $package in *_"$own".deb) ;; *) [ ! -e "$package" ] || cp "$package" "$folder" ;; esac
done
cp "$packages"/rpm/SRPMS/*"-$version-"*.rpm "$packages"/rpm/RPMS/*/*"-$version-"*.rpm "$folder"
cp packaging/arch/* "$packages"/arch/*"-$version-"*.pkg.tar* "$folder/arch"
# The PKGBUILD takes the tarball beside it, and no other.
ln "$folder/${tarball##*/}" "$folder/arch"
sed -i "/^# Of a local file/d; s/^sha256sums=(SKIP)/sha256sums=($(sha256sum <"$tarball" | cut -d ' ' -f 1))/" "$folder/arch/PKGBUILD"
cp -R "$docs" "$folder/docs"
(cd "$folder" && find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' sha256sum >SHA256SUMS)
echo "$folder"
