// SPDX-License-Identifier: Apache-2.0

import Glibc
package import OrientationModel

/// A proper rotation (determinant 1): from the axes of a sensor that counts specific force to those of the device.
package struct Rotation: Hashable, Sendable {
    /// The device's x, y and z axes in the sensor's coordinates, each of length 1.
    package let x: Acceleration
    package let y: Acceleration
    package let z: Acceleration

    /// Completes a right-handed frame; `x` and `y` are orthogonal and of length 1.
    init(x: Acceleration, y: Acceleration) {
        self.x = x
        self.y = y
        z = x.cross(y)
    }

    /// The attitude matrix of a unit quaternion whose last part is the scalar (Markley's convention).
    package init(quaternion q: [Double]) {
        let (a, b, c, d) = (q[0], q[1], q[2], q[3])
        self.init(
            x: Acceleration(x: a * a - b * b - c * c + d * d, y: 2 * (a * b + c * d), z: 2 * (a * c - b * d)),
            y: Acceleration(x: 2 * (a * b - c * d), y: -a * a + b * b - c * c + d * d, z: 2 * (b * c + a * d)))
    }

    /// Turns a vector in the sensor's axes into the device's.
    package func callAsFunction(_ vector: Acceleration) -> Acceleration {
        Acceleration(x: x.dot(vector), y: y.dot(vector), z: z.dot(vector))
    }

    /// The sensor's own x, y and z axes, in the device frame.
    package var sensorAxes: [Acceleration] {
        [
            Acceleration(x: x.x, y: y.x, z: z.x), Acceleration(x: x.y, y: y.y, z: z.y),
            Acceleration(x: x.z, y: y.z, z: z.z),
        ]
    }

    /// By how many degrees one must be turned to become the other.
    package func angle(to other: Rotation) -> Double {
        // The distance in Frobenius' norm, √8 · sin(θ/2), also knows small angles, which the trace does not.
        let differences = [x - other.x, y - other.y, z - other.z]
        let distance = differences.reduce(0) { $0 + $1.dot($1) }.squareRoot()
        return 2 * asin(min(distance / 8.0.squareRoot(), 1)) * 180 / .pi
    }

    /// The 24 in which every axis of the sensor lies along one of the device's.
    package static let axisAligned: [Rotation] = {
        let axes = Pose.allCases.map(\.direction)
        return axes.flatMap { x in axes.filter { x.dot($0) == 0 }.map { Rotation(x: x, y: $0) } }
    }()

    /// The one of the 24 that is nearest, and by how many degrees this one is turned from it.
    package var nearestAxisAligned: (rotation: Rotation, angle: Double) {
        Self.axisAligned.map { ($0, angle(to: $0)) }.min { $0.1 < $1.1 } ?? (self, 0)
    }
}
