#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# packages.sh PROGRAMS DIST DIRECTORY [DEBS]: make the RPM and Arch packages in DIRECTORY, from the tarballs in DIST and the
# programs in PROGRAMS; check them, the source packages of Debian in DIST, and the Debian packages in DEBS (default: those of
# `make deb`).
set -eu
umask 022

programs=$(cd "$1" && pwd)
debs=$(cd "${4:-$(dirname "$0")/../../../.build/deb}" && pwd)
dist=$(cd "$2" && pwd)
rm -rf "$3/rpm" "$3/arch"
mkdir -p "$3/rpm" "$3/arch"
directory=$(cd "$3" && pwd)
cd "$(dirname "$0")/../../.."
version=$(sed -n 's/.*current = "\(.*\)"/\1/p' Sources/Protocol/OrientationWire/Version.swift)
export ORIENTATIOND_PROGRAMS="$programs"

fail() {
    echo "FAILED  $*" >&2
    exit 1
}
# quietly NAME COMMAND...: run a command; print its output only if it fails.
quietly() {
    name=$1
    shift
    "$@" >"$directory/$name.log" 2>&1 || {
        tail -n 30 "$directory/$name.log" >&2
        fail "$name: see $directory/$name.log"
    }
}
sorted_files() { sed 's|^\.||; /\/$/d; s#/usr/bin/\(orientationd\|orientation-tablet-switch\)$#/usr/sbin/\1#' | sort; }

# One version in all files. same_version FILE EXPRESSION: sed's expression prints the version of the file.
same_version() {
    found=$(sed -n "$2" "$1" | head -n 1)
    [ "$found" = "$version" ] || fail "$1 has the version '$found', not $version"
}
same_version debian/changelog '1s/^orientationd (\([^)-]*\).*/\1/p'
same_version packaging/liborientation/debian/changelog '1s/^liborientation (\([^)-]*\).*/\1/p'
same_version packaging/nix/package.nix 's/^ *version = "\(.*\)";/\1/p'
same_version meson.build "s/.*'liborientation', 'c', version: '\([^']*\)'.*/\1/p"
same_version packaging/rpm/orientationd.spec 's/^Version: *//p'
same_version packaging/arch/PKGBUILD 's/^pkgver=//p'
same_version CHANGELOG.md 's/^## \([0-9][^ ,]*\).*/\1/p'
for page in man/*; do
    same_version "$page" 's/^\.TH .*"orientationd \([^"]*\)".*/\1/p'
done
# The Swift packages in the tarball.
vendored=$(sed '/^#/d; /^$/d' Scripts/vendored-packages.txt | sort)
bundled=$(sed -n 's/^Provides: *bundled(\(.*\)) = \(.*\)/\1 \2/p' packaging/rpm/orientationd.spec | sort)
[ "$vendored" = "$bundled" ] || fail "the spec provides bundled $bundled; Scripts/vendored-packages.txt has $vendored"
echo "passed  version $version in all files"

# The project has no mail address, and Debian no bug that asks for the packages: the uploader sets both. Lintian of Debian 12 is
# older than the policy and than some overrides, which are for that of sid.
quietly lintian lintian --display-info --pedantic --fail-on none --allow-root --suppress-tags "$(
    echo bogus-mail-host,bogus-mail-host-in-debian-changelog,initial-upload-closes-no-bugs,newer-standards-version \
        alien-tag,duplicate-override-context | tr ' ' ',')" \
    "$debs"/*_"$version-"*.changes "$dist/debian"/*_"$version-"*.dsc
# Lintian suppresses unused-override neither by its options nor by overrides. That of Debian 12 does not know the field.
! grep -v '^N: \|^I: .* unused-override \|: unknown-field Static-Built-Using$' "$directory/lintian.log" >&2 || fail "lintian: see $directory/lintian.log"
echo "passed  lintian: Debian's packages and their sources have no tags, pedantic ones included"

# Paths of one distribution in what is installed: documents apart, and /bin/sh and /usr/bin/env, which all have.
staged=$directory/staged
rm -rf "$staged"
for component in all sensorproxy python; do
    quietly install make install DESTDIR="$staged" PREFIX=/opt/orientation COMPONENT=$component
done
found=$(find "$staged" -type f ! -path '*/share/doc/*' ! -path '*/share/man/*' -exec \
    grep -InE "/usr/|(^|[^a-z])/s?bin/" {} + | grep -v ':[0-9]*:.*\(/bin/sh\|#!/usr/bin/env\)' || :)
[ -z "$found" ] || fail "installed files have paths of a distribution: $found"
echo "passed  no installed file has a path of a distribution"

# Debian has no RPM packages: their names cannot be checked, so the dependencies of the build are not.
quietly rpmbuild rpmbuild -ta --nodeps --define "_topdir $directory/rpm" "$dist/orientationd-$version.tar.gz"
# Fedora has no static library of Swift.
quietly rpmspec rpmspec --parse --define "fedora 43" packaging/rpm/orientationd.spec
grep -q '^make programs RUNTIME=dynamic$' "$directory/rpmspec.log" || fail "rpm: not linked dynamically on Fedora: see $directory/rpmspec.log"
for package in "$directory"/rpm/RPMS/*/*.rpm; do
    echo "passed  rpmbuild: ${package##*/}, $(rpm -qp --nosignature --queryformat '%{SIZE}' "$package" 2>/dev/null) bytes installed"
done
if command -v rpmlint >/dev/null; then
    quietly rpmlint rpmlint --config packaging/rpm/rpmlint.toml packaging/rpm/orientationd.spec "$directory/rpm/SRPMS" "$directory/rpm/RPMS"
    echo "passed  rpmlint: $(tail -n 1 "$directory/rpmlint.log" | sed 's/^ *//')"
fi

# What the scripts do with the services where rpmbuild lacks systemd's macros. Their argument is the number of versions that remain.
bin=$directory/rpm/bin
mkdir -p "$bin"
echo 'echo "$*"' >"$bin/systemctl"
: >"$bin/systemd-sysusers"
: >"$bin/udevadm"
chmod 755 "$bin"/*
while read -r name script remaining expected; do
    content=$(rpm -qp --nosignature --queryformat "%{$script}" "$directory"/rpm/RPMS/*/"$name-$version"-*.rpm 2>/dev/null)
    found=$(PATH="$bin:$PATH" sh -c "$content" "$script" "$remaining" 2>/dev/null) || fail "$name: $script $remaining fails"
    [ "$found" = "$expected" ] || fail "$name: $script $remaining calls systemctl '$found', not '$expected'"
done <<EOF
orientationd POSTIN 1 --no-reload preset orientationd.socket orientationd.service
orientationd POSTIN 2
orientationd PREUN 1
orientationd PREUN 0 --no-reload disable --now orientationd.socket orientationd.service
orientationd POSTUN 1 try-restart orientationd.service
orientationd POSTUN 0
orientation-tablet-switch POSTIN 1 --no-reload preset orientation-tablet-switch.service
orientation-tablet-switch PREUN 0 --no-reload disable --now orientation-tablet-switch.service
orientation-tablet-switch POSTUN 1 try-restart orientation-tablet-switch.service
EOF
echo "passed  scripts of RPM: the first installation presets the services, an upgrade restarts them, a removal stops them"

# makepkg refuses to run as root. As nobody it cannot enter a clone in root's home: it builds in a folder that all users can read.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/build" "$work/programs"
cp packaging/arch/* "$dist/orientationd-$version.tar.gz" "$dist/orientationd-$version-vendor.tar.gz" "$work/build"
for program in orientationd orientationctl orientation-autorotate orientation-tablet-switch monitor-sensor liborientation.so.0; do
    install "$programs/$program" "$work/programs"
done
as_user=
if [ "$(id -u)" -eq 0 ]; then
    chown -R nobody "$work/build"
    as_user="setpriv --reuid nobody --clear-groups"
fi
# shellcheck disable=SC2086 # a list of words
(cd "$work/build" && HOME=$work/build ORIENTATIOND_PROGRAMS=$work/programs quietly makepkg $as_user makepkg --nodeps --force)
cp "$work"/build/*.pkg.tar* "$directory/arch"
for package in "$directory"/arch/*.pkg.tar*; do
    echo "passed  makepkg: ${package##*/}, $(bsdtar -xOf "$package" .PKGINFO | sed -n 's/^size = //p') bytes installed"
done

# The relations with iio-sensor-proxy, in databases without packages: a package of that name and a dependant of it are made.
rm -rf "$directory/relations"
mkdir -p "$directory/relations/db" "$directory/relations/root"
cd "$directory/relations"
for name in iio-sensor-proxy kwin; do
    requires=
    [ "$name" = iio-sensor-proxy ] || requires="Requires: iio-sensor-proxy"
    printf 'Name: %s\nVersion: 3.7\nRelease: 1\nSummary: For a test\nLicense: MIT\nBuildArch: noarch\n%s\n%%description\n%s\n%%files\n' \
        "$name" "$requires" "$name" >"$name.spec"
    quietly "rpmbuild-$name" rpmbuild -bb --define "_topdir $PWD" "$name.spec"
done
rpm_test() { rpm --dbpath "$PWD/db" --root "$PWD/root" --nosignature --ignorearch "$@"; }
set -- "$directory"/rpm/RPMS/*/orientationd-sensorproxy-"$version"-*.rpm
proxy_rpm=RPMS/noarch/iio-sensor-proxy-3.7-1.noarch.rpm
# Beside a package that depends on iio-sensor-proxy, only the packages of this distribution are missing.
missing=$(rpm_test --install --test "$1" RPMS/noarch/kwin-3.7-1.noarch.rpm 2>&1 || :)
case $missing in *iio-sensor-proxy*) fail "rpm: orientationd-sensorproxy does not provide iio-sensor-proxy: $missing" ;; esac
quietly rpm-install rpm_test --install "$proxy_rpm"
conflicts=$(rpm_test --install --test --nofiledigest "$1" 2>&1 || :)
case $conflicts in *"conflicts with"*) ;; *) fail "rpm: no conflict with iio-sensor-proxy: $conflicts" ;; esac
echo "passed  rpm: orientationd-sensorproxy provides iio-sensor-proxy, and conflicts with it"
cd - >/dev/null

# The same with pacman, which asks before it replaces a package.
for name in iio-sensor-proxy kwin; do
    mkdir "$work/build/$name"
    printf 'pkgname=%s\npkgver=3.7\npkgrel=1\narch=(any)\ndepends=(%s)\npackage() { :; }\n' \
        "$name" "$([ "$name" = iio-sensor-proxy ] || echo iio-sensor-proxy)" >"$work/build/$name/PKGBUILD"
    [ -z "$as_user" ] || chown -R nobody "$work/build/$name"
    # shellcheck disable=SC2086 # a list of words
    (cd "$work/build/$name" && HOME=$work/build quietly "makepkg-$name" $as_user makepkg --nodeps --force)
done
mkdir -p "$work/pacman/db" "$work/pacman/root"
echo '[options]' >"$work/pacman/pacman.conf"
pacman_test() {
    fakeroot pacman --config "$work/pacman/pacman.conf" --root "$work/pacman/root" --dbpath "$work/pacman/db" \
        --assume-installed "orientationd=$version" --assume-installed glibc --assume-installed systemd-libs \
        --upgrade "$@"
}
set -- "$directory"/arch/orientationd-sensorproxy-"$version"-*.pkg.tar*
quietly pacman-provides pacman_test --noconfirm --print "$1" "$work"/build/kwin/kwin-*.pkg.tar*
quietly pacman-install pacman_test --noconfirm "$work"/build/iio-sensor-proxy/iio-sensor-proxy-*.pkg.tar*
! pacman_test --noconfirm "$1" >"$directory/pacman-conflict.log" 2>&1 || fail "pacman: no conflict with iio-sensor-proxy"
grep -q 'orientationd-sensorproxy and iio-sensor-proxy are in conflict' "$directory/pacman-conflict.log" ||
    fail "pacman: see $directory/pacman-conflict.log"
echo "passed  pacman: orientationd-sensorproxy provides iio-sensor-proxy, and conflicts with it"

# The same files as the Debian packages, besides documents and the places of units, binaries, libraries and completions.
# Debian and RPM split the library from what compiling needs.
for name in orientationd orientationd-sensorproxy orientation-autorotate orientation-tablet-switch liborientation; do
    for package in "$debs"/"$name"_"$version-"*.deb "$debs"/"$name"0_"$version-"*.deb "$debs"/"$name"-dev_"$version-"*.deb; do
        [ ! -e "$package" ] || dpkg-deb --fsys-tarfile "$package" | tar -t
    done | sorted_files | sed 's|zsh/vendor-completions|zsh/site-functions|; s|\.gz$||; s|/lib/[a-z0-9_]*-linux-gnu/|/lib/|' |
        grep -v '/share/doc/\|/share/lintian/' >"$directory/$name.debian"
    for package in "$directory"/rpm/RPMS/*/"$name-$version"-*.rpm "$directory"/rpm/RPMS/*/"$name"0-"$version"-*.rpm \
        "$directory"/rpm/RPMS/*/"$name-devel-$version"-*.rpm; do
        [ ! -e "$package" ] || rpm -qlp --nosignature "$package" 2>/dev/null
    done | sed 's|/lib64/|/lib/|' | grep -v '/share/doc/\|/share/licenses/\|/share/orientationd$\|\.d$' |
        sed 's|\.gz$||' | sort >"$directory/$name.rpm"
    bsdtar -tf "$directory/arch/$name-$version"-*.pkg.tar* | sed 's|^|/|' | sorted_files | sed 's|\.gz$||' |
        grep -v '/share/doc/\|/share/licenses/\|^/\.' >"$directory/$name.arch"
    for other in rpm arch; do
        diff -u "$directory/$name.debian" "$directory/$name.$other" >&2 || fail "$name: the files of $other differ from Debian's"
    done
done
echo "passed  the packages have the same files"

# Interfaces, documents and examples, which the comparison leaves out.
while read -r name file; do
    debian=$name rpm=$name
    [ "$name" != liborientation ] || debian=liborientation-dev rpm=liborientation-devel
    for list in "dpkg-deb --contents $(echo "$debs"/"$debian"_"$version-"*.deb)" \
        "rpm -qlp --nosignature $(echo "$directory"/rpm/RPMS/*/"$rpm-$version"-*.rpm)" \
        "bsdtar -tf $(echo "$directory"/arch/"$name-$version"-*.pkg.tar*)"; do
        $list 2>/dev/null | grep -q "usr/share/\(doc/[^/]*/\)\?$file\(\.gz\)\?$" || fail "$name: no $file: $list"
    done
done <<EOF
orientationd varlink/org.orientationd.Orientation.varlink
orientationd varlink/org.orientationd.Control.varlink
orientationd varlink/org.orientationd.Motion.varlink
orientationd varlink/org.orientationd.Simulator.varlink
orientationd varlink/org.orientationd.Display.varlink
orientationd doc/orientationd/README.md
orientationd doc/orientationd/docs/security.md
orientationd doc/orientationd/examples/follow.py
orientation-autorotate doc/orientation-autorotate/examples/sway.conf
liborientation examples/follow.c
liborientation examples/follow.rs
EOF
echo "passed  the packages have interfaces, documents and examples"
