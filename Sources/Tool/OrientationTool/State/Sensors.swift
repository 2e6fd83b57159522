// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrientationClient
import OrientationModel
import OrientationWire
import Posix
import Varlink

/// `orientationctl sensors`: lists the sensors.
struct Sensors: DaemonCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the sensors and which ones are used",
        discussion: """
            Examples:
              orientationctl sensors
              orientationctl sensors --json | jq '.[] | select(.chosen)'
              orientationctl sensors --ambient --json
            """)

    @Flag(help: "List only light, proximity, compass and hinge sensors")
    var ambient = false
    @Flag(help: "Print the listed sensors as JSON")
    var json = false

    @ParentCommand var root: OrientationCtl
    @OptionGroup var service: ServiceOptions

    func run() throws {
        if ambient {
            let list = try calls.ambientSensors()
            if json { return try TextOutput.print(json: JSONValue.object(list.reply).description) }
            return try TextOutput.print(list.sensors.isEmpty ? "no ambient sensor found" : list.report)
        }
        let sensors = try calls.sensors()
        guard json else {
            let ambient = ambientReport()
            let parts = [report(sensors), ambient.failure ?? ambient.text]
            return try TextOutput.print(parts.filter { !$0.isEmpty }.joined(separator: "\n\n"))
        }
        try TextOutput.print(json: JSONValue.array(sensors.map { .object($0.json) }).description)
        // The array has no place for it.
        if let failure = ambientReport().failure { StandardError.print(failure) }
    }

    /// Describes the ambient sensors. A failure does not hide the accelerometers: their threads are separate.
    private func ambientReport() -> (text: String, failure: String?) {
        do {
            return (try calls.ambientSensors().report, nil)
        } catch {
            return ("", "ambient sensors: \(error)".replacingControls())
        }
    }

    private func report(_ sensors: [SensorDescription]) -> String {
        sensors.isEmpty
            ? "no accelerometer found; see 'orientationctl status'"
            : sensors.map(\.report).joined(separator: "\n\n")
    }
}

extension AmbientSensorListMessage {
    /// Why no sensor is used if the daemon serves no desktops.
    var unserved: String { "not used: the daemon \(outage == nil ? "runs without --dbus" : "serves no desktop")" }

    var report: String {
        var parts = sensors.map { $0.ambientReport(unserved: isServed ? nil : unserved) }
        if let outage {
            parts.append(outage.replacingControls())
        } else if !isServed, sensors.contains(where: { $0.isChosen && $0.kind != .hinge }) {
            parts.append("to use them for desktops, \(Fix.serveDesktops), or start orientationd with --dbus")
        }
        return parts.joined(separator: "\n")
    }
}

extension SensorDescription {
    /// The name in messages.
    var title: String { name == id ? id : "\(id) (\(name))" }

    fileprivate func ambientReport(unserved: String?) -> String {
        // The lid angle is not for desktops.
        let isHinge = kind == .hinge
        let isUsed = isChosen && (unserved == nil || isHinge)
        let use =
            switch (isChosen, unserved) {
            case (true, _) where isHinge: "used for the tablet mode: \(why)"
            case (true, nil): "used for desktops: \(why)"
            case (true, let unserved?): unserved
            case (false, _): "not used: \(why)"
            }
        var lines = ["\(isUsed ? "*" : " ") \(kind): \(id.titled) \(name)", "    \(use)"]
        if let lastError { lines.append("    last error: \(lastError)") }
        return lines.map { $0.replacingControls() }.joined(separator: "\n")
    }
}

extension String {
    /// The identifier of a sensor before its name; that of a simulated one ends with a colon.
    var titled: String { hasSuffix(":") ? self : self + ":" }
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
            "\(isChosen ? "*" : " ") \(id.titled) \(name)\(driver.map { ", driver \($0)" } ?? ""), in the \(location)",
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
        return lines.map { $0.replacingControls() }.joined(separator: "\n")
    }
}
