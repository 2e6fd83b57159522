// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// A pose of the calibration, in the order of asking: each is a quarter turn from the previous one, and the poses that
/// hide the screen come last.
///
/// The first four are the edge of the unrotated picture that is up: names of device orientations would depend on the
/// shape of the panel.
enum Pose: String, CaseIterable {
    case top
    case right
    case bottom
    case left
    case faceUp
    case faceDown

    var title: String {
        switch self {
        case .top, .right, .bottom, .left: "\(rawValue) edge up"
        case .faceUp: "screen up"
        case .faceDown: "screen down"
        }
    }

    /// The number of poses that a calibration needs.
    static let counts = 4...6

    var panelPose: PanelPose {
        switch self {
        case .top: .edge(.top)
        case .right: .edge(.right)
        case .bottom: .edge(.bottom)
        case .left: .edge(.left)
        case .faceUp: .faceUp
        case .faceDown: .faceDown
        }
    }

    /// The direction of specific force at rest in this pose, in the device frame, of length 1.
    var direction: Acceleration { panelPose.direction }

    /// Returns the angle between two poses: 0, 90 or 180 degrees.
    func angle(to other: Pose) -> Double {
        90 * (1 - direction.dot(other.direction))
    }
}

/// The mean reading of the sensor in a pose.
struct PoseMeasurement: Hashable {
    var pose: Pose
    /// The vector in the sensor's own axes in m/s², with the driver's sign.
    var vector: Acceleration

    /// Corrects a wrong scale: the daemon does so only after the first poses.
    init(_ pose: Pose, _ vector: Acceleration) {
        self.pose = pose
        self.vector = (ScaleEstimate.factor(for: vector.magnitude) ?? 1) * vector
    }
}

/// Checks of measurements by the angles between them.
///
/// An angle depends neither on the mounting of the sensor nor on its sign: it shows how the device was held.
struct PlausiblePoses {
    /// The largest deviation of a magnitude from one standard gravity, in m/s²: larger than bias and scale errors of a
    /// poor chip.
    static let gravityTolerance = 2.0
    /// The angle below which two poses are the same, in degrees.
    static let sameAngle = 45.0
    /// The largest deviation of an angle between two poses from 90° or 180°, in degrees: both held 15° wrong. Covers a
    /// round back or a stand.
    static let angleTolerance = 30.0

    static func checkGravity(_ measurement: PoseMeasurement) throws(CalibrationFailure) {
        let magnitude = measurement.vector.magnitude
        // Written so that NaN fails too.
        guard (magnitude - Acceleration.standardGravity).magnitude <= gravityTolerance else {
            throw .notOneGravity(measurement.pose, magnitude: magnitude)
        }
    }

    /// Returns the pairs with a wrong angle.
    static func misfits(_ measurements: [PoseMeasurement]) -> [(PoseMeasurement, PoseMeasurement)] {
        measurements.indices.flatMap { index in
            measurements[..<index].map { ($0, measurements[index]) }
        }.filter { one, other in
            (one.vector.angle(to: other.vector) - one.pose.angle(to: other.pose)).magnitude > angleTolerance
        }
    }
}
