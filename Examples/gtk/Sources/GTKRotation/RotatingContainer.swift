// SPDX-License-Identifier: Apache-2.0

import CGTK
import InterfaceRotation

/// A widget that shows its only child rotated about the middle.
///
/// GTK draws the child through the transform of its allocation and passes input through the inverse, during a turn too.
/// So every widget works inside. Popovers and menus are surfaces of their own, which are not rotated.
final class RotatingContainer {
    let widget: Widget
    private let child: Widget
    private var angle = 0.0
    private var childSize = Size.zero
    private var size = Size.zero
    private var isAllocating = false

    /// Called with the new size before the child is allocated.
    var onResize: ((Size) -> Void)?
    /// Called after the child is allocated, once for each frame in which the geometry changes.
    var onAllocate: (() -> Void)?

    init(_ child: Widget) {
        self.child = child
        widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN)
        gtk_widget_set_hexpand(widget, 1)
        gtk_widget_set_vexpand(widget, 1)
        gtk_box_append(widget.cast(), child)
        // The functions of the layout find this object by the widget, which keeps it alive.
        g_object_set_data_full(
            widget.cast(), Self.key, Unmanaged.passRetained(self).toOpaque(),
            { data in data.map { Unmanaged<RotatingContainer>.fromOpaque($0).release() } })
        gtk_widget_set_layout_manager(widget, gtk_custom_layout_new(nil, measureContainer, allocateContainer))
    }

    private static let key = "orientationd-rotating-container"

    fileprivate static func of(_ widget: Widget) -> RotatingContainer? {
        g_object_get_data(widget.cast(), key).map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    /// Shows the child in this size, rotated by an angle in degrees; clockwise is positive.
    func show(_ size: Size, rotatedBy angle: Double) {
        guard (childSize, self.angle) != (size, angle) else { return }
        (childSize, self.angle) = (size, angle)
        if !isAllocating { gtk_widget_queue_allocate(widget) }
    }

    /// The minimum and the natural width, which are the heights too: the child must fit upright and on its side.
    fileprivate func measure() -> (minimum: Int32, natural: Int32) {
        var result: (minimum: Int32, natural: Int32) = (0, 0)
        for orientation in [GTK_ORIENTATION_HORIZONTAL, GTK_ORIENTATION_VERTICAL] {
            var (minimum, natural): (Int32, Int32) = (0, 0)
            gtk_widget_measure(child, orientation, -1, &minimum, &natural, nil, nil)
            result = (max(result.minimum, minimum), max(result.natural, natural))
        }
        return result
    }

    fileprivate func allocate(_ width: Int32, _ height: Int32) {
        let new = Size(width: Double(width), height: Double(height))
        isAllocating = true
        if new != size {
            size = new
            onResize?(new)
        }
        isAllocating = false
        var middle = graphene_point_t(x: Float(new.width / 2), y: Float(new.height / 2))
        var corner = graphene_point_t(x: Float(-childSize.width / 2), y: Float(-childSize.height / 2))
        var transform = gsk_transform_translate(nil, &middle)
        transform = gsk_transform_rotate(transform, Float(angle))
        transform = gsk_transform_translate(transform, &corner)
        gtk_widget_allocate(child, Int32(childSize.width), Int32(childSize.height), -1, transform)
        onAllocate?()
    }
}

private nonisolated func measureContainer(
    _ widget: Widget?, _: GtkOrientation, _: Int32, _ minimum: UnsafeMutablePointer<Int32>?,
    _ natural: UnsafeMutablePointer<Int32>?, _: UnsafeMutablePointer<Int32>?, _: UnsafeMutablePointer<Int32>?
) {
    nonisolated(unsafe) let widget = widget
    let size = MainActor.assumeIsolated { widget.flatMap { RotatingContainer.of($0)?.measure() } }
    minimum?.pointee = size?.minimum ?? 0
    natural?.pointee = size?.natural ?? 0
}

private nonisolated func allocateContainer(_ widget: Widget?, _ width: Int32, _ height: Int32, _: Int32) {
    nonisolated(unsafe) let widget = widget
    MainActor.assumeIsolated {
        guard let widget else { return }
        RotatingContainer.of(widget)?.allocate(width, height)
    }
}
