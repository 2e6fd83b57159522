// SPDX-License-Identifier: Apache-2.0

/// A switch of an input device, by its number in the kernel's input-event-codes.h. The udev rule opens the nodes that
/// have one of these and that ``rejection(keys:)`` accepts.
package enum InputSwitch: Int, Sendable {
    /// SW_TABLET_MODE, in the hinge of a convertible: closed while the device is a tablet.
    case tabletMode = 1
    /// SW_FRONT_PROXIMITY: closed while an object is near.
    case frontProximity = 11

    /// Returns whether a device with this value of the sysfs attribute `capabilities/sw` has the switch.
    package func isIn(_ switches: String?) -> Bool {
        Self.lowestWord(switches).map { $0 >> rawValue & 1 == 1 } ?? false
    }

    /// Returns why a node with this value of the sysfs attribute `capabilities/key` must not be opened; nil if it may.
    /// Letters and digits have codes below 64. Volume and power buttons, which are beside switches, have larger ones.
    package static func rejection(keys: String?) -> String? {
        lowestWord(keys) == 0 ? nil : "it has letter or digit keys, which orientationd must not read"
    }

    /// The bits 0 to 63 of a mask: hexadecimal words, the highest first.
    private static func lowestWord(_ mask: String?) -> UInt64? {
        mask?.split(separator: " ").last.flatMap { UInt64($0, radix: 16) }
    }
}
