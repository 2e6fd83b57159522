// SPDX-License-Identifier: Apache-2.0

import Glibc
package import OrientationModel

/// Angles between vectors, in degrees.
extension Acceleration {
    static let zero = Acceleration(x: 0, y: 0, z: 0)

    var normalized: Acceleration { (1 / magnitude) * self }

    /// The angle to another vector, 0 to 180. By both products: the cosine alone knows nothing of small angles.
    package func angle(to other: Acceleration) -> Double {
        atan2(cross(other).magnitude, dot(other)) * 180 / .pi
    }
}

extension [Acceleration] {
    var mean: Acceleration { (1 / Double(count)) * reduce(.zero, +) }
}
