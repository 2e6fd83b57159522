// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// The mount matrix of a sensor, estimated from its readings in known poses, and the quality of the estimate.
///
/// With u the specific force in the sensor's axes, the rotation R maps u to the device frame. The driver delivers s ·
/// u, where s is −1 for a driver that counts towards the ground. In the hardware database x and y have HID's sign
/// whatever the chip, and z has the opposite one, as ``DeviceFrame`` and iio-sensor-proxy read it: its rows are −s ·
/// R₁, −s · R₂ and s · R₃, and its determinant is s.
struct MountCalibration {
    /// The largest angle to an axis-aligned rotation for which the fit is replaced by it, in degrees: chips are
    /// soldered to within one degree, poses held to within five.
    static let axisTolerance = 8.0
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

    /// The deviation of one pose from the fit.
    struct Residual: Hashable {
        var pose: Pose
        var angle: Double
        /// The magnitude of the vector in m/s².
        var magnitude: Double
    }

    /// The rotation from the sensor's axes (specific force) to the device's.
    let rotation: Rotation
    /// Whether the rotation is axis-aligned, because the fit was close to such a rotation.
    let isAxisAligned: Bool
    /// The nearest axis-aligned rotation, and its angle to the fit in degrees.
    let nearest: (rotation: Rotation, angle: Double)
    let sense: Sense
    let residuals: [Residual]
    /// Bias and scale; nil unless all six poses were measured.
    let errors: SensorErrors?
    /// The matrix for the hardware database.
    let matrix: MountMatrix
    /// The value of ORIENTATIOND_FACE_SIGN; nil if it is not needed.
    let faceSign: Int?
    /// The device frame that the daemon derives from matrix and sign.
    let frame: DeviceFrame

    /// Estimates the rotation that fits the measurements best.
    ///
    /// - Parameters:
    ///   - measurements: Four to six measurements in any order.
    ///   - driverSense: The usual sign of such a driver.
    /// - Throws: ``CalibrationFailure`` if the measurements contradict each other.
    init(_ measurements: [PoseMeasurement], driverSense: DeviceFrame.SensorSense) throws(CalibrationFailure) {
        try PlausiblePoses.check(measurements)
        let expected = driverSense == .specificForce ? 1.0 : -1.0
        let usual = Fit(measurements, sign: expected)
        let other = Fit(measurements, sign: -expected)
        let isOpposite = other.error + Self.senseMargin < usual.error
        let isMeasured = (other.error - usual.error).magnitude > Self.senseMargin
        sense = isOpposite ? .opposite : .expected(isMeasured: isMeasured)
        let fit = isOpposite ? other : usual
        if let worst = fit.residuals.max(by: { $0.angle < $1.angle }), worst.angle > Self.residualTolerance {
            throw .misplaced(worst.pose, degrees: worst.angle)
        }
        nearest = fit.rotation.nearestAxisAligned
        isAxisAligned = nearest.angle <= Self.axisTolerance
        rotation = isAxisAligned ? nearest.rotation : fit.rotation
        residuals = Fit.residuals(measurements, rotation, sign: fit.sign)
        errors = measurements.count == Pose.counts.upperBound ? SensorErrors(measurements.map(\.vector)) : nil
        matrix = MountMatrix(
            x: (-fit.sign * rotation.x).written, y: (-fit.sign * rotation.y).written,
            z: (fit.sign * rotation.z).written)
        faceSign = isOpposite ? Int(fit.sign) : nil
        frame = DeviceFrame(matrix: matrix, sense: driverSense, faceSign: faceSign)
    }
}

/// The best rotation for a sensor that counts specific force (1) or its opposite (−1).
private struct Fit {
    let sign: Double
    let rotation: Rotation
    let residuals: [MountCalibration.Residual]
    /// The root mean square of the residuals, in degrees.
    let error: Double

    init(_ measurements: [PoseMeasurement], sign: Double) {
        self.sign = sign
        rotation = WahbaProblem.nearestRotation(
            measurements.map { (from: sign * $0.vector.normalized, to: $0.pose.direction) })
        residuals = Self.residuals(measurements, rotation, sign: sign)
        error = (residuals.reduce(0) { $0 + $1.angle * $1.angle } / Double(residuals.count)).squareRoot()
    }

    static func residuals(
        _ measurements: [PoseMeasurement], _ rotation: Rotation, sign: Double
    ) -> [MountCalibration.Residual] {
        measurements.map { measurement in
            MountCalibration.Residual(
                pose: measurement.pose,
                angle: rotation(sign * measurement.vector).angle(to: measurement.pose.direction),
                magnitude: measurement.vector.magnitude)
        }
    }
}

extension Acceleration {
    /// The vector as written: four decimal places (a hundredth of a degree), and no negative zero.
    fileprivate var written: Acceleration {
        Acceleration(x: x.rounded(places: 4), y: y.rounded(places: 4), z: z.rounded(places: 4))
    }
}
