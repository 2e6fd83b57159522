// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Varlink

/// Prints a line of JSON for a custom module of waybar at each change; see waybar-custom(5).
@MainActor final class WaybarLines: WatchDisplay {
    private let suggests: Bool
    private let output = TextOutput()
    private var last: String?
    private var suggestion: Task<Void, Never>?

    /// With `suggests`, the module has a text only while a rotation is suggested.
    init(suggests: Bool) {
        self.suggests = suggests
    }

    func show(_ device: WatchedDevice, after event: WatchEvent) throws {
        if event == .command {
            if case .failed(let why) = device.command { StandardError.print("--exec: \(why)") }
            return
        }
        // A state that is held back because the sensor starts follows in another event.
        guard event != .samples, let line = Self.line(device, suggests: suggests), line != last else { return }
        last = line
        suggestion?.cancel()
        guard suggests, device.state?.suggestedEdge != nil else { return try print(line) }
        suggestion = Task {
            // Cancelled with the task.
            try? await Task.sleep(for: .seconds(OrientationState.suggestionDelay))
            // A reader that has closed the pipe is noticed at the next line.
            if !Task.isCancelled { try? print(line) }
        }
    }

    private func print(_ line: String) throws {
        output.add(json: line)
        try output.flush()
    }

    /// Returns the module as JSON; nil before the first state.
    nonisolated static func line(_ device: WatchedDevice, suggests: Bool = false) -> String? {
        switch device.link {
        case .waiting: return nil
        case .connected:
            return device.state.map { state in
                if suggests { return suggestionLine(state) }
                let state = state.withLockedEdge
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
            return line(suggests ? "" : "?", alt: "disconnected", tooltip: tooltip, ["disconnected"])
        }
    }

    private nonisolated static func suggestionLine(_ state: OrientationState) -> String {
        guard let edge = state.suggestedEdge else { return line("", alt: "none", tooltip: "", []) }
        return line(
            "⟳", alt: state.orientation.description,
            tooltip: "The rotation is locked. Click to rotate the display to \(edge.rotationText).", ["suggestion"])
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

extension OrientationState {
    /// The edge that is up, if the display does not have it because of the rotation lock.
    fileprivate var suggestedEdge: PanelEdge? {
        guard isLocked, tabletMode != false, let lockedPanelEdge, lockedPanelEdge != panelEdge else { return nil }
        return panelEdge
    }

    /// The state with the locked edge as the one that is up: the sensor is off while the rotation lock is on.
    fileprivate var withLockedEdge: OrientationState {
        guard isLocked else { return self }
        var state = self
        (state.orientation, state.reason) = (lockedTo.map { DeviceOrientation($0) } ?? .unknown, nil)
        state.lastEdge = lockedTo ?? lastEdge
        return state
    }
}
