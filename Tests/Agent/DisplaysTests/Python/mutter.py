# SPDX-License-Identifier: Apache-2.0
"""A session bus service with the interface org.gnome.Mutter.DisplayConfig: an internal panel and a monitor beside it.

    mutter.py ADDRESS    prints `ready`, then each configuration; commands on standard input: change, refuse, malformed, end
"""
import sys

from gi.repository import Gio, GLib

NAME, PATH = "org.gnome.Mutter.DisplayConfig", "/org/gnome/Mutter/DisplayConfig"
INTERFACE = f"""<node><interface name="{NAME}">
<method name="GetCurrentState"><arg name="serial" direction="out" type="u"/>
<arg name="monitors" direction="out" type="a((ssss)a(siiddada{{sv}})a{{sv}})"/>
<arg name="logical" direction="out" type="a(iiduba(ssss)a{{sv}})"/><arg name="properties" direction="out" type="a{{sv}}"/>
</method>
<method name="ApplyMonitorsConfig"><arg direction="in" type="u"/><arg direction="in" type="u"/>
<arg direction="in" type="a(iiduba(ssa{{sv}}))"/><arg direction="in" type="a{{sv}}"/></method>
<signal name="MonitorsChanged"/></interface></node>"""

MODES = {"eDP-1": [("1280x800@60", 1280, 800), ("640x400@60", 640, 400)], "HDMI-1": [("1920x1080@60", 1920, 1080)]}
serial = 7
scale_of = {"eDP-1": 2.0, "HDMI-1": 1.0}
logical = [(0, 0, 2.0, 0, True, ["eDP-1"]), (640, 0, 1.0, 0, False, ["HDMI-1"])]
refuses = malformed = False
connection = Gio.DBusConnection.new_for_address_sync(
    sys.argv[1],
    Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)


def names(connector):
    return (connector, "ACME", f"Model {connector}", "0001")


def state():
    monitors = []
    for connector, modes in MODES.items():
        rows = [(identifier, width, height, 60.0, 1.0, [1.0, 2.0],
                 {"is-current": GLib.Variant("b", True), "other": GLib.Variant("as", ["x"])} if index == 0 else {})
                for index, (identifier, width, height) in enumerate(modes)]
        properties = {"is-builtin": GLib.Variant("b", connector == "eDP-1")}
        if connector == "eDP-1":
            properties["display-name"] = GLib.Variant("s", "Built-in display")
        monitors.append((names(connector), rows, properties))
    # There are eight transforms.
    rows = [(x, y, scale, 8 if malformed else transform, primary, [names(connector) for connector in connectors], {})
            for x, y, scale, transform, primary, connectors in logical]
    properties = {"layout-mode": GLib.Variant("u", 1), "supports-changing-layout-mode": GLib.Variant("b", True)}
    return GLib.Variant("(ua((ssss)a(siiddada{sv})a{sv})a(iiduba(ssss)a{sv})a{sv})", (serial, monitors, rows, properties))


def changed():
    global serial
    serial += 1
    connection.emit_signal(None, PATH, NAME, "MonitorsChanged", None)


def called(_connection, _sender, _path, _interface, method, arguments, call):
    global logical
    if method == "GetCurrentState":
        return call.return_value(state())
    number, kind, rows, properties = arguments.unpack()
    if number != serial:
        return call.return_dbus_error("org.freedesktop.DBus.Error.AccessDenied", "based on stale information")
    if refuses:
        return call.return_dbus_error("org.freedesktop.DBus.Error.InvalidArgs", "Logical monitors not adjacent")
    logical = [(x, y, scale, transform, primary, [connector for connector, _, _ in monitors])
               for x, y, scale, transform, primary, monitors in rows]
    print(kind, properties, rows, flush=True)
    call.return_value(None)
    changed()


def command(stream, _condition):
    global logical, refuses, malformed
    line = stream.readline().strip()
    if line in ("", "end"):
        loop.quit()
        return False
    if line == "refuse":
        refuses = True
    elif line == "malformed":
        malformed = True
        changed()
    else:
        logical = [(0, 0, 2.0, 0, True, ["eDP-1"])]
        changed()
    print("done", flush=True)
    return True


loop = GLib.MainLoop()
connection.register_object(PATH, Gio.DBusNodeInfo.new_for_xml(INTERFACE).interfaces[0], called, None, None)
connection.call_sync("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                     GLib.Variant("(su)", (NAME, 0)), None, Gio.DBusCallFlags.NONE, -1, None)
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, command)
print("ready", flush=True)
loop.run()
