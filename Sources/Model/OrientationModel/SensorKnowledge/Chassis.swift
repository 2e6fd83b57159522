// SPDX-License-Identifier: Apache-2.0

/// A chassis that is made for a keyboard, and the attached keyboards.
///
/// With both, a device without a tablet switch counts as a laptop, whose display does not rotate by default: as in other
/// desktops, a missing switch is no evidence of a tablet.
package struct Chassis: Hashable, Sendable {
    /// The kinds by the chassis type of the DMI (SMBIOS 7.4.1). Tablets, desktops and virtual machines are not among them.
    private static let kinds = [
        8: "portable computer", 9: "laptop", 10: "notebook", 13: "all-in-one computer", 14: "sub-notebook",
        31: "convertible", 32: "detachable",
    ]
    /// The property by which udev marks event nodes with the keys of a keyboard.
    package static let keyboardProperty = "ID_INPUT_KEYBOARD"
    private static let bluetooth = "0005"

    /// The type in the DMI.
    package let type: Int
    /// The names of the attached keyboards.
    package let keyboards: [String]

    /// Reads the chassis; nil if it is of another kind. `line` returns the first line of a file, nil without one;
    /// `keyboardNodes` returns the event nodes with ``keyboardProperty``, with their resolved paths in /sys. Virtual
    /// keyboards, as of remapping programs, and those on Bluetooth are not attached to the device.
    package init?<Failure: Error>(
        line: (_ path: String) -> String?, keyboardNodes: () throws(Failure) -> [(name: String, path: String)]
    ) throws(Failure) {
        guard let type = Self.type(line), Self.kinds[type] != nil else { return nil }
        self.type = type
        keyboards = try keyboardNodes().compactMap { node in
            let device = InputAttributes(node: node.name, line: line, names: { _ in [] })
            let isAttached = !node.path.contains("/devices/virtual/") && device.bus != Self.bluetooth
            return isAttached ? device.name ?? node.name : nil
        }
    }

    /// Returns the type in the DMI; nil without one.
    private static func type(_ line: (_ path: String) -> String?) -> Int? {
        line("/sys/class/dmi/id/chassis_type").flatMap { Int($0) }
    }

    /// Returns whether the machine is a clamshell: portable, laptop, notebook or sub-notebook. A machine with a device tree
    /// is none. `names` returns the names in a folder.
    package static func isNotebook(
        line: (_ path: String) -> String?, names: (_ folder: String) -> [String]
    ) -> Bool {
        type(line).map([8, 9, 10, 14].contains) ?? false && names("/sys/firmware/devicetree/base").isEmpty
    }

    /// The kind, for messages.
    package var description: String { "\(Self.kinds[type] ?? "device") (DMI chassis type \(type))" }

    /// Why a device without a tablet switch counts as a laptop; nil without an attached keyboard. It names one, which may be
    /// a device that only claims to be a keyboard.
    package var laptopReason: String? {
        keyboards.first.map {
            "\(description) with the keyboard '\($0)' attached, without a tablet switch or a lid angle"
        }
    }
}
