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
              orientationctl status --watch
            """)

    @Flag(help: "Print the state as one JSON object")
    var json = false

    @Flag(help: "Print it again at each change, until Ctrl-C")
    var watch = false

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    @MainActor func run() async throws {
        if watch { return try await follow() }
        let state = try await daemon.state()
        if json { try TextOutput.print(json: state.json.description) } else { try TextOutput.print(state.report) }
    }

    @MainActor private func follow() async throws {
        let (ending, end) = AsyncStream.makeStream(of: Void.self)
        let signals = SignalWatch.termination { end.finish() }
        defer { withExtendedLifetime(signals) {} }
        let session = WatchSession(
            service: daemon, socketPath: socketPath, remedy: remedy, buffering: .newest,
            display: PlainLines(json ? .json : .report), waitsForOrientation: true)
        try await session.run(until: ending)
    }
}

extension OrientationState {
    /// How the picture is rotated on the panel: `not rotated` or `rotated by 90°`; nil before the first edge.
    var displayRotation: String? {
        rotation.map { $0 == 0 ? "not rotated" : "rotated by \($0)°" }
    }

    var line: String {
        let facts = [
            orientation == .unknown ? nil : displayRotation.map { "display \($0)" },
            isLocked ? lockedTo.map { "locked to \($0)" } ?? "locked" : nil,
            tabletMode.map { $0 ? "tablet mode" : "laptop mode" },
            reason,
        ]
        let known = facts.compactMap { $0 }
        let text = orientation.description + (known.isEmpty ? "" : " (\(known.joined(separator: "; ")))")
        return text.replacingControls()
    }

    /// The state, one fact per line.
    var report: String {
        let rows: [(String, String?)] = [
            ("orientation", orientation.description),
            ("reason", reason),
            ("last edge up", lastEdge?.description),
            ("display", displayRotation),
            ("natural", natural.description),
            ("tilt", tilt.map { Decimal.text($0, places: 0) + "°" }),
            ("disturbance", disturbance.map { Decimal.text($0, places: 2) + " m/s²" }),
            ("rotation lock", isLocked ? lockedTo?.description ?? "on" : "off"),
            ("tablet mode", tabletMode.map { $0 ? "yes" : "no" }),
            ("sensor", sensor ?? "none in use"),
        ]
        return rows.compactMap { name, value in
            value.map { name.padded(to: 15) + $0.replacingControls() }
        }.joined(separator: "\n")
    }
}
