#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh install|uninstall DESTDIR PREFIX [DIRECTORY]: install the programs from DIRECTORY with their units, rules and
# documents, or remove them.
set -eu
# Installed files are readable by all users.
umask 022

action=$1
destination=$2
prefix=$3
programs=${4:-}
cd "$(dirname "$0")/.."

if [ "$action" = install ] && { [ ! -x "$programs/orientationd" ] || [ ! -x "$programs/orientationctl" ]; }; then
    echo "install: programs not found: run make build first, as the user that has Swift." >&2
    exit 1
fi

case $prefix in
/*) ;;
*)
    echo "install: invalid PREFIX '$prefix': must be an absolute path." >&2
    exit 64
    ;;
esac
# Used in units and scripts without quoting.
case $prefix in
*[!A-Za-z0-9/._+-]*)
    echo "install: invalid PREFIX '$prefix': must have only letters, digits and /._+- in it." >&2
    exit 64
    ;;
esac
while [ "${prefix%/}" != "$prefix" ]; do
    prefix=${prefix%/}
done

# The bus and polkit read their policies in the system's own folders, whatever the prefix is.
case $prefix in
/usr) buspolicy=share/dbus-1/system.d ;;
*) buspolicy=/etc/dbus-1/system.d ;;
esac

if [ "$action" = uninstall ] && [ -z "$destination" ] && [ -x "$prefix/sbin/orientationd-desktops" ]; then
    # Restore iio-sensor-proxy and stop the units before their files are removed.
    if [ -e /etc/systemd/system/orientationd.service.d/dbus.conf ]; then
        "$prefix/sbin/orientationd-desktops" off || :
    fi
    if [ -d /run/systemd/system ]; then
        systemctl --quiet disable --now orientationd.socket orientationd.service || :
        systemctl --quiet stop orientationd-sensor.target || :
    fi
    echo "Not removed: the user orientationd, the group orientation and /var/lib/orientationd. To remove them:" \
        "userdel orientationd; groupdel orientation; rm -r /var/lib/orientationd"
fi

if [ "$action" = install ] && [ -z "$destination" ]; then
    . dist/former-members.sh
    print_former_members
fi

# What goes where: mode, source, target below the prefix, or below DESTDIR alone where it begins with a slash.
list="
0755 $programs/orientationd sbin/orientationd
0755 $programs/orientationctl bin/orientationctl
0644 dist/systemd/orientationd.socket lib/systemd/system/orientationd.socket
0644 dist/systemd/orientationd.service lib/systemd/system/orientationd.service
0644 dist/systemd/orientationd.sysusers lib/sysusers.d/orientationd.conf
0644 dist/systemd/orientationd-sensor.target lib/systemd/system/orientationd-sensor.target
0644 dist/systemd/dbus.conf share/orientationd/dbus.conf
0755 dist/orientationd-desktops sbin/orientationd-desktops
0644 dist/dbus/org.orientationd.conf $buspolicy/org.orientationd.conf
0644 dist/dbus/org.orientationd.policy /usr/share/polkit-1/actions/org.orientationd.policy
0644 dist/udev/70-orientationd.rules lib/udev/rules.d/70-orientationd.rules
0644 man/orientationd.8 share/man/man8/orientationd.8
0644 man/orientationd-desktops.8 share/man/man8/orientationd-desktops.8
0644 man/orientationctl.1 share/man/man1/orientationctl.1
0644 man/orientationd.sock.5 share/man/man5/orientationd.sock.5
0644 completions-for:bash share/bash-completion/completions/orientationctl
0644 completions-for:zsh share/zsh/site-functions/_orientationctl
0644 completions-for:fish share/fish/vendor_completions.d/orientationctl.fish
0644 dist/completions/orientationd.bash share/bash-completion/completions/orientationd
0644 dist/completions/orientationd.zsh share/zsh/site-functions/_orientationd
0644 dist/completions/orientationd.fish share/fish/vendor_completions.d/orientationd.fish
0644 dist/systemd/examples/network.conf share/doc/orientationd/examples/network.conf
0644 dist/systemd/examples/usb.conf share/doc/orientationd/examples/usb.conf
0644 dist/systemd/examples/serial.conf share/doc/orientationd/examples/serial.conf
0644 dist/udev/examples/61-orientationd-local.hwdb share/doc/orientationd/examples/61-orientationd-local.hwdb
"

echo "$list" | while read -r mode source target; do
    [ -n "$target" ] || continue
    case $target in
    /*) root=$destination ;;
    *) root=$destination$prefix/ ;;
    esac
    case $action in
    install)
        case $source in
        # The tool generates its own completions.
        completions-for:*)
            mkdir -p "$(dirname "$root$target")"
            "$programs/orientationctl" --generate-completion-script "${source#*:}" >"$root$target"
            chmod "$mode" "$root$target"
            ;;
        *) install -D -m "$mode" "$source" "$root$target" ;;
        esac
        case $source in
        "$programs"/*)
            strip "$root$target"
            # A library beside the program would be loaded in place of the system's.
            if readelf -d "$root$target" | grep -q 'R\(UN\)\?PATH'; then
                echo "install.sh: $source: has a RUNPATH; build it with make build" >&2
                exit 1
            fi
            ;;
        *.service | *.conf | */orientationd-desktops)
            sed -i "s|@sbindir@|$prefix/sbin|; s|@datadir@|$prefix/share|; s|@unitdir@|$prefix/lib/systemd/system|" \
                "$root$target"
            ;;
        man/*) sed -i "s|/usr/share/doc|$prefix/share/doc|; s|/usr/sbin|$prefix/sbin|" "$root$target" ;;
        esac
        ;;
    uninstall)
        rm -f "$root$target"
        # Only this package uses these directories.
        case $target in
        share/orientationd/*) rmdir "$root"share/orientationd 2>/dev/null || : ;;
        share/doc/*) rmdir "$root"share/doc/orientationd/examples "$root"share/doc/orientationd 2>/dev/null || : ;;
        esac
        ;;
    *)
        echo "install.sh: '$action' is neither install nor uninstall" >&2
        exit 64
        ;;
    esac
done
