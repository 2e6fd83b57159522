#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# make-deb.sh DIRECTORY: build the Debian packages of the programs in DIRECTORY, orientationd and orientation-autorotate;
# print their paths.
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

# dpkg-shlibdeps needs a source package.
mkdir "$work/debian"
cat >"$work/debian/control" <<CONTROL
Source: orientationd

Package: orientationd
Architecture: any
Description: device orientation

Package: orientation-autorotate
Architecture: any
Description: display rotation
CONTROL

# install_files PACKAGE COMPONENT: install the files of a component into the folder of a package.
install_files() {
    root=$work/debian/$1
    Scripts/install.sh install "$root" /usr "$programs" "$2"
    gzip -9n "$root"/usr/share/man/man*/*
    # Debian's directory for zsh completions of packages.
    mkdir "$root/usr/share/zsh/vendor-completions"
    mv "$root"/usr/share/zsh/site-functions/_* "$root/usr/share/zsh/vendor-completions"
    rmdir "$root/usr/share/zsh/site-functions"
    install -D -m 0644 LICENSE "$root/usr/share/doc/$1/copyright"
    install -D -m 0644 CHANGELOG.md "$root/usr/share/doc/$1/changelog"
    gzip -9n "$root/usr/share/doc/$1/changelog"
    mkdir "$root/DEBIAN"
}

# library_dependencies PACKAGE PROGRAM...: print the packages of the libraries that the programs use.
library_dependencies() {
    package=$1
    shift
    found=$(cd "$work/debian/$package" && for program; do echo "debian/$package/$program"; done | (
        cd "$work" && xargs dpkg-shlibdeps -O 2>/dev/null
    ) | sed -n 's/^shlibs:Depends=//p')
    if [ -z "$found" ]; then
        echo "make-deb: dpkg-shlibdeps found no library dependencies of $package" >&2
        exit 1
    fi
    echo "$found"
}

# build_package PACKAGE: add the checksums and the control file from standard input, build the package, print its path.
build_package() {
    root=$work/debian/$1
    (cd "$root" && find usr -type f -exec md5sum {} + | sort -k 2 >DEBIAN/md5sums)
    {
        echo "Package: $1"
        echo "Version: $version"
        echo "Architecture: $architecture"
        echo "Maintainer: orientationd developers <orientationd@localhost>"
        echo "Installed-Size: $(du -sk "$root" | cut -f1)"
        cat
    } >"$root/DEBIAN/control"
    mkdir -p .build
    path=.build/$1_${version}_$architecture.deb
    dpkg-deb --root-owner-group --build "$root" "$path" >/dev/null
    echo "$path"
}

install_files orientationd orientationd
for script in postinst prerm postrm; do
    sed '/^# @former-members@$/ { r packaging/former-members.sh
d }' "packaging/debian/$script" >"$work/debian/orientationd/DEBIAN/$script"
    chmod 0755 "$work/debian/orientationd/DEBIAN/$script"
done
build_package orientationd <<CONTROL
Depends: $(library_dependencies orientationd usr/sbin/orientationd usr/bin/orientationctl), libiio0 (>= 0.23), systemd, udev, passwd, acl
Recommends: kmod
Suggests: librsvg2-bin, orientation-autorotate
Section: admin
Priority: optional
Description: device orientation service for local apps
 A daemon that reads an accelerometer through libiio, classifies seven device
 orientations, and serves them to every local app over Varlink on a Unix socket.
 The sensor runs only while there are subscribers.
CONTROL

install_files orientation-autorotate autorotate
build_package orientation-autorotate <<CONTROL
Depends: $(library_dependencies orientation-autorotate usr/bin/orientation-autorotate), orientationd (= $version)
Section: utils
Priority: optional
Description: display rotation for Wayland compositors and X11
 A session agent that rotates the internal display with the device, and keeps
 touch screens and pens aligned, on compositors that do not do so themselves:
 sway, labwc, niri, Hyprland, river, COSMIC, KWin and X11.
CONTROL
