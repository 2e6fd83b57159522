// SPDX-License-Identifier: Apache-2.0

import Glibc
package import OrientationModel

/// The little arithmetic that moving a simulated device needs; directions are vectors of length 1.
extension Acceleration {
    static let zero = Acceleration(x: 0, y: 0, z: 0)

    var normalized: Acceleration { (1 / magnitude) * self }

    /// Turned about `axis` (length 1) by `angle` radians, right-handed (Rodrigues' formula).
    func turned(by angle: Double, about axis: Acceleration) -> Acceleration {
        let (sine, cosine) = (sin(angle), cos(angle))
        return cosine * self + sine * axis.cross(self) + ((1 - cosine) * axis.dot(self)) * axis
    }

    func mapped(_ transform: (Double) -> Double) -> Acceleration {
        Acceleration(x: transform(x), y: transform(y), z: transform(z))
    }
}

extension DeviceOrientation {
    /// Where a still device reads gravity's reaction in this pose, of length 1; nil for unknown.
    package var direction: Acceleration? {
        switch self {
        case .unknown: nil
        case .portrait: Acceleration(x: 0, y: 1, z: 0)
        case .portraitUpsideDown: Acceleration(x: 0, y: -1, z: 0)
        case .landscapeLeft: Acceleration(x: 1, y: 0, z: 0)
        case .landscapeRight: Acceleration(x: -1, y: 0, z: 0)
        case .faceUp: Acceleration(x: 0, y: 0, z: 1)
        case .faceDown: Acceleration(x: 0, y: 0, z: -1)
        }
    }
}
