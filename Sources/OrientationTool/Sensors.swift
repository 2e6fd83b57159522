// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Calibration
import OrientationClient
import OrientationModel
import OrientationWire
import Varlink

/// `orientationctl sensors`: lists the sensors.
struct Sensors: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the accelerometers and which one is used",
        discussion: """
            Examples:
              orientationctl sensors
              orientationctl sensors --json | jq '.[] | select(.chosen)'
            """)

    @Flag(help: "Print the list as one JSON array")
    var json = false

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func run() async throws {
        let sensors = try await daemon.sensors()
        let output = TextOutput()
        if json {
            output.add(json: JSONValue.array(sensors.map { .object($0.json) }).description)
        } else {
            output.add(report(sensors) + "\n")
        }
        try output.flush()
    }

    private func report(_ sensors: [SensorDescription]) -> String {
        guard !sensors.isEmpty else { return "no accelerometer found; see 'orientationctl status'" }
        return sensors.map(\.report).joined(separator: "\n\n")
    }
}

extension SensorDescription {
    /// The matrix in the notation of the kernel and udev.
    var matrixText: String { MountMatrix(elements: matrix)?.text ?? "none" }

    /// The determinant: −1 for a mirroring matrix, 0 if its z row is missing. Both are harmless: the daemon computes z.
    private var determinant: String {
        MountMatrix(elements: matrix).map { ", determinant \($0.determinant)" } ?? ""
    }

    var report: String {
        var lines = [
            "\(isChosen ? "*" : " ") \(id): \(name)\(driver.map { ", driver \($0)" } ?? ""), in the \(location)",
            "    \(isChosen ? "used" : "not used"): \(why)",
            "    mount matrix from \(matrixSource): \(matrixText)\(determinant)",
        ]
        if let natural {
            lines.append("    natural orientation \(natural), from \(naturalSource ?? "an unknown source")")
        }
        if let vector = lastVector {
            // Adding 0 turns −0 into 0.
            lines.append("    last vector: \(vector.x + 0), \(vector.y + 0), \(vector.z + 0) m/s²")
        }
        if let lastError { lines.append("    last error: \(lastError)") }
        lines += warnings.map { "    warning: \($0)" }
        // Names and errors quote devices.
        return lines.map(Printable.line).joined(separator: "\n")
    }
}
