// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire

extension Check {
    /// Checks whether the ambient sensors can be listed, and the light, proximity and compass sensors, which the daemon
    /// serves to desktops. ``lid`` checks the hinge.
    static let ambient = Check("ambient") { facts in
        if let failure = facts.daemon.ambientFailure { return [unlisted(failure)] }
        return [SensorKind.light, .proximity, .compass].flatMap { kind -> [Finding] in
            let found = facts.daemon.ambient.sensors.filter { $0.kind == kind }
            guard let chosen = found.first(where: \.isChosen) else {
                return found.map { sensor in
                    .note("the \(kind) sensor \(sensor.title) cannot be used: \(sensor.why)", consequence(kind))
                }
            }
            let list = facts.daemon.ambient
            if !list.isServed {
                // With an outage, the remedy is that of ``proxy``.
                let remedy = list.outage == nil ? "To serve it to desktops, \(Fix.serveDesktops)" : nil
                return [.ok("\(kind) sensor \(chosen.title): \(list.unserved)", remedy)]
            }
            return [chosen.isFailing ? failing(chosen) : .ok("\(kind) sensor \(chosen.title): \(chosen.why)")]
        }
    }

    /// The problem of a scan that failed. The accelerometer has a thread of its own.
    private static func unlisted(_ failure: String) -> Finding {
        .problem(
            "the daemon cannot list the ambient sensors: \(failure)",
            "Desktops may receive no light, proximity or heading, and the lid angle of a laptop may be unknown; otherwise "
                + "rotation is not affected. Reload the driver of the sensor, which the kernel's log may name")
    }

    /// The problem of a sensor that delivers no readings.
    private static func failing(_ sensor: SensorDescription) -> Finding {
        .problem(
            "the \(sensor.kind) sensor \(sensor.title) fails: \(sensor.lastError ?? "unknown failure")",
            "\(consequence(sensor.kind)); while a program uses it, the daemon retries. "
                + "See the kernel's log for its driver")
    }

    private static func consequence(_ kind: SensorKind) -> String {
        switch kind {
        case .light: "Desktops that the daemon serves do not adjust the brightness"
        case .proximity: "Desktops that the daemon serves do not switch the display off during a call"
        default: "Programs that the daemon serves have no heading"
        }
    }
}
