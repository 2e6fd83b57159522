# SPDX-License-Identifier: Apache-2.0
"""A D-Bus client that acts as a desktop: watches the name, makes calls, and prints what it receives.

Each line of standard input is a JSON array, a command and its arguments; each line of standard output is a JSON object: an
answer, a signal, or whether the name has an owner.
"""
import collections
import json
import os
import sys

from gi.repository import Gio, GLib

NAME = "net.hadess.SensorProxy"
PATH = "/net/hadess/SensorProxy"
PROPERTIES = "org.freedesktop.DBus.Properties"


def connect():
    return Gio.DBusConnection.new_for_address_sync(
        os.environ["DBUS_SYSTEM_BUS_ADDRESS"],
        Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)


bus = connect()
loop = GLib.MainLoop()
owned = []
clients = []
pending = b""


def send(what, value):
    print(json.dumps({what: value}), flush=True)


def call(path, interface, member, arguments=None):
    def answered(bus, result):
        try:
            values = bus.call_finish(result).unpack()
            send("answer", values[0] if values else "done")
        except GLib.Error as error:
            send("answer", Gio.DBusError.get_remote_error(error) or error.message)

    # Without activation of the name, and without a timeout.
    bus.call(NAME, path, interface, member, arguments, None, Gio.DBusCallFlags.NO_AUTO_START, 2**31 - 1, None, answered)


def connect_clients(member, count):
    """Make a call on each of `count` new connections, and print the number of each answer."""
    answers = collections.Counter()

    def answered(bus, result):
        try:
            bus.call_finish(result)
            answers["done"] += 1
        except GLib.Error as error:
            answers[Gio.DBusError.get_remote_error(error) or error.message] += 1
        if answers.total() == count:
            send("answer", answers)

    for _ in range(count):
        clients.append(connect())
        clients[-1].call(NAME, PATH, NAME, member, None, None, Gio.DBusCallFlags.NO_AUTO_START, 2**31 - 1, None, answered)


def disconnect_clients():
    while clients:
        clients.pop().close_sync(None)
    send("answer", "done")


def own():
    owned.append(Gio.bus_own_name_on_connection(
        bus, NAME, Gio.BusNameOwnerFlags.REPLACE, lambda *_: send("answer", "owned"), lambda *_: send("lost", True)))


def disown():
    Gio.bus_unown_name(owned.pop())
    send("answer", "done")


def read(*_):
    global pending
    data = os.read(sys.stdin.fileno(), 65536)
    *lines, pending = (pending + data).split(b"\n")
    for line in lines:
        execute(*json.loads(line))
    if not data:
        loop.quit()
    return bool(data)


def execute(what, *words):
    if what == "own":
        own()
    elif what == "disown":
        disown()
    elif what == "get":
        call(PATH, PROPERTIES, "Get", GLib.Variant("(ss)", (NAME, words[0])))
    elif what == "all":
        call(PATH, PROPERTIES, "GetAll", GLib.Variant("(s)", (NAME,)))
    elif what == "introspect":
        call(words[0], "org.freedesktop.DBus.Introspectable", "Introspect")
    elif what == "call":
        call(PATH, NAME, words[0])
    elif what == "compass":
        call(PATH + "/Compass", NAME + ".Compass", words[0])
    elif what == "connect_clients":
        connect_clients(words[0], int(words[1]))
    elif what == "disconnect_clients":
        disconnect_clients()


bus.connect("closed", lambda *_: loop.quit())
bus.signal_subscribe(
    None, PROPERTIES, "PropertiesChanged", None, None, Gio.DBusSignalFlags.NONE,
    lambda _bus, _sender, _path, _interface, _name, values: send("signal", values.unpack()[1]))
Gio.bus_watch_name_on_connection(
    bus, NAME, Gio.BusNameWatcherFlags.NONE, lambda *_: send("owner", True), lambda *_: send("owner", False))
GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, read)
loop.run()
