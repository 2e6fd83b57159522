#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# make-deb.sh FOLDER: make a Debian package of the programs in FOLDER and all that belongs to them; tells its name.
#
# The libraries that it depends on are found by dpkg-shlibdeps; Swift's runtime is inside the programs.
set -eu
umask 022

programs=$1
cd "$(dirname "$0")/.."
version=$(sed -n 's/.*current = "\(.*\)"/\1/p' Sources/OrientationWire/Version.swift)
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/debian/orientationd

Scripts/install.sh install "$root" /usr "$programs"
gzip -9n "$root"/usr/share/man/man*/*
# Where Debian's zsh looks for what packages bring.
mkdir "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_orientationctl" "$root/usr/share/zsh/vendor-completions"
rmdir "$root/usr/share/zsh/site-functions"
install -D -m 0644 LICENSE "$root/usr/share/doc/orientationd/copyright"
install -D -m 0644 CHANGELOG.md "$root/usr/share/doc/orientationd/changelog"
gzip -9n "$root/usr/share/doc/orientationd/changelog"

# dpkg-shlibdeps wants to stand in a source package.
printf 'Source: orientationd\n\nPackage: orientationd\nArchitecture: any\nDescription: device orientation\n' \
    >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O debian/orientationd/usr/sbin/* debian/orientationd/usr/bin/* 2>/dev/null |
    sed -n 's/^shlibs:Depends=//p')
if [ -z "$depends" ]; then
    echo "dpkg-shlibdeps does not tell on which libraries $programs depends." >&2
    exit 1
fi

mkdir "$root/DEBIAN"
for script in postinst prerm postrm; do
    install -m 0755 "Scripts/debian/$script" "$root/DEBIAN/$script"
done
(cd "$root" && find usr -type f -exec md5sum {} + | sort -k 2 >DEBIAN/md5sums)
cat >"$root/DEBIAN/control" <<CONTROL
Package: orientationd
Version: $version
Architecture: $architecture
Maintainer: orientationd developers <orientationd@localhost>
Installed-Size: $(du -sk "$root" | cut -f1)
Depends: $depends, systemd, udev, passwd, acl
Recommends: kmod
Suggests: librsvg2-bin
Section: admin
Priority: optional
Description: tells local apps which way the device is held
 A daemon that reads an accelerometer through libiio, classifies seven device
 orientations, and serves them to every local app over Varlink on a Unix socket.
 The sensor runs only while somebody listens.
CONTROL

mkdir -p .build
package=.build/orientationd_${version}_${architecture}.deb
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
echo "$package"
