// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient
import OrientationModel
import OrientationWire
import Varlink

/// `orientationctl status`: how the device is held now.
struct Status: AsksDaemon {
    static let configuration = CommandConfiguration(
        abstract: "Tell how the device is held now.",
        discussion: """
            Examples:
              orientationctl status
              orientationctl status --json | jq -r .orientation
            """)

    @Flag(help: "Print the state as one JSON object.")
    var json = false

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func run() async throws {
        let state = try await daemon.state()
        let output = TextOutput()
        output.add((json ? state.json.description : state.report) + "\n")
        try output.flush()
    }
}

extension OrientationState {
    /// One line for a person.
    var line: String {
        let facts = [
            isLocked ? lockedTo.map { "locked to \($0)" } ?? "locked" : nil,
            tabletMode.map { $0 ? "tablet mode" : "laptop mode" },
            reason,
        ]
        let known = facts.compactMap { $0 }
        return Printable.line(
            orientation.description + (known.isEmpty ? "" : " (\(known.joined(separator: "; ")))"))
    }

    /// Everything there is, a line each.
    fileprivate var report: String {
        let rows: [(String, String?)] = [
            ("orientation", orientation.description),
            ("reason", reason),
            ("last edge up", lastEdge?.description),
            ("tilt", tilt.map { Decimal.text($0, places: 0) + "°" }),
            ("disturbance", disturbance.map { Decimal.text($0, places: 2) + " m/s²" }),
            ("rotation lock", isLocked ? lockedTo?.description ?? "closed" : "open"),
            ("tablet mode", tabletMode.map { $0 ? "yes" : "no" }),
            ("sensor", sensor ?? "none in use"),
        ]
        return rows.compactMap { name, value in
            value.map { name.padded(to: 15) + Printable.line($0) }
        }.joined(separator: "\n")
    }
}
