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
        guard event != .samples, let module = WaybarModule(device) else { return }
        let line = module.line
        guard line != last else { return }
        last = line
        output.add(json: line)
        try output.flush()
    }
}

/// The text, the tooltip and the style classes of the module.
struct WaybarModule: Equatable {
    let text: String
    /// The name of the orientation, for `format-icons`.
    let alt: String
    let tooltip: String
    let classes: [String]
}

extension WaybarModule {
    /// Describes the device; nil before the first state.
    init?(_ device: WatchedDevice) {
        switch device.link {
        case .waiting: return nil
        case .connected, .playing:
            guard let state = device.state else { return nil }
            self.init(state)
        case .lost(let reason):
            self.init(
                text: "?", alt: "disconnected", tooltip: "Not connected to orientationd: \(reason).",
                classes: ["disconnected"])
        }
    }

    private init(_ state: OrientationState) {
        let classes = [
            state.orientation == .unknown ? "unknown" : nil, state.isLocked ? "locked" : nil,
            state.tabletMode == true ? "tablet" : nil,
        ]
        self.init(
            text: Self.direction(state), alt: state.orientation.description, tooltip: "\(state.line).",
            classes: classes.compactMap { $0 })
    }

    /// The module as JSON. Waybar reads Pango markup.
    var line: String {
        let json: JSONObject = [
            "text": .string(text), "alt": .string(alt), "tooltip": .string(tooltip.escapedForMarkup),
            "class": .array(classes.map { .string($0) }),
        ]
        return json.description
    }

    /// An arrow to the side where the top of the unrotated picture is, for the edge that apps use.
    private static func direction(_ state: OrientationState) -> String {
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
