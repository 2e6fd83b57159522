// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// How a sensor is mounted, found from how it reads the poses: the mount matrix for the hardware database, and how well
/// it explains what was read.
///
/// With u the specific force in the sensor's axes, the rotation R turns u into the device frame. The driver delivers
/// s · u, where s is −1 for one that counts towards the ground. In the hardware database x and y are in HID's sense
/// whatever the chip, and z in the opposite one, as ``DeviceFrame`` and iio-sensor-proxy read it; so its rows are
/// −s · R₁, −s · R₂ and s · R₃, and its determinant is s.
package struct MountCalibration: Sendable {
    /// How near to one of the 24 axis-aligned rotations a fit is taken for that one, in degrees. Chips are soldered to
    /// the degree; poses are held to five.
    package static let axisTolerance = 8.0
    /// How far a pose may be from where the rotation puts it, in degrees.
    package static let residualTolerance = 25.0
    /// By how much one sense must fit better than the other to be told from it, in degrees of root mean square.
    static let senseMargin = 10.0

    /// Which way the sensor counts, as far as the poses tell.
    package enum Sense: Sendable {
        /// As its driver does usually; or it cannot be told, since no face was shown.
        case expected(isMeasured: Bool)
        /// The other way: either two opposite poses were exchanged, or the driver is an exception.
        case opposite
    }

    /// How far a pose was from where the rotation puts it.
    package struct Residual: Hashable, Sendable {
        package var pose: Pose
        /// In degrees.
        package var angle: Double
        /// How long the vector was, in m/s².
        package var magnitude: Double
    }

    /// From the axes of the sensor, taken to count specific force, to the device's.
    package let rotation: Rotation
    /// Whether it is exactly one of the 24, since the fit was near to it.
    package let isAxisAligned: Bool
    /// The nearest of the 24, and how many degrees the fit was from it.
    package let nearest: (rotation: Rotation, angle: Double)
    package let sense: Sense
    package let residuals: [Residual]
    /// Bias and scale; nil unless all six poses were given.
    package let errors: SensorErrors?
    /// What the hardware database has to say.
    package let matrix: MountMatrix
    /// What ORIENTATIOND_FACE_SIGN has to say; nil where nothing.
    package let faceSign: Int?
    /// What the daemon makes of that.
    package let frame: DeviceFrame

    /// Finds the rotation that explains the measurements best.
    ///
    /// - Parameters:
    ///   - measurements: four to six of them, in any order.
    ///   - driverSense: which way a driver of this kind counts.
    /// - Throws: ``CalibrationFailure``, where they cannot be what they say.
    package init(
        _ measurements: [PoseMeasurement], driverSense: DeviceFrame.SensorSense
    ) throws(CalibrationFailure) {
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

/// The nearest rotation for a sensor that counts specific force (1) or its opposite (−1).
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
    /// As it is written: four decimal places are a hundredth of a degree, and a zero has no sign.
    fileprivate var written: Acceleration {
        let places = { (value: Double) in (value * 10_000).rounded() / 10_000 + 0 }
        return Acceleration(x: places(x), y: places(y), z: places(z))
    }
}
