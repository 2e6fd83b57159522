#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# make-release.sh FOLDER DIST DEBIAN CROSS PACKAGES DOCS: collect in FOLDER what a publisher uploads: the source packages in DIST, the
# Debian packages in DEBIAN and those for other architectures in CROSS, the packages that packages.sh made in PACKAGES, the HTML
# in DOCS, and the sums of all files. INSTALL.md says what each is for.
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
mkdir -p "$folder/arch" "$folder/nix" "$folder/rpm" "$folder/source"

sed "s/@VERSION@/$version/" packaging/INSTALL.md >"$folder/INSTALL.md"
cp "$debian"/*_"$version-"*_"$own".deb "$debian"/*_"$version-"*_all.deb "$folder"
for package in "$cross"/*_"$version-"*.deb; do
    case $package in *_"$own".deb | *_all.deb) ;; *) [ ! -e "$package" ] || cp "$package" "$folder" ;; esac
done
rm -f "$folder"/*-dbgsym_*.deb
cp "$dist"/*-"$version"*.tar.gz "$folder/source"
cp -R "$dist/debian" "$folder/source"
cp "$packages"/rpm/SRPMS/*"-$version-"*.rpm "$packages"/rpm/RPMS/*/*"-$version-"*.rpm "$folder/rpm"
cp packaging/arch/* "$packages"/arch/*"-$version-"*.pkg.tar* "$folder/arch"
cp packaging/nix/* "$folder/nix"
# The recipes take the tarballs beside them, and no others.
sums=
for tarball in "orientationd-$version.tar.gz" "orientationd-$version-vendor.tar.gz"; do
    ln "$folder/source/$tarball" "$folder/arch"
    ln "$folder/source/$tarball" "$folder/nix"
    sums="$sums $(sha256sum <"$folder/source/$tarball" | cut -d ' ' -f 1)"
done
sed -i "/^# Of local files/d; s/^sha256sums=.*/sha256sums=(${sums# })/" "$folder/arch/PKGBUILD"
cp -R "$docs" "$folder/docs"
(cd "$folder" && find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' sha256sum >SHA256SUMS)
echo "$folder"
