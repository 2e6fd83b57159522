#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh install|uninstall DESTDIR PREFIX [DIRECTORY [COMPONENT]]: install the programs from DIRECTORY with their
# units, rules and documents, or remove them. COMPONENT is orientationd (the daemon and the tool), sensorproxy (the
# replacement of iio-sensor-proxy), autorotate (the session agent), tablet-switch (with systemd only), library (the
# library for C, with what compiling needs), python (its module for Python) or all (the default: to install without
# sensorproxy and python, to remove with them).
#
# Variables: INIT is the service manager, systemd (default), openrc or runit; SBINDIR is the folder of the daemon below
# the prefix (default: sbin), LIBDIR that of the library (default: lib), PYTHONDIR that of modules for Python (default:
# lib/python3/dist-packages), POLICYDIR and ACTIONDIR those of the policies of the bus and of polkit, where the prefix is
# not /usr; STRIP is the program that removes symbols (default: strip); RUNTIME=dynamic is for programs that were built
# so; ORIENTATIONCTL is the tool that prints the completions, if the one in DIRECTORY is for another machine.
set -eu
# Installed files are readable by all users.
umask 022

action=$1
destination=$2
prefix=$3
programs=${4:-}
component=${5:-all}
init=${INIT:-systemd}
sbin=${SBINDIR:-sbin}
lib=${LIBDIR:-lib}
modules=${PYTHONDIR:-lib/python3/dist-packages}
# A RUNPATH that programs must not have: any, or a relative one.
runpaths=.
[ "${RUNTIME:-static}" != dynamic ] || runpaths=':\([^/]\|$\)'
cd "$(dirname "$0")/.."

if [ "$action" = install ]; then
    remedy="make build first, as the user that has Swift"
    case $component in
    library) needed=liborientation.so.0 remedy="make library first" ;;
    sensorproxy) needed=monitor-sensor ;;
    python) needed= ;;
    *) needed="orientationd orientationctl orientation-autorotate orientation-tablet-switch" ;;
    esac
    [ "$component" != all ] || needed="$needed liborientation.so.0"
    for program in $needed; do
        [ -x "$programs/$program" ] && continue
        echo "install: $program not found: run $remedy." >&2
        exit 1
    done
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
*) buspolicy=${POLICYDIR:-/etc/dbus-1/system.d} ;;
esac
actions=${ACTIONDIR:-/usr/share/polkit-1/actions}
# systemd's udev also reads rules in /usr/local, eudev does not.
case $init:$prefix in
systemd:* | *:/usr) udevrules=lib/udev/rules.d ;;
*) udevrules=/etc/udev/rules.d ;;
esac

# rows FOLDER FILE...: the rows of documents and other files below share.
rows() {
    folder=$1
    shift
    for file in "$@"; do
        echo "0644 $file share/$folder/${file##*/}"
    done
}

# What goes where: mode, source, target below the prefix, or below DESTDIR alone where it begins with a slash. Sources in
# programs/ are in DIRECTORY.
orientationd="
0755 programs/orientationd $sbin/orientationd
0755 programs/orientationctl bin/orientationctl
0644 udev/70-orientationd.rules $udevrules/70-orientationd.rules
0755 packaging/revoke-access share/orientationd/revoke-access
0644 man/orientationd.8 share/man/man8/orientationd.8
0644 man/orientationctl.1 share/man/man1/orientationctl.1
0644 man/orientationd.sock.5 share/man/man5/orientationd.sock.5
0644 completions-for:bash share/bash-completion/completions/orientationctl
0644 completions-for:zsh share/zsh/site-functions/_orientationctl
0644 completions-for:fish share/fish/vendor_completions.d/orientationctl.fish
0644 packaging/completions/orientationd.bash share/bash-completion/completions/orientationd
0644 packaging/completions/orientationd.zsh share/zsh/site-functions/_orientationd
0644 packaging/completions/orientationd.fish share/fish/vendor_completions.d/orientationd.fish
$(rows doc/orientationd NOTICE.txt README.md)
$(rows doc/orientationd/docs docs/*.md)
$(rows doc/orientationd/examples udev/examples/61-orientationd-local.hwdb Examples/clients/follow.py Examples/clients/follow_varlink.py \
    Examples/clients/hold.py Examples/clients/*.sh)
$(rows varlink Sources/Protocol/OrientationWire/*.varlink)
"
systemd="
0644 systemd/orientationd.socket lib/systemd/system/orientationd.socket
0644 systemd/orientationd.service lib/systemd/system/orientationd.service
0644 systemd/orientationd.sysusers lib/sysusers.d/orientationd.conf
0644 systemd/orientationd-sensor.target lib/systemd/system/orientationd-sensor.target
"
sensorproxy="
0755 programs/monitor-sensor bin/monitor-sensor
0644 man/monitor-sensor.1 share/man/man1/monitor-sensor.1
0644 dbus/org.orientationd.conf $buspolicy/org.orientationd.conf
0644 dbus/org.orientationd.policy $actions/org.orientationd.policy
"
openrc="
0755 packaging/openrc/orientationd /etc/init.d/orientationd
"
runit="
0755 packaging/runit/run /etc/sv/orientationd/run
0755 packaging/runit/log /etc/sv/orientationd/log/run
"
autorotate="
0755 programs/orientation-autorotate bin/orientation-autorotate
0644 man/orientation-autorotate.1 share/man/man1/orientation-autorotate.1
0644 packaging/completions/orientation-autorotate.bash share/bash-completion/completions/orientation-autorotate
0644 packaging/completions/orientation-autorotate.zsh share/zsh/site-functions/_orientation-autorotate
0644 packaging/completions/orientation-autorotate.fish share/fish/vendor_completions.d/orientation-autorotate.fish
$(rows doc/orientation-autorotate NOTICE.txt)
$(rows doc/orientation-autorotate/examples Examples/autorotate/*)
"
tablet="
0755 programs/orientation-tablet-switch $sbin/orientation-tablet-switch
0644 systemd/orientation-tablet-switch.service lib/systemd/system/orientation-tablet-switch.service
0644 systemd/orientation-tablet-switch.sysusers lib/sysusers.d/orientation-tablet-switch.conf
0644 man/orientation-tablet-switch.8 share/man/man8/orientation-tablet-switch.8
0644 NOTICE.txt share/doc/orientation-tablet-switch/NOTICE.txt
"
library="
0755 programs/liborientation.so.0 $lib/liborientation.so.0
link liborientation.so.0 $lib/liborientation.so
0644 Sources/Client/CLibrary/orientation.h include/orientation.h
0644 Sources/Client/CLibrary/orientation.pc.in $lib/pkgconfig/orientation.pc
0644 man/orientation.3 share/man/man3/orientation.3
$(rows doc/liborientation/examples Examples/clients/*.c Examples/clients/*.go Examples/clients/*.rs)
"
python="
0644 Sources/Client/Python/orientation.py $modules/orientation.py
$(rows doc/python3-orientation/examples Examples/clients/follow_library.py Examples/clients/window.py)
"
# Files of the service manager.
case $init in
systemd)
    orientationd=$orientationd$systemd
    sensorproxy="$sensorproxy
0644 systemd/sensorproxy.conf lib/systemd/system/orientationd.service.d/10-sensorproxy.conf
0644 systemd/sensorproxy-target.conf lib/systemd/system/orientationd-sensor.target.d/10-sensorproxy.conf
"
    autorotate="$autorotate
0644 systemd/orientation-autorotate.service lib/systemd/user/orientation-autorotate.service
"
    ;;
openrc) orientationd=$orientationd$openrc tablet= ;;
runit) orientationd=$orientationd$runit tablet= ;;
*)
    echo "install: invalid INIT '$init': must be systemd, openrc or runit." >&2
    exit 64
    ;;
esac

# Whether the component has the daemon.
has_daemon=false
case $component in
all | orientationd) has_daemon=true ;;
esac
case $component in
all)
    list=$orientationd$autorotate$tablet$library
    [ "$action" = install ] || list=$list$sensorproxy$python
    ;;
orientationd) list=$orientationd ;;
sensorproxy) list=$sensorproxy ;;
autorotate) list=$autorotate ;;
tablet-switch)
    if [ "$init" != systemd ]; then
        echo "install: COMPONENT=tablet-switch has a unit for systemd only: INIT must be systemd." >&2
        exit 64
    fi
    list=$tablet
    ;;
library) list=$library ;;
python) list=$python ;;
*)
    echo "install: invalid COMPONENT '$component': must be all, orientationd, sensorproxy, autorotate, tablet-switch, library or python." >&2
    exit 64
    ;;
esac

if [ "$action" = uninstall ] && [ -z "$destination" ] && [ "$init" = openrc ] && [ -x /etc/init.d/orientationd ]; then
    rc-service orientationd stop || :
    rc-update --all delete orientationd || :
fi
if [ "$action" = uninstall ] && [ -z "$destination" ] && [ "$init" = runit ] && [ -d /etc/sv/orientationd ]; then
    for link in /var/service/orientationd /etc/service/orientationd /service/orientationd; do
        [ "$(readlink "$link" 2>/dev/null)" != /etc/sv/orientationd ] || rm "$link"
    done
    # Ends its supervisor too.
    sv force-shutdown /etc/sv/orientationd || :
    rm -rf /etc/sv/orientationd/supervise /etc/sv/orientationd/log/supervise
fi
# Stop the units before their files are removed.
if [ "$action" = uninstall ] && [ -z "$destination" ] && [ "$init" = systemd ] && [ -d /run/systemd/system ]; then
    case $component in all | tablet-switch) systemctl --quiet disable --now orientation-tablet-switch.service || : ;; esac
    case $component in all | autorotate) systemctl --quiet --global disable orientation-autorotate.service || : ;; esac
    if $has_daemon && [ -x "$prefix/$sbin/orientationd" ]; then
        systemctl --quiet disable --now orientationd.socket orientationd.service || :
        systemctl --quiet stop orientationd-sensor.target || :
    fi
fi
if [ "$action" = uninstall ] && [ -z "$destination" ] && $has_daemon; then
    packaging/revoke-access
    echo "Not removed: the users orientationd and orientation-tablet-switch, the group orientation and /var/lib/orientationd." \
        "To remove them: userdel orientationd; userdel orientation-tablet-switch; groupdel orientation; rm -r /var/lib/orientationd"
fi

current_version() { sed -n 's/.*current = "\(.*\)"/\1/p' Sources/Protocol/OrientationWire/Version.swift; }

echo "$list" | while read -r mode source target; do
    [ -n "$target" ] || continue
    case $target in
    /*) root=$destination ;;
    *) root=$destination$prefix/ ;;
    esac
    case $action in
    install)
        case $source in
        # orientationctl prints its completions. Drops the shebang of the bash script, which is sourced.
        completions-for:*)
            script=$("${ORIENTATIONCTL:-$programs/orientationctl}" --generate-completion-script "${source#*:}")
            mkdir -p "$(dirname "$root$target")"
            printf '%s\n' "$script" | sed '1{/^#!/d;}' >"$root$target"
            chmod "$mode" "$root$target"
            ;;
        programs/*) install -D -m "$mode" "$programs/${source#*/}" "$root$target" ;;
        liborientation.so.0) ln -sf "$source" "$root$target" ;;
        *) install -D -m "$mode" "$source" "$root$target" ;;
        esac
        case $source in
        programs/*)
            ${STRIP:-strip} "$root$target"
            # A library beside the program would be loaded in place of the system's. With RUNTIME=dynamic, Swift's
            # are in a folder of their own.
            if readelf -d "$root$target" | sed -n 's/.*R\(UN\)\?PATH.*\[\(.*\)\]/:\2/p' | grep -q "$runpaths"; then
                echo "install.sh: $programs/${source#*/}: has a RUNPATH; build it with make build, and the same RUNTIME" >&2
                exit 1
            fi
            ;;
        *.service | *.conf | packaging/openrc/* | packaging/runit/*)
            sed -i "s|@sbindir@|$prefix/$sbin|; s|@bindir@|$prefix/bin|" "$root$target"
            ;;
        *.pc.in) sed -i "s|@prefix@|$prefix|; s|@lib@|$lib|; s|@version@|$(current_version)|" "$root$target" ;;
        man/*) sed -i "s|/usr/share/|$prefix/share/|; s|/usr/sbin|$prefix/$sbin|; s|/usr/bin/orientation|$prefix/bin/orientation|" "$root$target" ;;
        esac
        ;;
    uninstall)
        rm -f "$root$target"
        # The folder of the rule depends on INIT, except for the prefix /usr: the file in /etc is the administrator's there.
        case $prefix:$target in
        /usr:*) ;;
        *:*/70-orientationd.rules)
            rm -f "$destination$prefix/lib/udev/rules.d/70-orientationd.rules" \
                "$destination/etc/udev/rules.d/70-orientationd.rules"
            ;;
        esac
        # Only this package uses these directories.
        case $target in
        share/varlink/* | share/orientationd/* | */orientationd.service.d/* | */orientationd-sensor.target.d/*)
            rmdir "$(dirname "$root$target")" 2>/dev/null || :
            ;;
        /etc/sv/orientationd/*) rmdir "$destination/etc/sv/orientationd/log" "$destination/etc/sv/orientationd" 2>/dev/null || : ;;
        share/doc/*)
            folder=${target%/*}
            while [ "$folder" != share/doc ] && rmdir "$root$folder" 2>/dev/null; do folder=${folder%/*}; done
            ;;
        esac
        ;;
    *)
        echo "install.sh: '$action' is neither install nor uninstall" >&2
        exit 64
        ;;
    esac
done

# The linker's cache; a user without root installs into a prefix of its own.
if [ -z "$destination" ] && [ "$(id -u)" -eq 0 ]; then
    ldconfig || :
fi

if [ "$action" = uninstall ] && [ -z "$destination" ] && $has_daemon && [ -e /run/udev/control ]; then
    udevadm control --reload || :
    # Without the rule, sensors no longer request the removed unit.
    udevadm trigger --action=change --subsystem-match=iio --subsystem-match=hwmon --subsystem-match=misc || :
    udevadm trigger --action=change --subsystem-match=input --property-match=ID_INPUT_SWITCH=1 \
        --property-match=ID_INPUT_ACCELEROMETER=1 || :
fi
