// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient
import OrientationModel
import OrientationWire
import Posix
import Varlink

/// `orientationctl status`: prints the current state.
struct Status: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the current orientation",
        discussion: """
            Starts the sensor if it is off, and waits for its first sample for up to a second.

            Examples:
              orientationctl status
              orientationctl status --json | jq -r .orientation
            """)

    @Flag(help: "Print the state as one JSON object")
    var json = false

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func run() throws {
        let state = try calls.state()
        if json { return try TextOutput.print(json: state.printedJSON.description) }
        try TextOutput.print(state.report)
    }
}

extension OrientationState {
    var line: String {
        let display = displayText(on: SessionDisplay.rotatingDesktop)
        let facts = [
            orientation == .unknown && !isLocked ? nil : display.map { "display \($0)" },
            tabletMode.map { $0 ? "tablet mode" : "laptop mode" },
            reason,
        ]
        let known = facts.compactMap { $0 }
        return (poseText + (known.isEmpty ? "" : ": \(known.joined(separator: "; "))")).replacingControls()
    }

    /// The state as on the wire, with the edge of the panel that is up or was up last.
    var printedJSON: JSONObject {
        var json = json
        json["panelEdge"] = lastPanelEdge.map { .string($0.description) }
        return json
    }

    /// What the display needs; the rotation lock does not apply to a desktop that rotates it.
    func displayText(on desktop: String?) -> String? {
        var state = self
        if desktop != nil { state.isLocked = false }
        return state.displayText
    }

    /// The state, one fact per line.
    var report: String {
        let desktop = SessionDisplay.rotatingDesktop
        let lockNote = isLocked ? desktop.map { "; " + SessionDisplay.lockNote($0) } : nil
        let rows: [(String, String?)] = [
            (
                "display",
                displayText(on: desktop)
                    ?? "unknown: \(hasSensorFailed ? "the sensor is missing or has failed" : "no edge has been up yet")"
            ),
            ("orientation", poseText),
            ("reason", reason),
            ("last edge up", lastPanelEdge?.description),
            ("natural", natural?.description),
            ("tilt", tilt.map { Decimal.text($0, places: 0) + "°" }),
            ("disturbance", disturbance.map { Decimal.text($0, places: 2) + " m/s²" }),
            ("rotation lock", lockText + (lockNote ?? "")),
            (
                "tablet mode",
                tabletMode.map { ($0 ? "yes" : "no") + (isTabletSwitchOverruled ? ", not as the switch says" : "") }
                    ?? lidAngle.map { _ in "unknown: the lid angle alone does not decide it" }
            ),
            ("lid angle", lidAngle.map { "\($0)°" }),
            ("sensor", sensor ?? "none in use"),
        ]
        return rows.table
    }
}

extension [(String, String?)] {
    /// The rows that have a value, one per line.
    var table: String {
        compactMap { name, value in
            value.map { name.padded(to: 15) + $0.replacingControls() }
        }.joined(separator: "\n")
    }
}
