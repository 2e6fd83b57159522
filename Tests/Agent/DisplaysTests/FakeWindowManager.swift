// SPDX-License-Identifier: Apache-2.0

import CXCB

@testable import Displays

/// A client of an X server that creates windows, and sets the properties that a window manager sets.
final class FakeWindowManager {
    private let connection: X11Connection
    private var windows: [Int: xcb_window_t] = [:]

    init(_ display: String) throws {
        connection = try X11Connection(to: display)
        try set("_NET_SUPPORTED", XCB_ATOM_ATOM.rawValue, [connection.atom("_NET_ACTIVE_WINDOW")], of: connection.root)
    }

    /// Creates, changes and destroys windows, and sets the one with the focus.
    func show(_ new: [TestWindow]) throws {
        for (id, window) in windows where !new.contains(where: { $0.id == id }) {
            xcb_destroy_window(connection.handle, window)
            windows[id] = nil
        }
        for window in new {
            let xid = windows[window.id] ?? create()
            windows[window.id] = xid
            if let appID = window.appID {
                let bytes = Array((window.instance ?? "instance").utf8) + [0] + Array(appID.utf8) + [0]
                xcb_change_property(
                    connection.handle, UInt8(XCB_PROP_MODE_REPLACE.rawValue), xid, XCB_ATOM_WM_CLASS.rawValue,
                    XCB_ATOM_STRING.rawValue, 8, UInt32(bytes.count), bytes)
            }
            let states = [
                [], ["_NET_WM_STATE_MAXIMIZED_HORZ", "_NET_WM_STATE_MAXIMIZED_VERT"], ["_NET_WM_STATE_FULLSCREEN"],
            ][window.state.rawValue]
            if window.isMinimized {
                xcb_unmap_window(connection.handle, xid)
            } else {
                xcb_map_window(connection.handle, xid)
            }
            try set("_NET_WM_STATE", XCB_ATOM_ATOM.rawValue, states.map { try connection.atom($0) }, of: xid)
            let parent = window.parent.flatMap { windows[$0] }.map { [$0] } ?? []
            try set("WM_TRANSIENT_FOR", XCB_ATOM_WINDOW.rawValue, parent, of: xid)
        }
        setActive(new.first(where: \.isFocused).flatMap { windows[$0.id] } ?? 0)
    }

    /// Destroys the window with the focus, and leaves it in the property of the root window.
    func destroyWithoutNotice(_ id: Int) {
        if let window = windows.removeValue(forKey: id) { xcb_destroy_window(connection.handle, window) }
        connection.flush()
    }

    /// Sets the window with the focus, which need not exist.
    func setActive(_ window: xcb_window_t) {
        try? set("_NET_ACTIVE_WINDOW", XCB_ATOM_WINDOW.rawValue, [window], of: connection.root)
        connection.flush()
    }

    private func create() -> xcb_window_t {
        let window = xcb_generate_id(connection.handle)
        xcb_create_window(
            connection.handle, 0, window, connection.root, 10, 10, 200, 100, 0,
            UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), 0, 0, nil)
        return window
    }

    private func set(_ name: String, _ type: xcb_atom_t, _ values: [UInt32], of window: xcb_window_t) throws {
        xcb_change_property(
            connection.handle, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, try connection.atom(name), type, 32,
            UInt32(values.count), values)
    }
}
