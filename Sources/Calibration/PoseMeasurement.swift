// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// What the sensor read, on average, while the device was held in a pose.
package struct PoseMeasurement: Hashable, Sendable {
    package var pose: Pose
    /// In the sensor's own axes and m/s², as the driver has it: no sign was changed.
    package var vector: Acceleration

    package init(_ pose: Pose, _ vector: Acceleration) {
        self.pose = pose
        self.vector = vector
    }
}

/// Measurements that can be what they say: the angles between them fit.
///
/// An angle does not depend on how the sensor is mounted nor on its sign, so that it tells what the person did.
struct PlausiblePoses {
    /// How far a still device's vector may be from one g, in m/s²: bias and scale of a poor chip are within.
    static let gravityTolerance = 2.0
    /// Less than this between two poses, in degrees, and it is the same one.
    static let sameAngle = 45.0
    /// How far the angle between two poses may be from a right or a straight one, in degrees: two poses that were held
    /// 15° wrong each. A back that is round, or a stand, is within.
    static let angleTolerance = 30.0

    /// - Throws: what does not fit, the grossest first.
    static func check(_ measurements: [PoseMeasurement]) throws(CalibrationFailure) {
        for (index, measurement) in measurements.enumerated() {
            if measurements[..<index].contains(where: { $0.pose == measurement.pose }) {
                throw .givenTwice(measurement.pose)
            }
            try checkGravity(measurement)
        }
        guard Pose.counts.contains(measurements.count) else { throw .tooFew(measurements.count) }
        try checkAngles(measurements)
        for (one, other) in [(Pose.portrait, Pose.portraitUpsideDown), (.landscapeLeft, .landscapeRight)]
        where !measurements.contains(where: { $0.pose == one || $0.pose == other }) {
            throw .undetermined(one, other)
        }
    }

    static func checkGravity(_ measurement: PoseMeasurement) throws(CalibrationFailure) {
        let magnitude = measurement.vector.magnitude
        // Not a number is not near either.
        guard (magnitude - Acceleration.standardGravity).magnitude <= gravityTolerance else {
            throw .notOneGravity(measurement.pose, magnitude: magnitude)
        }
    }

    private static func checkAngles(_ measurements: [PoseMeasurement]) throws(CalibrationFailure) {
        let misfits = misfits(measurements)
        guard !misfits.isEmpty else { return }
        for (one, other) in misfits where one.vector.angle(to: other.vector) < sameAngle {
            throw .same(one.pose, other.pose)
        }
        if let (one, other) = exchange(measurements) { throw .exchanged(one, other) }
        let worst = measurements.max { misfits.count(of: $0) < misfits.count(of: $1) }
        guard let worst, let partner = misfits.first(where: { $0.0 == worst || $0.1 == worst }) else { return }
        let angle = partner.0.vector.angle(to: partner.1.vector)
        throw .misplaced(worst.pose, degrees: (angle - partner.0.pose.angle(to: partner.1.pose)).magnitude)
    }

    /// The pairs whose angle is not what it should be.
    static func misfits(_ measurements: [PoseMeasurement]) -> [(PoseMeasurement, PoseMeasurement)] {
        measurements.indices.flatMap { index in
            measurements[..<index].map { ($0, measurements[index]) }
        }.filter { one, other in
            (one.vector.angle(to: other.vector) - one.pose.angle(to: other.pose)).magnitude > angleTolerance
        }
    }

    /// The one pair of poses whose exchange makes everything fit; nil where there is none, or more than one.
    private static func exchange(_ measurements: [PoseMeasurement]) -> (Pose, Pose)? {
        var found: [(Pose, Pose)] = []
        for (index, one) in measurements.enumerated() {
            for other in measurements[..<index] {
                let exchanged = measurements.map { measurement in
                    switch measurement.pose {
                    case one.pose: PoseMeasurement(other.pose, measurement.vector)
                    case other.pose: PoseMeasurement(one.pose, measurement.vector)
                    default: measurement
                    }
                }
                if misfits(exchanged).isEmpty { found.append((other.pose, one.pose)) }
            }
        }
        return found.count == 1 ? found[0] : nil
    }
}

extension [(PoseMeasurement, PoseMeasurement)] {
    fileprivate func count(of measurement: PoseMeasurement) -> Int {
        count { $0.0 == measurement || $0.1 == measurement }
    }
}
