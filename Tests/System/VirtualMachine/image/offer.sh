#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# offer.sh ROOT PACKAGE...: put these packages and their missing dependencies into a repository in the guest, for apt
# without a network.
set -eu

root=$1
shift
export APT_CONFIG="$MMDEBSTRAP_APT_CONFIG"
apt-get --quiet --yes --download-only install "$@"
mkdir -p "$root/opt/packages"
mv "$root"/var/cache/apt/archives/*.deb "$root/opt/packages"
cd "$root/opt/packages"
dpkg-scanpackages --multiversion . >Packages
