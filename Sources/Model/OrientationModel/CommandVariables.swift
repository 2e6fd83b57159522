// SPDX-License-Identifier: Apache-2.0

extension OrientationState {
    /// Returns the environment variables of a command that runs after a change. Unknown values are empty, so that scripts
    /// can use `set -u`.
    package func commandVariables(previous: OrientationState?) -> [(name: String, value: String)] {
        [
            ("ORIENTATION", orientation.description),
            ("PREVIOUS_ORIENTATION", previous?.orientation.description ?? ""),
            ("EDGE", lastEdge?.description ?? ""),
            ("PANEL_EDGE", lastPanelEdge?.description ?? ""),
            ("ROTATION", rotation.map { "\($0)" } ?? ""), ("NATURAL", natural?.description ?? ""),
            ("PREVIOUS_EDGE", previous?.lastEdge?.description ?? ""),
            ("LOCKED", isLocked ? "1" : "0"),
            ("LOCKED_TO", lockedTo?.description ?? ""),
            ("TABLET_MODE", tabletMode.map { $0 ? "1" : "0" } ?? ""),
            ("TILT", tilt.map { "\($0)" } ?? ""),
            ("DISTURBANCE", disturbance.map { "\($0)" } ?? ""),
            ("SENSOR", sensor ?? ""),
            ("REASON", reason ?? ""),
            ("SEQUENCE", "\(sequence)"),
            ("INSTANCE", instance),
        ]
    }
}
