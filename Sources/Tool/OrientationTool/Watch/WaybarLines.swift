// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Varlink

/// Prints a line of JSON for a custom module of waybar at each change; see waybar-custom(5).
@MainActor final class WaybarLines: WatchDisplay {
    private let output = TextOutput()
    private var last: String?

    func show(_ device: WatchedDevice, after event: WatchEvent) throws {
        if event == .command {
            if case .failed(let why) = device.command { StandardError.print("--exec: \(why)") }
            return
        }
        // A state that is held back because the sensor starts follows in another event.
        guard event != .samples, let line = Self.line(device), line != last else { return }
        last = line
        output.add(json: line)
        try output.flush()
    }

    /// Returns the module as JSON; nil before the first state.
    nonisolated static func line(_ device: WatchedDevice) -> String? {
        switch device.link {
        case .waiting: return nil
        case .connected:
            return device.state.map { state in
                let classes = [
                    state.orientation == .unknown ? "unknown" : nil, state.isLocked ? "locked" : nil,
                    state.tabletMode == true ? "tablet" : nil,
                ]
                return line(
                    direction(state), alt: state.orientation.description, tooltip: "\(state.line).",
                    classes.compactMap(\.self))
            }
        case .lost(let reason):
            let tooltip = "Not connected to orientationd: \(reason)."
            return line("?", alt: "disconnected", tooltip: tooltip, ["disconnected"])
        }
    }

    /// `alt` is the name of the orientation, for `format-icons`. Waybar reads Pango markup.
    private nonisolated static func line(_ text: String, alt: String, tooltip: String, _ classes: [String]) -> String {
        let json: JSONObject = [
            "text": .string(text), "alt": .string(alt), "tooltip": .string(tooltip.escapedForMarkup),
            "class": .array(classes.map { .string($0) }),
        ]
        return json.description
    }

    /// An arrow to the side where the top of the unrotated picture is, for the edge that apps use.
    private nonisolated static func direction(_ state: OrientationState) -> String {
        switch state.lockedPanelEdge ?? state.lastPanelEdge {
        case nil: "?"
        case .top: "↑"
        case .bottom: "↓"
        // With the left edge up, the top edge is on the right.
        case .left: "→"
        case .right: "←"
        }
    }
}
