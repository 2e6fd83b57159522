// SPDX-License-Identifier: Apache-2.0

/// The transformation from a sensor's own axes to the device frame of ``Acceleration``.
///
/// The sign conventions of mount matrices are inconsistent. Published matrices were tested against a program that takes
/// y = −g for upright: x and y *after* the matrix are the negative of specific force, whatever the chip delivers. The
/// third row was unused for many years and is unreliable: in three quarters of the entries of systemd's hardware
/// database it makes the frame left-handed. Therefore x and y are negated, and the device's z axis is computed as the
/// vector product of the first two rows. Negating both rows does not change the product: it is right
/// for either sign; it is negated only for a sensor that delivers the negative of specific force (a HID sensor hub).
public struct DeviceFrame: Hashable, Sendable {
    /// The sign of the vectors that a sensor delivers at rest.
    public enum SensorSense: Sendable {
        /// Away from the ground: most chips, and the kernel's documentation.
        case specificForce
        /// Towards the ground: HID sensor hubs and Windows.
        case gravity

        /// Creates the sense of this ``name``; of any other it is the usual one.
        package init(name: String) { self = name == Self.gravity.name ? .gravity : .specificForce }

        /// The name in recordings.
        package var name: String { self == .gravity ? "HID" : "specific force" }
    }

    /// Whether the first two rows are a rotation, which gives the device's z axis.
    public enum FaceRule: String, Sendable {
        /// The vector product of the first two rows.
        case crossProduct
        /// The first two rows are not orthogonal unit vectors. Rows of zeros and ones are replaced by those without a one
        /// too many, if only one matrix has them; others are used unchanged, with the third row as z.
        case thirdRow
    }

    /// The largest deviation of the first two rows from orthogonal unit vectors, dimensionless.
    public static let tolerance = 0.1

    /// The origin of the z axis.
    public let faceRule: FaceRule
    /// The length of the first two rows, if they would be a rotation without this factor; otherwise 1. Not applied: a
    /// factor changes no direction.
    package let matrixFactor: Double
    /// The matrix that is used instead of one that is no rotation; nil without one.
    package let replacement: MountMatrix?
    /// Whether the device's z axis is the third row of the matrix.
    package var usesThirdRow: Bool { faceRule == .thirdRow && replacement == nil }
    private let x: Acceleration
    private let y: Acceleration
    private let z: Acceleration

    /// Creates the frame of a sensor with a mount matrix.
    ///
    /// - Parameters:
    ///   - matrix: The mount matrix as published.
    ///   - sense: The sign of the driver's vectors.
    ///   - faceSign: 1 or −1 overrides the sign of z that follows from `sense`; nil keeps it.
    public init(matrix: MountMatrix, sense: SensorSense, faceSign: Int? = nil) {
        let length = matrix.rows[0].magnitude
        let isScaled =
            abs(length - 1) > Self.tolerance
            && Self.areOrthonormal((1 / length) * matrix.rows[0], (1 / length) * matrix.rows[1])
        matrixFactor = isScaled ? length : 1
        var (first, second) = ((1 / matrixFactor) * matrix.rows[0], (1 / matrixFactor) * matrix.rows[1])
        faceRule = Self.areOrthonormal(first, second) ? .crossProduct : .thirdRow
        replacement = faceRule == .thirdRow ? matrix.withoutExtraOnes : nil
        if let replacement { (first, second) = (replacement.rows[0], replacement.rows[1]) }
        x = -1 * first
        y = -1 * second
        if faceRule == .crossProduct || replacement != nil {
            z = Double(faceSign ?? (sense == .specificForce ? 1 : -1)) * first.cross(second)
        } else {
            z = Double(faceSign ?? 1) * matrix.rows[2]
        }
    }

    /// Converts a vector from the sensor's axes to the device frame, both in m/s².
    public func callAsFunction(_ vector: Acceleration) -> Acceleration {
        Acceleration(x: x.dot(vector), y: y.dot(vector), z: z.dot(vector))
    }

    /// Converts a vector from the device frame to the sensor's axes; nil if the matrix is close to singular.
    package func inverse(_ vector: Acceleration) -> Acceleration? {
        let determinant = x.cross(y).dot(z)
        guard determinant.magnitude > Self.tolerance else { return nil }
        return (1 / determinant) * (vector.x * y.cross(z) + vector.y * z.cross(x) + vector.z * x.cross(y))
    }

    private static func areOrthonormal(_ a: Acceleration, _ b: Acceleration) -> Bool {
        abs(a.magnitude - 1) <= tolerance && abs(b.magnitude - 1) <= tolerance && abs(a.dot(b)) <= tolerance
    }
}
