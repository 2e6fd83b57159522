#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# configure.sh ROOT: make the guest run the tests in the shared directory after boot, with an offline package repository.
set -eu

root=$1
here=$(cd "$(dirname "$0")" && pwd)
echo guest >"$root/etc/hostname"
printf '127.0.0.1 localhost guest\n' >"$root/etc/hosts"
tr -d - </proc/sys/kernel/random/uuid >"$root/etc/machine-id"
rm -f "$root"/etc/apt/sources.list.d/*
echo 'deb [trusted=yes] file:/opt/packages ./' >"$root/etc/apt/sources.list"
# Packages installed from now on include /usr/share/doc.
rm -f "$root/etc/dpkg/dpkg.cfg.d/99mmdebstrap"
echo 'APT::Install-Recommends "false";' >"$root/etc/apt/apt.conf.d/90recommends"
# Default answers to debconf; no fsync on a temporary disk.
rm -f "$root/etc/apt/apt.conf.d/70debconf"
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
mkdir "$root/vm"
cat >"$root/etc/fstab" <<FSTAB
/dev/vda / ext4 noatime 0 0
shared /vm 9p trans=virtio,version=9p2000.L,msize=262144,nofail,x-systemd.after=systemd-modules-load.service 0 0
FSTAB
# It must have found its device before the mount, which fails otherwise.
echo 9pnet_virtio >"$root/etc/modules-load.d/vm-test.conf"
# A user without special permissions.
chroot "$root" useradd --create-home --shell /bin/sh tester
# The doctor's remedies begin with sudo.
echo 'tester ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/tester"

install -m 0644 "$here/vm-test.service" "$root/etc/systemd/system/vm-test.service"
# The board of arm64 has another console, and the report is the only port of this kind.
[ "$(chroot "$root" dpkg --print-architecture)" = amd64 ] ||
    sed -i 's/ttyS1/ttyS0/' "$root/etc/systemd/system/vm-test.service"
mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
ln -s ../vm-test.service "$root/etc/systemd/system/multi-user.target.wants/vm-test.service"
ln -sf /lib/systemd/system/multi-user.target "$root/etc/systemd/system/default.target"
# Units that the tests do not need, which take time in emulation.
for unit in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer fstrim.timer e2scrub_all.timer \
    e2scrub_reap.service getty@tty1.service serial-getty@ttyS0.service systemd-timesyncd.service \
    systemd-networkd.service systemd-pstore.service systemd-hwdb-update.service systemd-journal-catalog-update.service \
    systemd-update-done.service systemd-random-seed.service systemd-binfmt.service \
    proc-sys-fs-binfmt_misc.automount; do
    ln -sf /dev/null "$root/etc/systemd/system/$unit"
done
# Generators run at boot and at each daemon-reload. Only the one for the shared directory is needed.
mkdir -p "$root/etc/systemd/system-generators"
for generator in "$root"/usr/lib/systemd/system-generators/*; do
    name=${generator##*/}
    [ "$name" = systemd-fstab-generator ] || ln -sf /dev/null "$root/etc/systemd/system-generators/$name"
done
