// SPDX-License-Identifier: Apache-2.0

// The words of all programs for a state.

extension PanelEdge {
    /// Which edge is up: `right edge up`.
    package var upText: String { "\(self) edge up" }

    /// The rotation of the picture while this edge is up: `0°`, or `90° counter-clockwise`.
    package var rotationText: String { "\(rotation)°" + (self == .left || self == .right ? " counter-clockwise" : "") }

    /// The rotation lock: `off`, `on`, or `on (right edge up)`.
    package static func lockText(isOn: Bool, edge: PanelEdge?) -> String {
        isOn ? "on" + (edge.map { " (\($0.upText))" } ?? "") : "off"
    }
}

extension DeviceOrientation {
    /// The pose of a device with this natural orientation: `right edge up`, `face up`, `unknown`.
    package func text(natural: Edge) -> String {
        switch self {
        case .faceUp: "face up"
        case .faceDown: "face down"
        default: Edge(self).map { PanelEdge($0, natural: natural).upText } ?? description
        }
    }
}

extension OrientationState {
    /// The edges of the panel that are up now, and are held by the rotation lock.
    package var panelEdge: PanelEdge? { panelEdge(Edge(orientation)) }
    package var lockedPanelEdge: PanelEdge? { panelEdge(lockedTo) }

    /// The pose: `right edge up`, `face up`, `unknown`.
    package var poseText: String { orientation.text(natural: assumedNatural) }

    /// The rotation lock: `off`, `on`, or `on (right edge up)`.
    package var lockText: String { PanelEdge.lockText(isOn: isLocked, edge: lockedPanelEdge) }

    /// That the lid angle overrules the tablet switch, as a clause; nil if it does not.
    package var overruledSwitchText: String? {
        guard isTabletSwitchOverruled, let tabletMode, let lidAngle else { return nil }
        let mode = tabletMode ? "laptop" : "tablet"
        return "the tablet switch says \(mode) at a lid angle of \(lidAngle)°, which overrules it"
    }

    /// What the display needs, as a predicate: `needs no rotation`, `needs 90° counter-clockwise`, or
    /// `locked at 0°; would need 90°`. Nil before the first edge, and after a failure of the sensor.
    package var displayText: String? {
        guard isLocked else {
            return hasSensorFailed
                ? nil : lastPanelEdge.map { $0 == .top ? "needs no rotation" : "needs \($0.rotationText)" }
        }
        guard let locked = lockedPanelEdge else { return "locked" }
        let need = lastPanelEdge.map { $0 == locked ? "" : "; would need \($0.rotation)°" }
        return "locked at \(locked.rotation)°\(need ?? "")"
    }
}
