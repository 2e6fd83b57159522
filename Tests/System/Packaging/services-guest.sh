#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# services-guest.sh openrc|runit: test the service in a Debian without systemd.
set -eu

init=$1
socket=/run/orientationd/orientationd.sock

fail() {
    echo "FAILED  $init: $*" >&2
    ps_list >&2
    exit 1
}
passed() { echo "passed  $init: $*"; }
ps_list() { for entry in /proc/[0-9]*; do tr '\0' ' ' <"$entry/cmdline"; echo; done; }

# Print the process id of the daemon; empty if it does not run.
daemon() {
    for entry in /proc/[0-9]*; do
        if [ "$(readlink "$entry/exe")" = /usr/sbin/orientationd ]; then echo "${entry#/proc/}"; fi
    done
}
# Wait until a command succeeds, at most 60 s.
wait_until() {
    description=$1
    shift
    tries=0
    until "$@" >/dev/null 2>&1; do
        tries=$((tries + 1))
        [ $tries -lt 600 ] || fail "timed out: $description"
        sleep 0.1
    done
}
has_ended() { [ -z "$(daemon)" ]; }
has_another() { [ -n "$(daemon)" ] && [ "$(daemon)" != "$1" ]; }
# The number of reloads in the log, which also has those of earlier tests.
reloads() { grep -sc 'reopening the sensors' "$log" || :; }
has_reloaded() { [ "$(reloads)" -gt "${1:-0}" ]; }
# The state, as a user without rights.
state() { setpriv --reuid 65534 --regid 65534 --clear-groups orientationctl status --json; }

# The accounts, as the documentation says for systems without systemd-sysusers.
getent group orientation >/dev/null || groupadd --system orientation
getent passwd orientationd >/dev/null ||
    useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin orientationd

case $init in
openrc)
    # As after a boot with OpenRC.
    for folder in starting started stopping inactive wasinactive failed hotplugged daemons options exclusive scheduled tmp; do
        mkdir -p /run/openrc/$folder
    done
    touch /run/openrc/softlevel
    # No system log runs here: the service's log is kept in a file.
    work=$(mktemp -d)
    chmod 755 "$work"
    log=$work/orientationd.log
    install -m 0666 /dev/null "$log"
    printf '#!/bin/sh\nexec cat >>%s\n' "$log" >"$work/logger"
    chmod 755 "$work/logger"
    mount --bind "$work/logger" /usr/bin/logger
    echo 'orientationd_args="--sensor fake:"' >/etc/conf.d/orientationd
    rc-update --quiet add orientationd default
    start() { rc-service orientationd start; }
    stop() { rc-service orientationd stop; }
    reload() { rc-service orientationd reload; }
    ;;
runit)
    log=/var/log/orientationd/current
    echo 'OPTIONS="--sensor fake:"' >/etc/sv/orientationd/conf
    mkdir -p /etc/service
    ln -sf /etc/sv/orientationd /etc/service/orientationd
    # As the second stage of runit.
    mkdir -p /run/runit
    runsvdir -P /etc/service &
    start() { wait_until "the supervisor" sv status orientationd && sv start orientationd; }
    stop() { sv stop orientationd; }
    reload() { sv hup orientationd; }
    ;;
esac

start || fail "the service does not start"
wait_until "a socket" test -S $socket
[ "$(stat -c %a:%U $socket)" = 666:orientationd ] || fail "the socket is $(stat -c %a:%U $socket)"
[ "$(stat -c %a:%U /run/orientationd)" = 755:orientationd ] || fail "its folder is $(stat -c %a:%U /run/orientationd)"
[ "$(stat -c %a:%U /var/lib/orientationd)" = 700:orientationd ] || fail "the state is $(stat -c %a:%U /var/lib/orientationd)"
passed "the manager starts the service, which creates its socket"

identity=$(sed -n 's/^\(Uid\|Gid\|Groups\|CapEff\):[[:space:]]*//p' "/proc/$(daemon)/status" | tr '\n\t' '; ')
user=$(id -u orientationd) group=$(id -g orientationd)
case $identity in
"$user $user $user $user;$group $group $group $group;$group ;0000000000000000;" | \
    "$user $user $user $user;$group $group $group $group; ;0000000000000000;") ;;
*) fail "it runs as $identity" ;;
esac
! tr '\0' '\n' <"/proc/$(daemon)/environ" | grep -q '^\(NOTIFY_SOCKET\|LISTEN_FDS\)=' || fail "it has variables of systemd"
[ "$(awk '/Max open files/ { print $4 }' "/proc/$(daemon)/limits")" = 8192 ] || fail "its limit of descriptors is not 8192"
[ "$init" != openrc ] || grep -q '^NoNewPrivs:[[:space:]]*1$' "/proc/$(daemon)/status" || fail "it may gain privileges"
passed "it runs as orientationd, without other groups, capabilities, NOTIFY_SOCKET and LISTEN_FDS, with 8192 descriptors"

orientationctl simulate landscapeLeft >/dev/null
wait_until "landscapeLeft" sh -c 'orientationctl status --json | grep -q "\"orientation\":\"landscapeLeft\""'
state | grep -q '"orientation":"landscapeLeft"' || fail "another user gets $(state)"
passed "another user gets the orientation: $(state | cut -c 1-90)..."

orientationctl lock >/dev/null
before=$(daemon)
kill -KILL "$before"
wait_until "a new daemon" has_another "$before"
wait_until "a state" state
state | grep -q '"locked":true' || fail "the lock is lost: $(state)"
passed "after SIGKILL the manager starts it again, and the rotation lock is kept"

before=$(daemon) count=$(reloads)
reload || fail "cannot reload"
wait_until "a reload in the log" has_reloaded "$count"
[ "$(daemon)" = "$before" ] || fail "a reload ends it"
state >/dev/null || fail "no state after a reload"
passed "a reload opens the sensor again and keeps the process"

stop || fail "the service does not stop"
wait_until "its end" has_ended
[ ! -e $socket ] || fail "the socket remains"
passed "it stops, and removes its socket"

# The remedy of the doctor, as it is printed.
fix=$(orientationctl doctor --json | tr '{' '\n' | sed -n '/"check":"socket"/s/.*"fix":"\([^"]*\)".*/\1/p')
[ -n "$fix" ] || fail "no remedy: $(orientationctl doctor --json)"
sh -c "$fix" || fail "the remedy fails: $fix"
wait_until "a state after '$fix'" state
stop || fail "the service does not stop again"
wait_until "its end" has_ended
passed "remedy restart: $fix"
[ "$init" != runit ] || [ -s /var/log/orientationd/current ] || fail "no log"

# uninstall keeps the administrator's file; remove it so that the folder is removed too.
rm -f /etc/sv/orientationd/conf
INIT=$init /source/Scripts/install.sh uninstall "" /usr >/dev/null
for path in /usr/sbin/orientationd /etc/sv/orientationd /etc/service/orientationd /etc/init.d/orientationd \
    /etc/runlevels/default/orientationd /usr/share/doc/orientationd/docs /usr/share/varlink; do
    [ ! -e $path ] && [ ! -L $path ] || fail "uninstall leaves $path"
done
passed "uninstall removes it from the manager, and documents and interfaces"
