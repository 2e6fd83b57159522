// SPDX-License-Identifier: Apache-2.0

import CGTK
import GTKRotation
import InterfaceRotation

/// The widgets of the controllers, of which one is visible.
final class Stack {
    let widget: Widget = gtk_stack_new()

    func add(_ child: Widget) { gtk_stack_add_child(widget.opaque, child) }

    func show(_ child: Widget) { gtk_stack_set_visible_child(widget.opaque, child) }
}

/// Text in pages: any orientation, unless the button locks it.
final class Reader: ViewController {
    private let pages = [
        "Turn the device: the page turns with it, by the rules that UIKit has for an interface. The lines become longer, "
            + "and the buttons stay at the lower edge.",
        "The button “Lock” keeps the page as it is, for reading in bed. Press it again, and the page turns to where the "
            + "device is held.",
        "The film supports landscape only. When it opens, the interface turns, even if the device is upright; when it "
            + "closes, the page has its former orientation.",
    ]
    private let stack: Stack
    private let box: Widget = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)
    private let text: Widget = gtk_label_new(nil)
    private let number: Widget = gtk_label_new(nil)
    private var page = 0
    private var isLocked = false

    init(_ stack: Stack) {
        self.stack = stack
        super.init(title: "Reader")
        stack.add(box)
        let heading: Widget = gtk_label_new("Reader")
        style(heading, "heading")
        gtk_box_append(box.cast(), heading)
        gtk_label_set_wrap(text.opaque, 1)
        style(text, "text")
        gtk_widget_set_vexpand(text, 1)
        gtk_box_append(box.cast(), text)
        gtk_box_append(box.cast(), number)
        gtk_box_append(box.cast(), buttons())
        turnPage()
    }

    private func buttons() -> Widget {
        let row: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        gtk_box_set_homogeneous(row.cast(), 1)
        for (label, name, action) in [
            ("Lock", "lock", { [unowned self] in toggleLock() }),
            ("Film", "film", { [unowned self] in showFilm() }),
            ("Next", "next", { [unowned self] in turnPage() }),
        ] {
            let button: Widget = gtk_button_new_with_label(label)
            style(button, name)
            connect(button, "clicked", action)
            gtk_box_append(row.cast(), button)
        }
        return row
    }

    private func turnPage() {
        gtk_label_set_text(text.opaque, pages[page])
        style(box, "page\(page + 1)", instead: "page\((page + pages.count - 1) % pages.count + 1)")
        page = (page + 1) % pages.count
    }

    private func toggleLock() {
        isLocked.toggle()
        style(box, isLocked ? "locked" : "free", instead: isLocked ? "free" : "locked")
        setNeedsUpdateOfPrefersInterfaceOrientationLocked()
    }

    /// Opens the film, in landscape.
    func showFilm() {
        present(Film(stack))
    }

    override var prefersInterfaceOrientationLocked: Bool { isLocked }

    override func viewWillAppear(_ animated: Bool) { stack.show(box) }
}

/// A film: landscape only.
final class Film: ViewController {
    private let stack: Stack
    private let box: Widget = gtk_overlay_new()

    init(_ stack: Stack) {
        self.stack = stack
        super.init(title: "Film")
        stack.add(box)
        let picture: Widget = gtk_drawing_area_new()
        gtk_drawing_area_set_draw_func(picture.cast(), drawFilm, nil, nil)
        gtk_widget_add_tick_callback(
            picture,
            { picture, _, _ in
                gtk_widget_queue_draw(picture)
                return sourceContinue
            }, nil, nil)
        gtk_overlay_set_child(box.opaque, picture)
        let close: Widget = gtk_button_new_with_label("Close")
        style(close, "close")
        gtk_widget_set_halign(close, GTK_ALIGN_END)
        gtk_widget_set_valign(close, GTK_ALIGN_START)
        connect(close, "clicked") { [unowned self] in end() }
        gtk_overlay_add_overlay(box.opaque, close)
    }

    override var supportedInterfaceOrientations: InterfaceOrientationMask { .landscape }

    private func end() {
        presentingViewController?.dismiss()
    }

    override func viewWillAppear(_ animated: Bool) { stack.show(box) }

    override func viewDidDisappear(_ animated: Bool) { gtk_stack_remove(stack.widget.opaque, box) }
}

/// Draws a sun that moves over a hill.
private nonisolated func drawFilm(
    _: UnsafeMutablePointer<GtkDrawingArea>?, _ context: OpaquePointer?, _ width: Int32, _ height: Int32,
    _: gpointer?
) {
    let (width, height) = (Double(width), Double(height))
    let seconds = Double(g_get_monotonic_time()) / 1_000_000
    cairo_set_source_rgb(context, 0.1, 0.1, 0.25)
    cairo_paint(context)
    cairo_set_source_rgb(context, 1, 0.85, 0.5)
    cairo_arc(
        context, (seconds / 10).truncatingRemainder(dividingBy: 1) * width, height / 3, height / 10, 0, 2 * .pi)
    cairo_fill(context)
    cairo_set_source_rgb(context, 0.1, 0.3, 0.2)
    cairo_rectangle(context, 0, height * 3 / 4, width, height / 4)
    cairo_fill(context)
}
