#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# services.sh PROGRAMS DIRECTORY INIT...: install the programs for each service manager, openrc or runit, in a Debian in DIRECTORY
# where no systemd runs, let the manager start the service, and test it: services-guest.sh. Run as root.
set -eu

programs=$(cd "$1" && pwd)
mkdir -p "$2"
directory=$(cd "$2" && pwd)
shift 2
cd "$(dirname "$0")/../../.."

packages="acl bsdutils kmod passwd util-linux libiio0 libjansson4 libsystemd0 sudo"
umask 022

for init; do
    # shellcheck disable=SC2086 # a list of words
    root=$(python3 Scripts/debian_root.py "$directory/$init" trixie $packages "$init")
    INIT=$init Scripts/install.sh install "$root" /usr "$programs" orientationd
    if refusal=$(INIT=$init Scripts/install.sh install "$root" /usr "$programs" tablet-switch 2>&1); then
        echo "FAILED  $init: the tablet switch was installed, which needs systemd" >&2
        exit 1
    fi
    case $refusal in *"INIT must be systemd"*) ;; *) echo "FAILED  $init: $refusal" >&2; exit 1 ;; esac
    cp Tests/System/Packaging/services-guest.sh "$root/test.sh"
    install -D Scripts/install.sh "$root/source/Scripts/install.sh"
    install -D packaging/revoke-access "$root/source/packaging/revoke-access"
    # To uninstall, their names are needed.
    tar -c docs Examples udev Sources/Protocol/OrientationWire | tar -x -C "$root/source"
    # Processes and mounts end with the namespaces.
    unshare --mount --pid --net --ipc --uts --fork --kill-child sh -eu -c '
        mount --make-rprivate /
        mount -t proc proc "$1/proc"
        mount -t tmpfs tmpfs "$1/run"
        mount -t tmpfs tmpfs "$1/tmp"
        mount --bind /dev "$1/dev"
        # The removal changes the access of input devices.
        [ ! -d "$1/dev/input" ] || mount -t tmpfs tmpfs "$1/dev/input"
        exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 chroot "$1" /test.sh "$2"' sh "$root" "$init"
done
