#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Turn the content of a GTK 4 window with the device, where the display does not turn: window.py"""
import gi
gi.require_versions({"Gtk": "4.0", "Graphene": "1.0"})
from gi.repository import GLib, Graphene, Gtk  # noqa: E402
import orientation  # noqa: E402

handle = orientation.Handle()


class Page(Gtk.Widget):
    rotation = 0

    def do_snapshot(self, snapshot):
        snapshot.translate(Graphene.Point().init(self.get_width() / 2, self.get_height() / 2))
        snapshot.rotate(-self.rotation)
        snapshot.append_layout(self.create_pango_layout("This side up"), self.get_style_context().get_color())

    def turn(self, *_):
        state = handle.process()
        if state and state.rotation >= 0:  # -1: unknown, keep the picture as it is
            self.rotation = state.rotation
            self.queue_draw()
        return True


def activate(app):
    window, page = Gtk.Window(application=app), Page()
    GLib.unix_fd_add_full(0, handle.fileno(), GLib.IOCondition.IN, page.turn)
    window.set_child(page)
    window.fullscreen()
    window.present()


app = Gtk.Application()
app.connect("activate", activate)
app.run()
