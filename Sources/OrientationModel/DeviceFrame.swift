// SPDX-License-Identifier: Apache-2.0

/// The way from a sensor's own axes to the device frame of ``Acceleration``.
///
/// Nobody agrees on the sign. Mount matrices in the field were tried out against a program that takes upright for
/// y = −g: whatever the chip delivers, x and y *after* the matrix are the negative of specific force. Their third row
/// was not used for many years and is unreliable: in three quarters of the entries of systemd's hardware database it
/// makes the frame left-handed. Therefore x and y are negated, and z is computed, not read: the device's z axis in the
/// sensor's coordinates is the vector product of the first two rows. That product does not change when both rows are
/// negated, so it is right whichever sense x and y were written in; only a sensor that itself delivers the negative of
/// specific force (a HID sensor hub) needs it negated.
public struct DeviceFrame: Hashable, Sendable {
    /// Which way a still sensor's vector points.
    public enum SensorSense: Sendable {
        /// Away from the ground, as most chips and the kernel's documentation have it.
        case specificForce
        /// Towards the ground, as HID sensor hubs and Windows have it.
        case gravity
    }

    /// How the device's z axis was found.
    public enum FaceRule: String, Sendable {
        /// The vector product of the first two rows.
        case crossProduct
        /// The third row as it is, since the first two are not orthogonal unit vectors.
        case thirdRow
    }

    /// How far the first two rows may be from orthogonal unit vectors, dimensionless.
    public static let tolerance = 0.1

    /// Where z comes from.
    public let faceRule: FaceRule
    private let x: Acceleration
    private let y: Acceleration
    private let z: Acceleration

    /// Makes the frame of a sensor that is mounted as `matrix` says.
    ///
    /// - Parameters:
    ///   - matrix: the mount matrix as it was found.
    ///   - sense: which way the driver's vectors point.
    ///   - faceSign: 1 or −1 overrules the sign of z that `sense` gives; nil leaves it.
    public init(matrix: MountMatrix, sense: SensorSense, faceSign: Int? = nil) {
        let (first, second) = (matrix.rows[0], matrix.rows[1])
        x = -1 * first
        y = -1 * second
        if Self.areOrthonormal(first, second) {
            faceRule = .crossProduct
            z = Double(faceSign ?? (sense == .specificForce ? 1 : -1)) * first.cross(second)
        } else {
            faceRule = .thirdRow
            z = Double(faceSign ?? 1) * matrix.rows[2]
        }
    }

    /// Turns a vector in the sensor's axes and m/s² into the device frame.
    public func callAsFunction(_ vector: Acceleration) -> Acceleration {
        Acceleration(x: x.dot(vector), y: y.dot(vector), z: z.dot(vector))
    }

    /// Turns a vector in the device frame back into the sensor's axes; nil where the matrix says too little for that.
    package func inverse(_ vector: Acceleration) -> Acceleration? {
        let determinant = x.cross(y).dot(z)
        guard determinant.magnitude > Self.tolerance else { return nil }
        return (1 / determinant) * (vector.x * y.cross(z) + vector.y * z.cross(x) + vector.z * x.cross(y))
    }

    private static func areOrthonormal(_ a: Acceleration, _ b: Acceleration) -> Bool {
        abs(a.magnitude - 1) <= tolerance && abs(b.magnitude - 1) <= tolerance && abs(a.dot(b)) <= tolerance
    }
}
