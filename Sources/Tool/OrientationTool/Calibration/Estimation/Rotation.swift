// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel

/// A proper rotation (determinant 1) from a sensor's axes (specific force) to the device's.
struct Rotation: Hashable {
    /// The device's x, y and z axes in the sensor's coordinates, of length 1.
    let x: Acceleration
    let y: Acceleration
    let z: Acceleration

    /// Creates a right-handed frame from two orthogonal unit vectors.
    init(x: Acceleration, y: Acceleration) {
        self.x = x
        self.y = y
        z = x.cross(y)
    }

    /// Creates the attitude matrix of a unit quaternion with the scalar last (Markley's convention).
    init(quaternion q: [Double]) {
        let (a, b, c, d) = (q[0], q[1], q[2], q[3])
        self.init(
            x: Acceleration(x: a * a - b * b - c * c + d * d, y: 2 * (a * b + c * d), z: 2 * (a * c - b * d)),
            y: Acceleration(x: 2 * (a * b - c * d), y: -a * a + b * b - c * c + d * d, z: 2 * (b * c + a * d)))
    }

    /// Converts a vector from the sensor's axes to the device's.
    func callAsFunction(_ vector: Acceleration) -> Acceleration {
        Acceleration(x: x.dot(vector), y: y.dot(vector), z: z.dot(vector))
    }

    /// The sensor's own x, y and z axes, in the device frame.
    var sensorAxes: [Acceleration] {
        [
            Acceleration(x: x.x, y: y.x, z: z.x), Acceleration(x: x.y, y: y.y, z: z.y),
            Acceleration(x: x.z, y: y.z, z: z.z),
        ]
    }

    /// Returns the angle of the rotation between both, in degrees.
    func angle(to other: Rotation) -> Double {
        // The Frobenius norm of the difference, √8 · sin(θ/2), is accurate for small angles; the trace is not.
        let differences = [x - other.x, y - other.y, z - other.z]
        let distance = differences.reduce(0) { $0 + $1.dot($1) }.squareRoot()
        return 2 * asin(min(distance / 8.0.squareRoot(), 1)) * 180 / .pi
    }

    /// The 24 rotations for which every axis of the sensor is parallel to one of the device's.
    static let axisAligned: [Rotation] = {
        let axes = Pose.allCases.map(\.direction)
        return axes.flatMap { x in axes.filter { x.dot($0) == 0 }.map { Rotation(x: x, y: $0) } }
    }()

    /// The nearest axis-aligned rotation, and the angle to it in degrees.
    var nearestAxisAligned: (rotation: Rotation, angle: Double) {
        Self.axisAligned.map { ($0, angle(to: $0)) }.min { $0.1 < $1.1 } ?? (self, 0)
    }
}

/// Wahba's problem (1965): the rotation that maps one set of directions to another best, by least squares. Solved by
/// Davenport's q-method: the quaternion is the eigenvector of a symmetric 4 × 4 matrix for its largest eigenvalue
/// (Markley and Crassidis, "Fundamentals of Spacecraft Attitude Determination and Control", 2014, 5.3.1). Unlike a
/// general linear fit it returns proper rotations only.
enum WahbaProblem {
    /// Returns the rotation that maps each `from` closest to its `to`; all vectors are of length 1.
    static func nearestRotation(_ pairs: [(from: Acceleration, to: Acceleration)]) -> Rotation {
        Rotation(quaternion: SymmetricMatrix(davenport(pairs)).dominantEigenvector)
    }

    private static func davenport(_ pairs: [(from: Acceleration, to: Acceleration)]) -> [[Double]] {
        // The attitude profile: the sum of the outer products, with equal weights.
        var profile = [[Double]](repeating: [0, 0, 0], count: 3)
        for (from, to) in pairs {
            for (row, left) in to.components.enumerated() {
                for (column, right) in from.components.enumerated() { profile[row][column] += left * right }
            }
        }
        let trace = profile[0][0] + profile[1][1] + profile[2][2]
        let skew = [profile[1][2] - profile[2][1], profile[2][0] - profile[0][2], profile[0][1] - profile[1][0]]
        var matrix: [[Double]] = [[], [], [], skew + [trace]]
        for row in 0..<3 {
            for column in 0..<3 {
                let sum = profile[row][column] + profile[column][row]
                matrix[row].append(row == column ? sum - trace : sum)
            }
            matrix[row].append(skew[row])
        }
        return matrix
    }
}
