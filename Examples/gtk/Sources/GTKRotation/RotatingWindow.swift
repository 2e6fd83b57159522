// SPDX-License-Identifier: Apache-2.0

import CGTK
import Glibc
import InterfaceRotation
import OrientationClient
import OrientationModel

/// A GTK window whose content turns by the rules of `InterfaceRotation`.
///
///     let view = RotatingWindow(content, size: Size(width: 480, height: 800), rotator: .application)
///     let application = Application(
///         screen: view.screen, frameClock: view.frameClock, launchState: view.launchState)
///     let window = Window(application: application)
///     window.rootViewController = controller
///     try view.show(window)
///
/// GTK owns the window, which keeps this object until `gtk_window_destroy`.
public final class RotatingWindow: WindowSurface {
    /// The GTK window; not valid after `gtk_window_destroy`.
    public let gtkWindow: Widget
    /// The panel: the window itself if the app rotates its picture, else the area that the compositor gives to a
    /// maximized window, as it is without rotation.
    public let screen: Screen
    /// The frames of the window.
    public let frameClock: any FrameClock
    /// Called for each frame in which the geometry changes, after the content is placed.
    public var onFrame: ((Picture) -> Void)?

    private let container: RotatingContainer
    /// What the interface follows under a compositor; nil if it follows the daemon.
    private let output: OutputSource?
    private var window: Window?
    private var picture: Picture?
    private var size: Size
    /// Whether the window has the whole screen, so that its content turns.
    private var isFilling = true
    /// The GLib source that watches the connection to the daemon; 0 if there is none.
    private var watchSource: guint = 0

    /// Creates a hidden window.
    ///
    /// - Parameters:
    ///   - content: The widget to show and to turn.
    ///   - size: The size of the content, unrotated.
    ///   - rotator: `.application` in a kiosk: the window is the panel. `.compositor` if the desktop or
    ///     orientation-autorotate rotates the output: the app applies only the remaining rotation.
    public init(_ content: Widget, size: Size, rotator: Screen.Rotator) {
        self.size = size
        container = RotatingContainer(content)
        gtkWindow = gtk_window_new()
        gtk_window_set_default_size(gtkWindow.cast(), Int32(size.width), Int32(size.height))
        gtk_window_set_child(gtkWindow.cast(), container.widget)
        frameClock = TickClock(container.widget)
        output = rotator == .compositor ? OutputSource(gtkWindow) : nil
        screen = Screen(size: output?.unrotatedSize ?? size, rotator: rotator)
        connectWidgets()
    }

    isolated deinit { stopWatching() }

    /// The state of the daemon for the first frame; nil under a compositor, or if the daemon does not reply within a
    /// second.
    public var launchState: OrientationState? {
        output == nil ? try? OrientationConnection.current(timeout: .seconds(1)) : nil
    }

    /// Draws a window of the application from now on, which follows the size and the state of the GTK window, and opens
    /// it. A second call replaces the window and its connection.
    /// With `followsDevice: false` nothing connects to the daemon, and the interface does not turn with the device.
    public func show(_ window: Window, followsDevice: Bool = true) throws {
        self.window?.surface = nil
        self.window = window
        window.surface = self
        if followsDevice { try follow(window) }
        try window.tryMakeKeyAndVisible()
        gtk_window_present(gtkWindow.cast())
    }

    /// Connects the device to its source.
    private func follow(_ window: Window) throws {
        guard let device = window.application?.device else { return }
        if let output {
            output.onChange = { [weak self] in self?.geometryDidChange() }
            device.source = output
        } else {
            let connection = try OrientationConnection()
            device.follow(connection)
            let source = device.source
            stopWatching()
            // The closure keeps the source and its connection, so the descriptor is open while it is watched.
            watchSource = watch(connection.fileDescriptor) { [weak self, weak device] in
                guard let device, device.source === source else { self?.stopWatching(); return }
                device.processUpdates()
            }
        }
    }

    private func stopWatching() {
        if watchSource != 0 { g_source_remove(watchSource) }
        watchSource = 0
    }

    /// Connects the signals. The application is suspended while its window cannot be seen.
    private func connectWidgets() {
        container.onResize = { [weak self] size in
            self?.size = size
            self?.geometryDidChange()
        }
        container.onAllocate = { [weak self] in
            if let self, let picture { onFrame?(picture) }
        }
        connect(gtkWindow, "realize") { [weak self] in
            guard let self, let surface = gtk_native_get_surface(gtkWindow.opaque) else { return }
            connect(UnsafeMutableRawPointer(surface), "notify::state") { [weak self] in self?.stateDidChange() }
        }
        connect(gtkWindow, "unmap") { [weak self] in self?.window?.application?.suspend() }
        connect(gtkWindow, "map") { [weak self] in self?.window?.application?.resume() }
        // This closure keeps the object. GTK releases it with the window.
        connect(gtkWindow, "destroy") { [self] in
            stopWatching()
            window?.surface = nil
            window = nil
        }
    }

    private func stateDidChange() {
        if state.contains(GDK_TOPLEVEL_STATE_MINIMIZED) || state.contains(suspended) {
            window?.application?.suspend()
        } else {
            window?.application?.resume()
        }
        geometryDidChange()
    }

    private var state: GdkToplevelState {
        guard let surface = gtk_native_get_surface(gtkWindow.opaque) else { return GdkToplevelState(0) }
        return gdk_toplevel_get_state(surface)
    }

    /// Applies size, state and output transform to the window of the application.
    private func geometryDidChange() {
        guard let window else { return }
        guard screen.rotator == .compositor else {
            return screen.resize(to: size)
        }
        let fills = state.contains(GDK_TOPLEVEL_STATE_MAXIMIZED) || state.contains(GDK_TOPLEVEL_STATE_FULLSCREEN)
        let hasOutput = size == output?.size || size.swapped == output?.size
        guard let rotation = output?.rotation, fills || hasOutput else {
            isFilling = false
            window.interfaceFrame = Rect(size: size)
            return place()
        }
        let unrotated = rotation.swapsSides ? size.swapped : size
        // The compositor rotates the output before it resizes the window, or after.
        guard PanelShape(width: unrotated.width, height: unrotated.height) == output?.shape else { return }
        isFilling = true
        window.application?.withoutAnimation {
            screen.outputTransform = rotation
            screen.resize(to: unrotated)
            window.frame = screen.fixedBounds
            output?.update()
        }
        place()
    }

    /// Keeps the picture for the next frame; called by the window of the application.
    public func window(_ window: Window, shows picture: Picture) {
        self.picture = picture
        place()
    }

    private func place() {
        guard isFilling, let picture else { return container.show(size, rotatedBy: 0) }
        container.show(picture.bounds.size, rotatedBy: picture.transform.angle)
    }
}

/// `GDK_TOPLEVEL_STATE_SUSPENDED` of GTK 4.12: the window cannot be seen.
private let suspended = GdkToplevelState(1 << 16)

extension GdkToplevelState {
    fileprivate func contains(_ other: GdkToplevelState) -> Bool { rawValue & other.rawValue != 0 }
}

extension Transform {
    /// The angle of a rotation, in degrees.
    fileprivate var angle: Double { atan2(b, a) * 180 / .pi }
}
