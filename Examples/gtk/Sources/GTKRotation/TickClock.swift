// SPDX-License-Identifier: Apache-2.0

import CGTK
import InterfaceRotation

/// The frames of a widget: GTK's frame clock, which runs with the display and stops while the window is not drawn.
final class TickClock: FrameClock {
    private let widget: Widget

    init(_ widget: Widget) {
        self.widget = widget
        g_object_ref(widget)
    }

    isolated deinit { g_object_unref(widget) }

    func requestFrame(_ body: @escaping @MainActor (Double) -> Void) {
        let callback = Callback { [widget] () -> Void in
            let microseconds = gdk_frame_clock_get_frame_time(gtk_widget_get_frame_clock(widget))
            body(Double(microseconds) / 1_000_000)
        }
        gtk_widget_add_tick_callback(
            widget,
            { _, _, data in
                callBack(data)
                return sourceRemove
            }, Unmanaged.passRetained(callback).toOpaque(), releaseCallback)
    }
}
