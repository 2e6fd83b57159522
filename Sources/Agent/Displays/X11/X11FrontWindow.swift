// SPDX-License-Identifier: Apache-2.0

internal import CXCB

/// The window in front of an X server: the properties of EWMH that window managers set on the root window and on windows.
///
/// A window can be closed while it is read: the server refuses requests for it with BadWindow, and the window counts as
/// absent.
final class X11FrontWindow {
    private let connection: X11Connection
    private let atoms: Atoms
    /// The windows whose events are selected: the one with the focus, and those that it is a dialog of.
    private var watched: Set<xcb_window_t> = []
    /// The window that was in front last; 0 for none.
    private var latest: xcb_window_t = 0
    /// The names of the outputs of these windows: each keeps its own as long as it shows a part of the window.
    private var outputNames: [xcb_window_t: String] = [:]

    private struct Atoms {
        let activeWindow, currentDesktop, supported, state: xcb_atom_t
        let fullscreen, maximizedHorizontally, maximizedVertically: xcb_atom_t

        init(_ connection: X11Connection) throws(X11Failure) {
            activeWindow = try connection.atom("_NET_ACTIVE_WINDOW")
            currentDesktop = try connection.atom("_NET_CURRENT_DESKTOP")
            supported = try connection.atom("_NET_SUPPORTED")
            state = try connection.atom("_NET_WM_STATE")
            fullscreen = try connection.atom("_NET_WM_STATE_FULLSCREEN")
            maximizedHorizontally = try connection.atom("_NET_WM_STATE_MAXIMIZED_HORZ")
            maximizedVertically = try connection.atom("_NET_WM_STATE_MAXIMIZED_VERT")
        }
    }

    /// The greatest sizes of properties in units of 4 bytes; the rest of a longer property is not read.
    private enum Length {
        static let window: UInt32 = 1
        static let supported: UInt32 = 1_024
        static let states: UInt32 = 64
        /// Instance and class, each with a terminating zero byte.
        static let windowClass = UInt32(2 * (FrontWindow.maximumNameLength + 1) / 4)
    }

    /// Selects the events of the root window.
    init(_ connection: X11Connection) throws(X11Failure) {
        self.connection = connection
        atoms = try Atoms(connection)
        select(XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue, of: connection.root)
    }

    /// Whether another window may be in front after an event, or the same one with other properties.
    func isChange(_ event: UnsafePointer<xcb_generic_event_t>) -> Bool {
        switch Int32(event.pointee.response_type & 0x7f) {
        case XCB_PROPERTY_NOTIFY:
            let atom = event.withMemoryRebound(to: xcb_property_notify_event_t.self, capacity: 1) { $0.pointee.atom }
            return [
                atoms.activeWindow, atoms.currentDesktop, atoms.supported, atoms.state,
                XCB_ATOM_WM_CLASS.rawValue, XCB_ATOM_WM_TRANSIENT_FOR.rawValue,
            ].contains(atom)
        case XCB_CONFIGURE_NOTIFY, XCB_DESTROY_NOTIFY, XCB_UNMAP_NOTIFY: return true
        default: return false
        }
    }

    /// Reads the window in front, and selects its events. `outputs` are the screen's.
    func read(_ outputs: [Output]) throws(X11Failure) -> DisplayEvent {
        let active = property(atoms.activeWindow, XCB_ATOM_WINDOW.rawValue, Length.window, of: connection.root)
        let supported = property(atoms.supported, XCB_ATOM_ATOM.rawValue, Length.supported, of: connection.root)
        let focused = try value(active, UInt32.self)?.first ?? 0
        guard try value(supported, UInt32.self)?.contains(atoms.activeWindow) == true else {
            return .frontWindowUnsupported(
                "The X server does not report the window in front: no window manager sets _NET_ACTIVE_WINDOW; apps can "
                    + "only hold orientations.")
        }
        return .frontWindow(try readFront(focused, outputs))
    }

    /// Reads the window with the focus, or the topmost one that it is a dialog of. Without a focus, the last one, if it
    /// still fills its output.
    private func readFront(_ focused: xcb_window_t, _ outputs: [Output]) throws(X11Failure) -> FrontWindow? {
        var front: FrontWindow?
        var visited: Set<xcb_window_t> = []
        var next = focused
        if focused == 0, latest != 0 {
            if try isViewable(latest), let (window, _) = try readWindow(latest, outputs), window.state > .normal {
                return window
            }
            latest = 0
        }
        while next != 0, next != connection.root, visited.count <= WindowTable.parentDepth, !visited.contains(next) {
            // The events first: no change is missed.
            if !watched.contains(next) {
                select(XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue, of: next)
            }
            visited.insert(next)
            guard let (window, parent) = try readWindow(next, outputs) else { break }
            front = window
            latest = next
            next = parent
        }
        for window in watched.subtracting(visited) { select(XCB_EVENT_MASK_NO_EVENT.rawValue, of: window) }
        watched = visited
        outputNames = outputNames.filter { visited.contains($0.key) }
        connection.flush()
        return front
    }

    /// Reads a window and the one that it is a dialog of, or 0; nil if it was closed.
    private func readWindow(
        _ window: xcb_window_t, _ outputs: [Output]
    ) throws(X11Failure) -> (FrontWindow, parent: xcb_window_t)? {
        // All requests before the first reply: one round trip.
        let names = property(XCB_ATOM_WM_CLASS.rawValue, XCB_ATOM_STRING.rawValue, Length.windowClass, of: window)
        let states = property(atoms.state, XCB_ATOM_ATOM.rawValue, Length.states, of: window)
        let parent = property(
            XCB_ATOM_WM_TRANSIENT_FOR.rawValue, XCB_ATOM_WINDOW.rawValue, Length.window, of: window)
        let size = xcb_get_geometry(connection.handle, window)
        let position = xcb_translate_coordinates(connection.handle, window, connection.root, 0, 0)
        let (instance, className) = try Self.names(in: value(names, UInt8.self) ?? [])
        let state = try state(of: value(states, UInt32.self) ?? [])
        let owner = try value(parent, UInt32.self)?.first ?? 0
        let area = try connection.replyIfAccepted(to: size.sequence, xcb_get_geometry_reply_t.self) {
            reply, _ in (width: Int(reply.width), height: Int(reply.height))
        }
        let corner = try connection.replyIfAccepted(to: position.sequence, xcb_translate_coordinates_reply_t.self) {
            reply, _ in (x: Int(reply.dst_x), y: Int(reply.dst_y))
        }
        guard let area, let corner else { return nil }
        let frame = LayoutRectangle(x: corner.x, y: corner.y, width: area.width, height: area.height)
        let shown = Layout.outputs(showing: frame, in: outputs)
        if outputNames[window].map({ !shown.contains($0) }) ?? true { outputNames[window] = shown.first }
        let front = FrontWindow(
            id: UInt64(window), appID: className, instance: instance, state: state, output: outputNames[window])
        return (front, owner)
    }

    /// Whether a window and all that contain it are mapped: not minimized, and on the current desktop.
    private func isViewable(_ window: xcb_window_t) throws(X11Failure) -> Bool {
        let attributes = xcb_get_window_attributes(connection.handle, window)
        return try connection.replyIfAccepted(to: attributes.sequence, xcb_get_window_attributes_reply_t.self) {
            reply, _ in Int(reply.map_state) == Int(XCB_MAP_STATE_VIEWABLE.rawValue)
        } ?? false
    }

    private func state(of atoms: [xcb_atom_t]) -> FrontWindow.State {
        if atoms.contains(self.atoms.fullscreen) { return .fullscreen }
        let isMaximized =
            atoms.contains(self.atoms.maximizedHorizontally) && atoms.contains(self.atoms.maximizedVertically)
        return isMaximized ? .maximized : .normal
    }

    /// The instance and the class in a property `WM_CLASS`: two texts, each with a terminating zero byte.
    static func names(in bytes: [UInt8]) -> (instance: String?, className: String?) {
        let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        // Without its zero byte, a text is cut off.
        let texts = parts.dropLast().map { part in
            // The property is Latin-1; toolkits write UTF-8.
            FrontWindow.name(
                String(validating: part, as: UTF8.self)
                    ?? String(String.UnicodeScalarView(part.map { Unicode.Scalar($0) })))
        }
        return (texts.first ?? nil, texts.dropFirst().first ?? nil)
    }

    /// Selects events of a window. The server's refusal arrives as an event, which is ignored.
    private func select(_ mask: UInt32, of window: xcb_window_t) {
        xcb_change_window_attributes(connection.handle, window, XCB_CW_EVENT_MASK.rawValue, [mask])
    }

    private func property(
        _ name: xcb_atom_t, _ type: xcb_atom_t, _ length: UInt32, of window: xcb_window_t
    ) -> xcb_get_property_cookie_t {
        xcb_get_property(connection.handle, 0, window, name, type, 0, length)
    }

    /// The items of a property; nil if it has none of this size, or the window was closed.
    private func value<Item>(_ cookie: xcb_get_property_cookie_t, _: Item.Type) throws(X11Failure) -> [Item]? {
        try connection.replyIfAccepted(to: cookie.sequence, xcb_get_property_reply_t.self) {
            Int($0.format) == MemoryLayout<Item>.size * 8 ? $1.read(Item.self, count: Int($0.value_len)) : []
        }
    }
}
