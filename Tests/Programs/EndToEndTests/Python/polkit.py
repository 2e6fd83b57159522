# SPDX-License-Identifier: Apache-2.0
"""A replacement of polkit that gives every check the same answer and prints its subject.

The argument is the answer: allow, deny, silent; own, which permits checks of the daemon's own action only; or deny-theirs,
which refuses iio-sensor-proxy's action.
"""
import os
import sys

from gi.repository import Gio, GLib

INTERFACE = Gio.DBusNodeInfo.new_for_xml("""
<node><interface name="org.freedesktop.PolicyKit1.Authority"><method name="CheckAuthorization">
<arg type="(sa{sv})" direction="in"/><arg type="s" direction="in"/><arg type="a{ss}" direction="in"/>
<arg type="u" direction="in"/><arg type="s" direction="in"/><arg type="(bba{ss})" direction="out"/>
</method></interface></node>""").interfaces[0]
answer = sys.argv[1]


def asked(_bus, _sender, _path, _interface, _method, arguments, invocation):
    (kind, details), action, _, flags, _ = arguments.unpack()
    print(kind, details["name"], action, flags, flush=True)
    is_theirs = not action.startswith("org.orientationd.")
    if answer == "own" and is_theirs:
        invocation.return_dbus_error("org.freedesktop.PolicyKit1.Error.NotAuthorized", "Only trusted callers")
    elif answer != "silent":
        is_denied = answer == "deny" or answer == "deny-theirs" and is_theirs
        invocation.return_value(GLib.Variant("((bba{ss}))", ((not is_denied, False, {}),)))


bus = Gio.DBusConnection.new_for_address_sync(
    os.environ["DBUS_SYSTEM_BUS_ADDRESS"],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
loop = GLib.MainLoop()
bus.connect("closed", lambda *_: loop.quit())
bus.register_object("/org/freedesktop/PolicyKit1/Authority", INTERFACE, asked, None, None)
Gio.bus_own_name_on_connection(
    bus, "org.freedesktop.PolicyKit1", Gio.BusNameOwnerFlags.ALLOW_REPLACEMENT | Gio.BusNameOwnerFlags.REPLACE,
    lambda *_: print("ready", flush=True), None)
loop.run()
