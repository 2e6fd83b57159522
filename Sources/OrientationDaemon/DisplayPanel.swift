// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// A connector of a graphics card, as listed in `/sys/class/drm`.
nonisolated struct DisplayConnector: Equatable, Sendable {
    /// The name in the listing, for example `card0-eDP-1`.
    let name: String
    let isConnected: Bool
    /// Whether a picture is sent to it; not while the screen is blanked.
    let isEnabled: Bool
    /// The first line of `modes`, for example `1920x1080`; nil if the file is empty or unreadable.
    let mode: String?

    /// Whether the connector is for a panel in the device.
    var isInternal: Bool { ["eDP", "LVDS", "DSI", "DPI"].contains(type) }

    /// Whether a display can be connected: a writeback connector copies the picture to memory.
    var isForDisplay: Bool { type != "Writeback" }

    /// The type in the name: `eDP` in `card0-eDP-1`, `HDMI-A` in `card0-HDMI-A-1`.
    private var type: String {
        name.split(separator: "-").dropFirst().dropLast().joined(separator: "-")
    }

    /// The shape of the picture; nil if the mode is unknown.
    var shape: PanelShape? {
        let sides = (mode ?? "").split(separator: "x", omittingEmptySubsequences: false)
        // An interlaced mode ends in i.
        guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1].prefix(while: \.isNumber)),
            width > 0, height > 0
        else { return nil }
        return PanelShape(width: Double(width), height: Double(height))
    }
}

/// The panel of the device, whose shape gives the natural orientation.
nonisolated struct DisplayPanel: Equatable, Sendable {
    /// The name of its connector, for example `card0-eDP-1`.
    let name: String
    let mode: String
    let shape: PanelShape
}

/// The choice of the panel among the connectors.
nonisolated enum PanelChoice: Equatable, Sendable {
    /// The panel, and a warning where another panel has another shape.
    case panel(DisplayPanel, warning: String? = nil)
    /// None is known, for this reason.
    case unknown(String)

    /// Chooses the connected internal panel; without an internal one the only connected display.
    ///
    /// Of several panels an enabled one is preferred, then the former choice, then the first by name. A connected internal
    /// panel whose mode is not known yet is not replaced by a monitor. The former choice stays while no panel is enabled,
    /// while its modes cannot be read, and while nothing is connected: many monitors disconnect when they are switched off.
    static func choose(among connectors: [DisplayConnector], former: DisplayPanel? = nil) -> PanelChoice {
        let connected = connectors.filter { $0.isConnected && $0.isForDisplay }.sorted { $0.name < $1.name }
        let panels = connected.filter(\.isInternal)
        if panels.isEmpty {
            guard let only = connected.first else {
                let isListed = connectors.contains { $0.name == former?.name }
                return former.flatMap { isListed ? .panel($0) : nil } ?? .unknown("no display connected")
            }
            guard connected.count == 1 else {
                let names = connected.map(\.name).joined(separator: ", ")
                return .unknown("no internal panel, and several displays: \(names)")
            }
            return choose(only, former)
        }
        let known = panels.filter { $0.shape != nil }
        let candidates = known.isEmpty ? panels : known
        let enabled = candidates.filter(\.isEnabled)
        let best = enabled.isEmpty ? candidates.filter { $0.name == former?.name } + candidates : enabled
        guard let chosen = best.first else { return .unknown("no display connected") }
        let other = known.first { $0.shape != chosen.shape }
        guard case .panel(let panel, _) = choose(chosen, former), let other, chosen.shape != nil else {
            return choose(chosen, former)
        }
        let warning =
            "panels of different shape: \(chosen.name), \(panel.mode), and \(other.name), \(other.mode ?? ""); using "
            + "\(chosen.name); set ORIENTATIOND_NATURAL_ORIENTATION to choose"
        return .panel(panel, warning: warning)
    }

    private static func choose(_ connector: DisplayConnector, _ former: DisplayPanel?) -> PanelChoice {
        if let mode = connector.mode, let shape = connector.shape {
            return .panel(DisplayPanel(name: connector.name, mode: mode, shape: shape))
        }
        if let former, former.name == connector.name { return .panel(former) }
        return .unknown("\(connector.name): no mode known yet")
    }
}
