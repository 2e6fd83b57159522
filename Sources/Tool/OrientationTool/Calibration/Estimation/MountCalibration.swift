// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel

/// The mount matrix of a sensor, found from its readings in known poses, and the quality of the result.
///
/// With u the specific force in the sensor's axes, the rotation R maps u to the device frame. The driver delivers s ·
/// u, where s is −1 for a driver that counts towards the ground. In the hardware database x and y have HID's sign
/// whatever the chip, and z has the opposite one, as ``DeviceFrame`` and iio-sensor-proxy read it: its rows are −s ·
/// R₁, −s · R₂ and s · R₃, and its determinant is s.
struct MountCalibration {
    /// The largest angle to a mounting that is found, in degrees: chips are soldered to within one degree, and the errors of
    /// poses that are held 15° wrong cancel in part.
    static let mountTolerance = 12.0
    /// The largest residual of a pose, in degrees.
    static let residualTolerance = 25.0
    /// The difference between the errors of both senses that is needed to tell them apart, in degrees (root mean
    /// square).
    static let senseMargin = 10.0

    /// The sign of the sensor's vectors, as far as the poses show it.
    enum Sense {
        /// The usual sign of its driver; not measured without a face.
        case expected(isMeasured: Bool)
        /// The opposite sign: two opposite poses were swapped, or the driver is an exception.
        case opposite
    }

    /// The deviation of one pose from the mounting.
    struct Residual: Hashable {
        var pose: Pose
        var angle: Double
        /// The magnitude of the vector in m/s².
        var magnitude: Double
    }

    /// The rotation from the sensor's axes (specific force) to the device's.
    let rotation: Rotation
    /// How much larger the error of the next best mounting is, in degrees (root mean square).
    let margin: Double
    let sense: Sense
    let residuals: [Residual]
    /// The matrix for the hardware database.
    let matrix: MountMatrix
    /// The value of ORIENTATIOND_FACE_SIGN; nil if it is not needed.
    let faceSign: Int?
    /// The device frame that the daemon derives from matrix and sign.
    let frame: DeviceFrame

    /// Whether every axis of the sensor is parallel to one of the device's.
    var isAxisAligned: Bool { Rotation.axisAligned.contains(rotation) }

    /// Finds the mounting that fits the measurements best.
    ///
    /// - Parameters:
    ///   - measurements: Those of the first four to six poses.
    ///   - driverSense: The usual sign of such a driver.
    /// - Throws: ``CalibrationFailure`` if the measurements contradict each other, or fit no mounting.
    init(_ measurements: [PoseMeasurement], driverSense: DeviceFrame.SensorSense) throws(CalibrationFailure) {
        for measurement in measurements { try PlausiblePoses.checkGravity(measurement) }
        let expected = driverSense == .specificForce ? 1.0 : -1.0
        let usual = Fit.ranked(measurements, sign: expected)
        let other = Fit.ranked(measurements, sign: -expected)
        let isOpposite = other[0].error + Self.senseMargin < usual[0].error
        let isMeasured = (other[0].error - usual[0].error).magnitude > Self.senseMargin
        sense = isOpposite ? .opposite : .expected(isMeasured: isMeasured)
        let fits = isOpposite ? other : usual
        let fit = fits[0]
        // All poses of a sensor that is mounted in another way are off by about the same angle.
        if let worst = fit.residuals.max(by: { $0.angle < $1.angle }),
            worst.angle > max(Self.residualTolerance, 2 * fit.angle)
        {
            throw .misplaced(worst.pose, degrees: worst.angle)
        }
        guard fit.angle <= Self.mountTolerance else { throw .oblique(degrees: fit.angle) }
        rotation = fit.rotation
        margin = fits[1].error - fit.error
        residuals = fit.residuals
        matrix = MountMatrix(
            x: (-fit.sign * rotation.x).written, y: (-fit.sign * rotation.y).written,
            z: (fit.sign * rotation.z).written)
        faceSign = isOpposite ? Int(fit.sign) : nil
        frame = DeviceFrame(matrix: matrix, sense: driverSense, faceSign: faceSign)
    }
}

/// A possible mounting of a sensor that counts specific force (1) or its opposite (−1).
private struct Fit {
    let sign: Double
    let rotation: Rotation
    let residuals: [MountCalibration.Residual]
    /// The root mean square of the residuals, in degrees.
    let error: Double
    /// The angle by which all poses are turned together, in degrees: that of the sensor to this mounting.
    let angle: Double

    /// Returns all mountings, the best one first.
    static func ranked(_ measurements: [PoseMeasurement], sign: Double) -> [Fit] {
        (Rotation.axisAligned + Rotation.diagonal).map { Fit(measurements, $0, sign) }.sorted { $0.error < $1.error }
    }

    private init(_ measurements: [PoseMeasurement], _ rotation: Rotation, _ sign: Double) {
        self.sign = sign
        self.rotation = rotation
        let seen = measurements.map { (pose: $0.pose, vector: rotation(sign * $0.vector)) }
        residuals = seen.map { pose, vector in
            MountCalibration.Residual(
                pose: pose, angle: vector.angle(to: pose.direction), magnitude: vector.magnitude)
        }
        error = (residuals.reduce(0) { $0 + $1.angle * $1.angle } / Double(residuals.count)).squareRoot()
        // The cross product with a pose is the axis of the turn times its sine, without the part along the pose.
        let crosses = seen.map { pose, vector in vector.normalized.cross(pose.direction) }
        let sum = crosses.reduce(Acceleration.zero, +)
        func part(_ sum: Double, along axis: Acceleration) -> Double {
            sum / Double(seen.count { $0.pose.direction.dot(axis) == 0 })
        }
        let turn = Acceleration(
            x: part(sum.x, along: Pose.right.direction), y: part(sum.y, along: Pose.top.direction),
            z: part(sum.z, along: Pose.faceUp.direction))
        angle = asin(min(turn.magnitude, 1)) * 180 / .pi
    }
}

extension Acceleration {
    /// The vector as written: four decimal places (a hundredth of a degree), and no negative zero.
    fileprivate var written: Acceleration {
        Acceleration(x: x.rounded(places: 4), y: y.rounded(places: 4), z: z.rounded(places: 4))
    }
}
