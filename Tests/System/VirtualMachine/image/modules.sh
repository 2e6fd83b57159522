#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# modules.sh ROOT: build modules that Debian's kernels do not have, for its current kernel: iio_dummy with generated events and
# what it needs, and the driver of Intel's hinge sensor. Installs the compiler and the kernel's headers in ROOT; the result is
# ROOT/modules.tar.
set -eu

root=$1
here=$(cd "$(dirname "$0")" && pwd)
export APT_CONFIG="$MMDEBSTRAP_APT_CONFIG"

# Prints the packages on which $1 depends.
dependencies_of() {
    apt-cache depends "$1" | sed -n 's/^ *|\{0,1\}Depends: \([^<].*\)/\1/p'
}

work=$(mktemp -d "$root/tmp/modules.XXXXXX")
cd "$work"
headers=$(dependencies_of linux-headers-amd64 | grep '^linux-headers-' | head -n 1)
# The kernel itself is not needed. In the chroot: outside, apt-get would install in the host.
# shellcheck disable=SC2046 # a list of words
env -u APT_CONFIG chroot "$root" apt-get --quiet --yes --no-install-recommends install make \
    $(dependencies_of "$headers" | grep -v -e '^linux-image-' -e '^linux-base$')
apt-get --quiet download "$headers"
# Not its /lib, which would replace a link.
dpkg-deb --fsys-tarfile "$headers"_*.deb | tar -C "$root" -xf - ./usr/src
version=${headers#linux-headers-}
series=$(echo "$version" | cut -d . -f 1-2)
apt-get --quiet download "linux-source-$series=$(dpkg-deb --field "$headers"_*.deb Version)"
dpkg-deb --fsys-tarfile "linux-source-${series}"_*.deb | tar -xOf - "./usr/src/linux-source-$series.tar.xz" |
    xz -dc | tar -xf - --wildcards --no-anchored 'iio/dummy/*.[ch]' 'iio/industrialio-configfs.c' \
    'iio/industrialio-sw-device.c' 'kernel/irq/irq_sim.c' 'hid-sensor-custom-intel-hinge.c' 'hid-sensor-trigger.h'

mkdir build
find linux-source-* -name '*.[ch]' -exec mv -t build {} +
"$here/iio_dummy.py" build
# A module of several files cannot have the name of one of them.
mv build/iio_dummy_evgen.c build/evgen.c
sed -i 's|"../common/hid-sensors/hid-sensor-trigger.h"|"hid-sensor-trigger.h"|' build/hid-sensor-custom-intel-hinge.c
cat >build/Makefile <<'MAKEFILE'
ccflags-y := -DCONFIG_IIO_SIMPLE_DUMMY_EVENTS -DCONFIG_IRQ_SIM
obj-m := industrialio-configfs.o industrialio-sw-device.o iio_dummy_evgen.o iio_dummy.o hid-sensor-custom-intel-hinge.o
iio_dummy_evgen-y := evgen.o irq_sim.o
iio_dummy-y := iio_simple_dummy.o iio_simple_dummy_events.o
MAKEFILE
chroot "$root" make -C "/usr/src/$headers" M="${work#"$root"}/build" modules
cd build
tar -cf "$root/modules.tar" -- *.ko
