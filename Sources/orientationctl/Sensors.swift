// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient
import OrientationModel
import OrientationWire
import Varlink

/// `orientationctl sensors`: which sensors there are, and which one is used, and why.
struct Sensors: AsksDaemon {
    static let configuration = CommandConfiguration(
        abstract: "List the accelerometers that the daemon found, and why it uses the one it uses.",
        discussion: """
            Examples:
              orientationctl sensors
              orientationctl sensors --json | jq '.[] | select(.chosen)'
            """)

    @Flag(help: "Print the list as one JSON array.")
    var json = false

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func run() async throws {
        let sensors = try await daemon.sensors()
        let output = TextOutput()
        output.add((json ? JSONValue.array(sensors.map { .object($0.json) }).description : report(sensors)) + "\n")
        try output.flush()
    }

    private func report(_ sensors: [SensorDescription]) -> String {
        guard !sensors.isEmpty else { return "No accelerometer was found." }
        return sensors.map(\.report).joined(separator: "\n\n")
    }
}

extension SensorDescription {
    /// Where it is −1 the matrix mirrors, where it is 0 it says nothing of z: neither matters, since z is computed.
    private var determinant: String {
        guard matrix.count == 9 else { return "" }
        let rows = stride(from: 0, to: 9, by: 3).map {
            Acceleration(x: matrix[$0], y: matrix[$0 + 1], z: matrix[$0 + 2])
        }
        return ", determinant \(MountMatrix(x: rows[0], y: rows[1], z: rows[2]).determinant)"
    }

    fileprivate var report: String {
        let rows = stride(from: 0, to: matrix.count, by: 3).map { start in
            matrix[start..<min(start + 3, matrix.count)].map { "\($0)" }.joined(separator: ", ")
        }
        var lines = [
            "\(isChosen ? "*" : " ") \(id): \(name)\(driver.map { ", driver \($0)" } ?? ""), in the \(location)",
            "    \(isChosen ? "used" : "not used"): \(why)",
            "    mount matrix from \(matrixSource): \(rows.joined(separator: "; "))\(determinant)",
        ]
        if let vector = lastVector {
            lines.append("    last vector: \(vector.x), \(vector.y), \(vector.z) m/s²")
        }
        if let lastError { lines.append("    last error: \(lastError)") }
        lines += warnings.map { "    warning: \($0)" }
        return lines.joined(separator: "\n")
    }
}
