// SPDX-License-Identifier: Apache-2.0

/// What sysfs states about an input device.
package struct InputAttributes: Hashable, Sendable {
    /// The device's own name.
    package var name: String?
    /// The masks in `capabilities`: absolute axes, keys and switches.
    package var axes: String?
    package var keys: String?
    package var switches: String?
    /// The number of the bus.
    package var bus: String?
    /// The name of another input device of the same hardware that has keys.
    package var sibling: String?
    /// The physical path, which the driver states.
    package var path: String?

    /// The physical path of the switch that the program orientation-tablet-switch creates.
    package static let ownTabletSwitch = "orientation-tablet-switch"

    package init(
        name: String? = nil, axes: String? = nil, keys: String? = nil, switches: String? = nil, bus: String? = nil,
        sibling: String? = nil, path: String? = nil
    ) {
        self.name = name
        self.axes = axes
        self.keys = keys
        self.switches = switches
        self.bus = bus
        self.sibling = sibling
        self.path = path
    }

    /// Reads the attributes of an event node, such as `event4`. `line` returns the first line of a file, nil without one;
    /// `names` returns the names in a folder.
    package init(node: String, line: (_ path: String) -> String?, names: (_ folder: String) -> [String]) {
        let device = "/sys/class/input/\(node)/device"
        // Virtual devices have no common hardware, and no such folder. It contains the device itself as well.
        let siblings = "\(device)/device/input"
        let sibling = names(siblings).first { name in
            name.hasPrefix("input") && !names("\(siblings)/\(name)").contains(node)
                && line("\(siblings)/\(name)/capabilities/key").map { $0 != "0" } ?? false
        }
        self.init(
            name: line("\(device)/name"), axes: line("\(device)/capabilities/abs"),
            keys: line("\(device)/capabilities/key"), switches: line("\(device)/capabilities/sw"),
            bus: line("\(device)/id/bustype"), sibling: sibling.map { line("\(siblings)/\($0)/name") ?? $0 },
            path: line("\(device)/phys"))
    }

    package func has(_ input: InputSwitch) -> Bool {
        Self.lowestWord(of: switches).map { $0 >> input.rawValue & 1 == 1 } ?? false
    }

    /// Why a node with switches must not be opened; nil if it may. Letters and digits have codes below 64. Volume and power
    /// buttons, which are beside switches, have larger ones.
    package var switchRejection: String? {
        Self.lowestWord(of: keys) == 0 ? nil : "it has letter or digit keys, which orientationd must not read"
    }

    /// Returns the bits 0 to 63 of a mask: hexadecimal words, the highest first.
    static func lowestWord(of mask: String?) -> UInt64? {
        mask?.split(separator: " ").last.flatMap { UInt64($0, radix: 16) }
    }

    /// Whether the device has a tablet switch that is not derived from the lid angle.
    package var hasTabletSwitch: Bool { has(.tabletMode) && path != Self.ownTabletSwitch }
}

/// A switch of an input device, by its number in the kernel's input-event-codes.h. The udev rule opens the nodes that
/// have one of these and that ``InputAttributes/switchRejection`` accepts.
package enum InputSwitch: Int, Sendable {
    /// SW_LID: closed while the lid of a laptop is shut.
    case lid = 0
    /// SW_TABLET_MODE, in the hinge of a convertible: closed while the device is a tablet.
    case tabletMode = 1
    /// SW_FRONT_PROXIMITY: closed while an object is near.
    case frontProximity = 11
}
