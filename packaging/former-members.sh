# SPDX-License-Identifier: Apache-2.0
#
# Part of postinst and install.sh. Prints the commands for an upgrade from a version that had one group, orientationd, for
# the service and for users. Changes nothing: which access a user keeps is the administrator's decision. To be called
# before the group orientation is made; prints nothing where that group exists or the old one has no members.
print_former_members() {
    if getent group orientation >/dev/null || ! getent group orientationd >/dev/null; then return 0; fi
    listed=$(getent group orientationd | cut -d: -f4 | tr , '\n' | sed '/^$/d; /^orientationd$/d')
    primary=$(getent passwd | awk -F: -v group="$(getent group orientationd | cut -d: -f3)" \
        '$4 == group && $1 != "orientationd" { print $1 }')
    [ -n "$listed$primary" ] || return 0
    echo "orientationd: Motion, Control and the rotation lock are now for members of the group orientation; the group"
    echo "orientationd is for the service alone. No membership was changed. To give these users the access that they had:"
    for member in $listed $primary; do echo "    gpasswd -a $member orientation"; done
    echo "They can still open the sensors' device nodes. To end that:"
    for member in $listed; do echo "    gpasswd -d $member orientationd"; done
    for member in $primary; do echo "    usermod -g GROUP $member    # its primary group is orientationd: name another"; done
}
