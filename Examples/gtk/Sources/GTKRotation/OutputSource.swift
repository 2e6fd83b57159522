// SPDX-License-Identifier: Apache-2.0

import CGTK
import InterfaceRotation
import OrientationModel

/// The output on which a window is, as a source of device orientations.
///
/// The desktop has read the sensor and obeyed its rotation lock, so the app follows the output and not the daemon.
/// Both turn together, and the app does not turn where the desktop did not.
final class OutputSource: DeviceOrientationSource {
    /// Called after the output has changed.
    var onChange: (() -> Void)?

    private let gtkWindow: Widget
    private let outputs: WaylandOutputs?
    /// The shape of the unrotated output; it does not change with a rotation.
    private(set) var shape: PanelShape?
    private weak var device: Device?
    private var timeout: guint = 0

    init(_ gtkWindow: Widget) {
        self.gtkWindow = gtkWindow
        let display = gtk_widget_get_display(gtkWindow)
        outputs = Self.connection(of: display).map { WaylandOutputs($0) }
        outputs?.onChange = { [weak self] in self?.onChange?() }
        shape = unrotatedSize.map { PanelShape(width: $0.width, height: $0.height) }
    }

    /// Returns the connection to the Wayland compositor; nil on another display server.
    private static func connection(of display: OpaquePointer?) -> OpaquePointer? {
        let instance = display.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GTypeInstance.self) }
        guard g_type_check_instance_is_a(instance, gdk_wayland_display_get_type()) != 0 else { return nil }
        return gdk_wayland_display_get_wl_display(display)
    }

    func startUpdating(_ device: Device) {
        self.device = device
        update()
    }

    func stopUpdating(_ device: Device) { self.device = nil }

    /// Completes a turn whose frames have stopped. The daemon's connection does this by itself.
    func wakeUp(_ device: Device, after seconds: Double?) {
        if timeout != 0 { g_source_remove(timeout) }
        timeout = 0
        guard let seconds else { return }
        timeout = wait(seconds) { [weak self, weak device] in
            self?.timeout = 0
            device?.processUpdates()
        }
    }

    /// Sets the device to the orientation of the output.
    func update() {
        guard let rotation, let shape else { return }
        device?.update(DeviceOrientation(rotation.edge(on: shape)))
    }

    /// The rotation of the output; nil if it is not known, as under X11, or mirrored.
    var rotation: DisplayRotation? {
        guard let all = outputs?.all else { return nil }
        let connector = gdk_monitor_get_connector(monitor).map { String(cString: $0) }
        let output = all.count == 1 ? all.first : all.first { $0.name == connector }
        return output?.transform.flatMap { try? DisplayRotation(waylandTransform: $0) }
    }

    /// The size of the output as it is rotated, in logical pixels.
    var size: Size? {
        guard let monitor else { return nil }
        var area = GdkRectangle()
        gdk_monitor_get_geometry(monitor, &area)
        return Size(width: Double(area.width), height: Double(area.height))
    }

    /// The size of the unrotated output, in logical pixels.
    var unrotatedSize: Size? {
        guard let rotation else { return nil }
        return rotation.swapsSides ? size?.swapped : size
    }

    /// The monitor with the window; before the window is shown, the first one.
    private var monitor: OpaquePointer? {
        let display = gtk_widget_get_display(gtkWindow)
        if let surface = gtk_native_get_surface(gtkWindow.opaque),
            let monitor = gdk_display_get_monitor_at_surface(display, surface)
        {
            return monitor
        }
        guard let first = g_list_model_get_item(gdk_display_get_monitors(display), 0) else { return nil }
        // The display keeps its monitors.
        g_object_unref(first)
        return OpaquePointer(first)
    }
}
