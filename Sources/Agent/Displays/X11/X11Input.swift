// SPDX-License-Identifier: Apache-2.0

internal import CXCB
internal import Systemd

/// Reads and sets the matrices of the touch screens and pens of an X server: ``X11DeviceMap`` decides which.
final class X11Input {
    private let connection: X11Connection
    private let matrixProperty: xcb_atom_t
    private let nodeProperty: xcb_atom_t
    private let float: xcb_atom_t
    private var devices = X11DeviceMap()

    /// The greatest number of devices that are mapped.
    private static let mostDevices = 256

    /// Selects the events of devices; nil if the server has no XInput 2.2.
    init?(_ connection: X11Connection) throws(X11Failure) {
        self.connection = connection
        let handle = connection.handle
        guard let found = cxcb_xinput(handle), found.pointee.present != 0 else { return nil }
        let version = xcb_input_xi_query_version(handle, 2, 2)
        let isNew = try connection.replyIfAccepted(to: version.sequence, xcb_input_xi_query_version_reply_t.self) {
            reply, _ in (reply.major_version, reply.minor_version) >= (2, 2)
        }
        guard isNew == true else { return nil }
        matrixProperty = try connection.atom("Coordinate Transformation Matrix")
        nodeProperty = try connection.atom("Device Node")
        float = try connection.atom("FLOAT")
        // The mask follows its length, in words.
        let mask: [UInt16] = [
            0, 1, UInt16(truncatingIfNeeded: XCB_INPUT_XI_EVENT_MASK_HIERARCHY.rawValue), 0,
        ]
        let root = connection.root
        let cookie = mask.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: xcb_input_event_mask_t.self) {
                xcb_input_xi_select_events_checked(handle, root, 1, $0.baseAddress)
            }
        }
        try connection.check(cookie)
    }

    /// Whether an event means that a device was added or enabled.
    func isDeviceEvent(_ event: UnsafePointer<xcb_generic_event_t>) -> Bool {
        guard event.pointee.response_type & 0x7f == XCB_GE_GENERIC, let opcode = cxcb_xinput(connection.handle) else {
            return false
        }
        return event.withMemoryRebound(to: xcb_input_hierarchy_event_t.self, capacity: 1) { event in
            let added =
                XCB_INPUT_HIERARCHY_MASK_SLAVE_ADDED.rawValue | XCB_INPUT_HIERARCHY_MASK_DEVICE_ENABLED.rawValue
            return event.pointee.extension == opcode.pointee.major_opcode
                && event.pointee.event_type == UInt16(XCB_INPUT_HIERARCHY) && event.pointee.flags & added != 0
        }
    }

    /// Reads the list of devices and their matrices.
    func scan(_ screen: X11Screen) throws(X11Failure) {
        let cookie = xcb_input_xi_query_device(connection.handle, UInt16(XCB_INPUT_DEVICE_ALL.rawValue))
        let found = try connection.reply(to: cookie.sequence, xcb_input_xi_query_device_reply_t.self) {
            X11InputDevice.all(in: &$1, count: Int($0.num_infos))
        }
        var known: [(X11InputDevice, TouchMatrix)] = []
        for device in found.prefix(Self.mostDevices) {
            if let matrix = try matrix(of: device) { known.append((device, matrix)) }
        }
        try devices.update(known, on: screen) { device throws(X11Failure) in
            try node(of: device).flatMap(Self.millimeters)
        }
    }

    /// Maps each device to its output: the panel with this name, or the other one that it belongs to.
    func map(to panel: String, on screen: X11Screen) throws(X11Failure) {
        for (identifier, matrix) in devices.changes(to: panel, on: screen) {
            do throws(X11Failure) {
                try set(matrix, of: identifier)
                devices.wasSet(matrix, of: identifier)
            } catch .refused {
                // The device was removed meanwhile.
                devices.wasRemoved(identifier)
            }
        }
    }

    /// The size of a device node's device in millimeters, from udev; nil if unknown.
    private static func millimeters(node: String) -> LayoutSize? {
        guard let name = node.split(separator: "/").last.map(String.init),
            // After a failure the size is unknown, as for a device that states none.
            let properties = try? DeviceDatabase.properties(
                of: name, subsystem: "input", ["ID_INPUT_WIDTH_MM", "ID_INPUT_HEIGHT_MM"]),
            let width = properties["ID_INPUT_WIDTH_MM"].flatMap({ Int($0) }), width > 0,
            let height = properties["ID_INPUT_HEIGHT_MM"].flatMap({ Int($0) }), height > 0
        else { return nil }
        return LayoutSize(width: width, height: height)
    }
}

/// The properties of devices.
extension X11Input {
    /// The longest path of a device node, in words.
    private static let longestNode: UInt32 = 64

    /// Reads the matrix of a device; nil if it has none, or was removed.
    private func matrix(of device: X11InputDevice) throws(X11Failure) -> TouchMatrix? {
        try property(matrixProperty, of: device, type: float, words: 9, Float.self).flatMap {
            $0.count == 9 ? TouchMatrix($0) : nil
        }
    }

    /// Reads the path of the device's node, as `/dev/input/event5`; nil if it has none.
    private func node(of device: X11InputDevice) throws(X11Failure) -> String? {
        try property(
            nodeProperty, of: device, type: xcb_atom_t(XCB_ATOM_STRING.rawValue), words: Self.longestNode, UInt8.self
        ).map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Reads the items of a property; nil if the device has none with items of this size, or was removed.
    private func property<Item>(
        _ property: xcb_atom_t, of device: X11InputDevice, type: xcb_atom_t, words: UInt32, _: Item.Type
    ) throws(X11Failure) -> [Item]? {
        let cookie = xcb_input_xi_get_property(connection.handle, device.identifier, 0, property, type, 0, words)
        return try connection.replyIfAccepted(to: cookie.sequence, xcb_input_xi_get_property_reply_t.self) {
            Int($0.format) == MemoryLayout<Item>.size * 8 ? $1.read(Item.self, count: Int($0.num_items)) : []
        }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func set(_ matrix: TouchMatrix, of device: UInt16) throws(X11Failure) {
        try connection.check(
            xcb_input_xi_change_property_checked(
                connection.handle, device, UInt8(XCB_PROP_MODE_REPLACE.rawValue), 32, matrixProperty, float, 9,
                matrix.elements))
    }
}
