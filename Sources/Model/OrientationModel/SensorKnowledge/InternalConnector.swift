// SPDX-License-Identifier: Apache-2.0

/// The connectors of panels in the device.
package enum InternalConnector {
    /// The kinds, as the kernel spells them.
    private static let kinds = ["eDP", "LVDS", "DSI", "DPI"]

    /// Returns whether a connector or an output is for a panel in the device: `eDP-1` of a compositor, `eDP1` of an X
    /// driver, `card0-eDP-1` of the kernel.
    package static func includes(_ name: String) -> Bool {
        let isOfCard = name.hasPrefix("card")
        let kind = isOfCard ? name.drop { $0 != "-" }.dropFirst() : name[...]
        return kinds.contains { kind.hasPrefix($0) }
    }
}
