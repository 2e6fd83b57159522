// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel

/// A laptop as two rigid bodies with a hinge: rotation matrices alone, no angle between readings.
struct Laptop {
    /// The lid angle, and the attitude of the base, in degrees: about the vertical, the hinge, and the base's length.
    var lid = 100.0
    var yaw = 0.0
    var pitch = 0.0
    var roll = 0.0
    /// The acceleration of both bodies in m/s², in the frame of the world.
    var push = Acceleration.zero

    /// The x, y and z axis of the base, in the frame of the world, whose z axis points up.
    private var baseAxes: [Acceleration] {
        let turns: [(Acceleration, Double)] = [
            (.init(x: 0, y: 1, z: 0), roll), (.init(x: 1, y: 0, z: 0), pitch), (.init(x: 0, y: 0, z: 1), yaw),
        ]
        return [.init(x: 1, y: 0, z: 0), .init(x: 0, y: 1, z: 0), .init(x: 0, y: 0, z: 1)].map { axis in
            turns.reduce(axis) { $0.rotated(about: $1.0, by: $1.1) }
        }
    }

    var base: Acceleration { reading(baseAxes) }

    var display: Acceleration {
        let axes = baseAxes
        return reading(axes.map { $0.rotated(about: axes[0], by: 180 - lid) })
    }

    /// The part of the hinge's direction that is vertical.
    var steepness: Double { abs(baseAxes[0].z) }

    /// The degrees between the normal of the keyboard and the vertical.
    var keyboardTilt: Double { acos(min(max(baseAxes[2].z, -1), 1)) * 180 / .pi }

    /// Whether it is a laptop by the base, of which the lid angle says the opposite: surely, and perhaps.
    var isOnLap: Bool { (185...295).contains(lid) && keyboardTilt < 25 }
    var mayBeOnLap: Bool { (175...315).contains(lid) && keyboardTilt < 45 }

    /// Whether the hinge is farther than 30° from the vertical: the sensors then know the angle.
    var isDefined: Bool { steepness < 0.86 }

    /// Whether the hinge is nearer than 18° to the vertical.
    var isVertical: Bool { steepness > 0.95 }

    private func reading(_ axes: [Acceleration]) -> Acceleration {
        let force = push + Acceleration(x: 0, y: 0, z: Acceleration.standardGravity)
        return Acceleration(x: axes[0].dot(force), y: axes[1].dot(force), z: axes[2].dot(force))
    }
}

extension Acceleration {
    /// Rodrigues' formula.
    fileprivate func rotated(about axis: Acceleration, by degrees: Double) -> Acceleration {
        let (sine, cosine) = (sin(degrees * .pi / 180), cos(degrees * .pi / 180))
        return cosine * self + sine * axis.cross(self) + ((1 - cosine) * axis.dot(self)) * axis
    }
}
