#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Turn the content of a GTK 4 window with the device, where the display does not turn: window.py"""
import gi
gi.require_version("Gtk", "4.0")
from gi.repository import GLib, Graphene, Gsk, Gtk  # noqa: E402
import orientation  # noqa: E402


def activate(app):
    window, page, label, handle = Gtk.Window(application=app), Gtk.Fixed(), Gtk.Label(label="This side up"), orientation.Handle()
    page.put(label, 0, 0)

    def turn(*_):
        state = handle.process()
        if state and state.rotation >= 0:  # -1: unknown, keep the picture as it is
            middle = Graphene.Point().init(page.get_width() / 2, page.get_height() / 2)
            page.set_child_transform(label, Gsk.Transform().translate(middle).rotate(-state.rotation))
        return True
    GLib.unix_fd_add_full(0, handle.fileno(), GLib.IOCondition.IN, turn)
    window.set_child(page)
    window.fullscreen()
    window.present()


app = Gtk.Application()
app.connect("activate", activate)
app.run()
