#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# make-deb.sh DIRECTORY: build a Debian package of the programs in DIRECTORY; print its path.
#
# dpkg-shlibdeps finds the library dependencies; the Swift runtime is linked statically.
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
# Debian's directory for zsh completions of packages.
mkdir "$root/usr/share/zsh/vendor-completions"
mv "$root"/usr/share/zsh/site-functions/_* "$root/usr/share/zsh/vendor-completions"
rmdir "$root/usr/share/zsh/site-functions"
install -D -m 0644 LICENSE "$root/usr/share/doc/orientationd/copyright"
install -D -m 0644 CHANGELOG.md "$root/usr/share/doc/orientationd/changelog"
gzip -9n "$root/usr/share/doc/orientationd/changelog"

# dpkg-shlibdeps needs a source package.
printf 'Source: orientationd\n\nPackage: orientationd\nArchitecture: any\nDescription: device orientation\n' \
    >"$work/debian/control"
depends=$(cd "$work" && dpkg-shlibdeps -O debian/orientationd/usr/sbin/* debian/orientationd/usr/bin/* 2>/dev/null |
    sed -n 's/^shlibs:Depends=//p')
if [ -z "$depends" ]; then
    echo "make-deb: dpkg-shlibdeps found no library dependencies of $programs" >&2
    exit 1
fi

mkdir "$root/DEBIAN"
for script in postinst prerm postrm; do
    sed '/^# @former-members@$/ { r dist/former-members.sh
d }' "dist/debian/$script" >"$root/DEBIAN/$script"
    chmod 0755 "$root/DEBIAN/$script"
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
Description: device orientation service for local apps
 A daemon that reads an accelerometer through libiio, classifies seven device
 orientations, and serves them to every local app over Varlink on a Unix socket.
 The sensor runs only while there are subscribers.
CONTROL

mkdir -p .build
package=.build/orientationd_${version}_${architecture}.deb
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
echo "$package"
