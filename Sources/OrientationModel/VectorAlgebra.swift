// SPDX-License-Identifier: Apache-2.0

/// Vectors are added, scaled and multiplied in one place.
extension Acceleration {
    /// The sum of two vectors.
    public static func + (left: Acceleration, right: Acceleration) -> Acceleration {
        Acceleration(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
    }

    /// The difference of two vectors.
    public static func - (left: Acceleration, right: Acceleration) -> Acceleration {
        Acceleration(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
    }

    /// A vector made longer or shorter, or turned round by a negative factor.
    public static func * (factor: Double, vector: Acceleration) -> Acceleration {
        Acceleration(x: factor * vector.x, y: factor * vector.y, z: factor * vector.z)
    }

    /// The scalar product.
    public func dot(_ other: Acceleration) -> Double {
        x * other.x + y * other.y + z * other.z
    }

    /// The vector product, right-handed: x × y = z.
    public func cross(_ other: Acceleration) -> Acceleration {
        Acceleration(
            x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
    }
}
