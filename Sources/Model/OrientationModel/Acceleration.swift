// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The reading of an accelerometer: specific force in m/s², in the device frame.
///
/// This comment defines the convention of the whole project; all other comments refer to it.
///
/// - **Axes**: x points to the right edge of the screen, y to its top edge, z out of the screen towards the user. The
///   frame is fixed to the device: it does not rotate with the interface.
/// - **Sign**: specific force, which points *away* from the ground at rest. Upright the device reads `(0, +9.81, 0)`,
///   with its right edge up `(+9.81, 0, 0)`, on its back `(0, 0, +9.81)`. The kernel's mount-matrix document, Android
///   and the W3C use this sign; HID and iOS use the opposite one.
/// - **Unit**: m/s². One standard gravity is ``standardGravity``.
public struct Acceleration: Hashable, Sendable {
    /// One standard gravity in m/s² (ISO 80000-3).
    public static let standardGravity = 9.80665

    /// The component towards the right edge of the screen, in m/s².
    public var x: Double
    /// The component towards the top edge of the screen, in m/s².
    public var y: Double
    /// The component out of the screen, in m/s².
    public var z: Double

    /// Creates a vector from its components in m/s².
    public init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The length of the vector in m/s²; close to ``standardGravity`` at rest.
    public var magnitude: Double {
        (x * x + y * y + z * z).squareRoot()
    }

    /// Whether all three components are finite numbers.
    public var isFinite: Bool {
        x.isFinite && y.isFinite && z.isFinite
    }
}

/// Limits for readings, given by physics and by the chips in use.
package enum PhysicalLimits {
    /// The longest plausible vector, in m/s²: about 8 g, the measuring range of common chips. Longer ones are not
    /// readings.
    package static let largestMagnitude = 80.0
    /// The largest relative deviation of |a| from its length at rest for which its direction is taken for the vertical.
    package static let gravityTolerance = 0.4

    /// Returns whether a vector of this length can be gravity, of the length `rest` at rest, in m/s².
    package static func isGravity(_ length: Double, rest: Double = Acceleration.standardGravity) -> Bool {
        abs(length - rest) <= gravityTolerance * rest
    }
}

/// An acceleration with the time of its measurement.
public struct Sample: Hashable, Sendable {
    /// The time in seconds on the clock of the source; only differences between samples are used.
    public var time: Double
    /// The reading, in the device frame.
    public var acceleration: Acceleration

    /// Creates a sample from a time in seconds and a reading in the device frame.
    public init(time: Double, acceleration: Acceleration) {
        self.time = time
        self.acceleration = acceleration
    }

    package func scaled(by factor: Double) -> Sample { Sample(time: time, acceleration: factor * acceleration) }
}

/// Vector arithmetic.
extension Acceleration {
    /// Returns the sum of two vectors.
    public static func + (left: Acceleration, right: Acceleration) -> Acceleration {
        Acceleration(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
    }

    /// Returns the difference of two vectors.
    public static func - (left: Acceleration, right: Acceleration) -> Acceleration {
        Acceleration(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
    }

    /// Returns the vector scaled by a factor.
    public static func * (factor: Double, vector: Acceleration) -> Acceleration {
        Acceleration(x: factor * vector.x, y: factor * vector.y, z: factor * vector.z)
    }

    /// Returns the scalar (dot) product.
    public func dot(_ other: Acceleration) -> Double {
        x * other.x + y * other.y + z * other.z
    }

    /// Returns the vector (cross) product, right-handed: x × y = z.
    public func cross(_ other: Acceleration) -> Acceleration {
        Acceleration(
            x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
    }
    package static let zero = Acceleration(x: 0, y: 0, z: 0)

    package var components: [Double] { [x, y, z] }

    /// The vector of length 1 in the same direction; not finite for the zero vector.
    package var normalized: Acceleration { (1 / magnitude) * self }

    /// Returns the angle between two vectors, in degrees from 0 to 180.
    ///
    /// Computed from both products: the arc cosine alone is inaccurate for small angles.
    package func angle(to other: Acceleration) -> Double {
        atan2(cross(other).magnitude, dot(other)) * 180 / .pi
    }
}
