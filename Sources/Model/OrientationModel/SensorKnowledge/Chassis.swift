// SPDX-License-Identifier: Apache-2.0

/// A chassis that may have a keyboard, and the attached keyboards.
///
/// With both, a device without a tablet switch counts as a laptop, whose display does not rotate by default: as in other
/// desktops, a missing switch is no evidence of a tablet.
package struct Chassis: Hashable, Sendable {
    /// The kinds by the chassis type of the DMI (SMBIOS 7.4.1). Tablets, desktops and virtual machines are not among them.
    private static let kinds = [
        8: "portable computer", 9: "laptop", 10: "notebook", 13: "all-in-one computer", 14: "sub-notebook",
        31: "convertible", 32: "detachable",
    ]
    /// The kinds by the `chassis-type` of a device tree that are made for a keyboard.
    private static let treeKinds: Set = ["laptop", "convertible", "detachable", "all-in-one"]
    /// The properties by which udev marks event nodes: those with the letters of a keyboard, and those of game controllers.
    package static let keyboardProperty = "ID_INPUT_KEYBOARD"
    package static let joystickProperty = "ID_INPUT_JOYSTICK"
    private static let usb = "0003"
    private static let bluetooth = "0005"
    /// HID devices of Valve on USB: its controllers have all keys, and no gamepad beside them while Steam reads them.
    private static let valve = "/0003:28DE:"

    /// The kind with its source, for messages.
    package let description: String
    /// The names of the attached keyboards.
    package let keyboards: [String]

    /// An event node with ``keyboardProperty`` or ``joystickProperty``, with its resolved path in /sys.
    package typealias Node = (name: String, path: String, isJoystick: Bool)

    /// Returns an event node with udev's properties of it; nil if it is neither a keyboard nor a game controller.
    package static func node(_ name: String, _ properties: [String: String], path: String) -> Node? {
        let isJoystick = properties[joystickProperty] == "1"
        return isJoystick || properties[keyboardProperty] == "1" ? (name, path, isJoystick) : nil
    }

    /// Reads the chassis; nil if it is of another kind. `line` returns the first line of a file, nil without one.
    ///
    /// Virtual keyboards, as of remapping programs, those on Bluetooth, and those of game controllers are not attached to the
    /// device. Tablets with a device tree, and machines that state no chassis, have their keyboards on USB.
    package init?<Failure: Error>(
        line: (_ path: String) -> String?, nodes: () throws(Failure) -> [Node]
    ) throws(Failure) {
        let isUSBNeeded: Bool
        if let text = line(Self.typeFile) {
            guard let type = Int(text), let kind = Self.kinds[type] else { return nil }
            (description, isUSBNeeded) = ("\(kind) (DMI chassis type \(type))", false)
        } else {
            let kind = line("/sys/firmware/devicetree/base/chassis-type")
            let isMadeForKeyboard = kind.map(Self.treeKinds.contains) ?? false
            guard isMadeForKeyboard || kind == nil || kind == "tablet" else { return nil }
            description = kind.map { "\($0) (chassis type of the device tree)" } ?? "device without a chassis type"
            isUSBNeeded = !isMadeForKeyboard
        }
        let nodes = try nodes()
        let controllers = Set(nodes.filter(\.isJoystick).compactMap { Self.usbDevice(above: $0.path) })
        keyboards = nodes.compactMap { node in
            let device = InputAttributes(node: node.name, line: line, names: { _ in [] })
            let isOfController =
                node.isJoystick || node.path.contains(Self.valve)
                || Self.usbDevice(above: node.path).map(controllers.contains) ?? false
            guard !isOfController, !node.path.contains("/devices/virtual/"), device.bus != Self.bluetooth,
                !isUSBNeeded || device.bus == Self.usb
            else { return nil }
            return device.name ?? node.name
        }
    }

    /// Returns the folder of the USB device that a node belongs to; nil without one. In it is that of an interface, such as
    /// `3-1/3-1:1.0`.
    private static func usbDevice(above path: String) -> String? {
        let parts = path.split(separator: "/")
        let device = parts.indices.dropLast().last { parts[$0 + 1].hasPrefix("\(parts[$0]):") }
        return device.map { parts[...$0].joined(separator: "/") }
    }

    private static let typeFile = "/sys/class/dmi/id/chassis_type"

    /// Returns whether the machine is a clamshell: portable, laptop, notebook or sub-notebook. A machine with a device tree
    /// is none. `names` returns the names in a folder.
    package static func isNotebook(
        line: (_ path: String) -> String?, names: (_ folder: String) -> [String]
    ) -> Bool {
        line(typeFile).flatMap { Int($0) }.map([8, 9, 10, 14].contains) ?? false
            && names("/sys/firmware/devicetree/base").isEmpty
    }

    /// Why a device without a tablet switch counts as a laptop; nil without an attached keyboard. It names one, which may be
    /// a device that only claims to be a keyboard.
    package var laptopReason: String? {
        keyboards.first.map {
            "\(description) with the keyboard '\($0)' attached, without a tablet switch or a lid angle"
        }
    }
}
