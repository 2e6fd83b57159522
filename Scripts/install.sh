#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh install|uninstall DESTDIR PREFIX [FOLDER]: put the programs from FOLDER into place, or remove them.
set -eu

action=$1
root=$2$3

case $action in
install)
    programs=$4
    install -D -m 0755 --strip "$programs/orientationd" "$root/sbin/orientationd"
    install -D -m 0755 --strip "$programs/orientationctl" "$root/bin/orientationctl"
    ;;
uninstall)
    rm -f "$root/sbin/orientationd" "$root/bin/orientationctl"
    ;;
*)
    echo "install.sh: '$action' is neither install nor uninstall" >&2
    exit 64
    ;;
esac
