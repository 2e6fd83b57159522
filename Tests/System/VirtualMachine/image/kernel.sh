#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# kernel.sh ROOT BUILT MODULES BOOT-MODULES: unpack Debian's kernel, keep the named modules and their dependencies, add those
# of the archive BUILT, and make an initrd that mounts the disk. QEMU starts the kernel without a bootloader.
set -eu

root=$1
built=$2
modules=$3
boot_modules=$4
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export APT_CONFIG="$MMDEBSTRAP_APT_CONFIG"
# depmod and modprobe are not in a user's PATH.
PATH=$PATH:/usr/sbin:/sbin

cd "$work"
eval "$(apt-config shell architecture APT::Architecture)"
kernel=$(apt-cache depends "linux-image-$architecture" | sed -n 's/.*Depends: \(linux-image-[^ ]*\)/\1/p' | head -n 1)
apt-get --quiet download "$kernel"
dpkg-deb --extract "$kernel"_*.deb all
# modprobe reads /lib; Debian 13 has the modules in /usr/lib.
[ -e all/lib ] || ln -s usr/lib all/lib
version=$(ls all/lib/modules)
depmod -b "$work/all" "$version"

# Prints the files of modules in load order.
files_of() {
    for module in $2; do
        modprobe -d "$1" -S "$version" --show-depends "$module" || echo "kernel.sh: module not in this kernel: $module" >&2
    done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

mkdir -p "$root/usr/lib/modules/$version"
target=$root/usr/lib/modules/$version
cp all/lib/modules/"$version"/modules.builtin* all/lib/modules/"$version"/modules.order "$target"
files_of "$work/all" "$modules" | while read -r file; do
    install -D -m 0644 "$file" "$target/${file#*/"$version"/}"
done
# Decompressed once: emulated decompression at each load is slow.
find "$target" -name '*.ko.xz' -exec unxz {} +
mkdir built
tar -C built -xf "$built"
for module in built/*.ko; do
    [ -e "$module" ] || continue
    # Debian 13's kernel has one of them.
    [ -n "$(find "$target" -name "${module##*/}")" ] || install -D -m 0644 -t "$target/extra" "$module"
done
depmod -b "$root" "$version"

mkdir -p initrd/bin initrd/dev initrd/proc initrd/sys initrd/root initrd/modules
cp "$root/bin/busybox" initrd/bin
number=100
files_of "$root" "$boot_modules" | while read -r file; do
    number=$((number + 1))
    cp "$file" "initrd/modules/$number-$(basename "$file")"
done
install -m 0755 "$here/init" initrd/init
mkdir -p "$root/boot"
(cd initrd && find . | cpio --quiet --create --format=newc) >"$root/boot/initrd"
cp "all/boot/vmlinuz-$version" "$root/boot/vmlinuz"
chmod 0644 "$root/boot/vmlinuz"
