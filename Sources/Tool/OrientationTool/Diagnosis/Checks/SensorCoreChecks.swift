// SPDX-License-Identifier: Apache-2.0

import OrientationModel

extension Check {
    /// Lists the accelerometers of the sensor core of a Snapdragon machine.
    static let core = Check("sensorCore") { facts in facts.coreSensors.map(listed) }

    private static func listed(_ sensor: SensorDescription) -> Finding {
        let summary =
            "\(sensor.id) (\(sensor.name)) of the Snapdragon sensor core is an accelerometer in the \(sensor.location)"
        guard sensor.matrixSource == "default", sensor.isChosen else { return .ok(summary) }
        return .note(
            summary,
            "It has no mount matrix: the default is right for most panels. If the display turns the wrong way, calibrate",
            fix: Fix.calibrate)
    }
}
