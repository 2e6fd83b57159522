// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// Which rotation turns some directions best into others, by least squares: Wahba's problem (1965), solved by
/// Davenport's q-method. The rotation's quaternion is the eigenvector of a symmetric 4 × 4 matrix to its largest
/// eigenvalue (Markley and Crassidis, "Fundamentals of Spacecraft Attitude Determination and Control", 2014, 5.3.1).
/// Unlike a general linear fit it can only find proper rotations.
package enum WahbaProblem {
    /// The rotation for which `to` is nearest to the turned `from`; the vectors are of length 1.
    package static func nearestRotation(_ pairs: [(from: Acceleration, to: Acceleration)]) -> Rotation {
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

extension Acceleration {
    var components: [Double] { [x, y, z] }
}
