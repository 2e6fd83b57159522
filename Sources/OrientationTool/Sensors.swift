// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Calibration
import OrientationClient
import OrientationModel
import OrientationWire
import Varlink

/// `orientationctl sensors`: lists the sensors, which is used, and why.
struct Sensors: AsksDaemon {
    static let configuration = CommandConfiguration(
        abstract: "List the accelerometers, which is used, and why.",
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
    /// As the kernel and udev write it.
    var matrixText: String { MountMatrix(elements: matrix)?.text ?? "none" }

    /// Where it is −1 the matrix mirrors, where it is 0 it says nothing of z: neither matters, since z is computed.
    private var determinant: String {
        MountMatrix(elements: matrix).map { ", determinant \($0.determinant)" } ?? ""
    }

    var report: String {
        var lines = [
            "\(isChosen ? "*" : " ") \(id): \(name)\(driver.map { ", driver \($0)" } ?? ""), in the \(location)",
            "    \(isChosen ? "used" : "not used"): \(why)",
            "    mount matrix from \(matrixSource): \(matrixText)\(determinant)",
        ]
        if let vector = lastVector {
            // Plus 0, which makes 0 of −0.
            lines.append("    last vector: \(vector.x + 0), \(vector.y + 0), \(vector.z + 0) m/s²")
        }
        if let lastError { lines.append("    last error: \(lastError)") }
        lines += warnings.map { "    warning: \($0)" }
        // Names and complaints quote what devices say.
        return lines.map(Printable.line).joined(separator: "\n")
    }
}
