// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A turn of a device by the shortest rotation, for simulations. It starts and ends slowly: minimum jerk (Flash and
/// Hogan, 1985), the trajectory of human arms.
package struct DeviceTurn: Sendable {
    /// The position of the sensor relative to the center of rotation, in metres.
    private static let lever = Acceleration(x: 0.03, y: 0.12, z: 0)

    /// The duration in seconds.
    package let duration: Double
    private let from: Acceleration
    private let axis: Acceleration
    private let angle: Double

    /// Creates a turn between two directions of gravity's reaction, both of length 1, in `duration` seconds.
    package init(from: Acceleration, to: Acceleration, duration: Double) {
        self.from = from
        self.duration = duration
        let across = from.cross(to)
        if across.magnitude > 1e-6 {
            axis = across.normalized
        } else {
            // Half a turn: about z, as users turn a screen over its edge, unless z is vertical.
            let other = abs(from.z) < 0.9 ? Acceleration(x: 0, y: 0, z: 1) : Acceleration(x: 1, y: 0, z: 0)
            axis = (other - other.dot(from) * from).normalized
        }
        angle = atan2(across.magnitude, from.dot(to))
    }

    /// Returns the direction of gravity's reaction after `time` seconds, of length 1.
    package func direction(at time: Double) -> Acceleration {
        let turned = angle * progress(at: time).share
        return cos(turned) * from + sin(turned) * axis.cross(from)
    }

    /// Returns the acceleration of the sensor in the turn after `time` seconds, in m/s².
    package func swing(at time: Double) -> Acceleration {
        let (_, speed, change) = progress(at: time)
        let across = axis.cross(Self.lever)
        return (angle * speed * angle * speed) * axis.cross(across) + (-angle * change) * across
    }

    /// Returns the completed share of the turn with its first and second time derivative.
    private func progress(at time: Double) -> (share: Double, speed: Double, change: Double) {
        let part = duration > 0 ? time / duration : 1
        guard part < 1 else { return (1, 0, 0) }
        guard part > 0 else { return (0, 0, 0) }
        let square = part * part
        return (
            square * part * (10 + part * (6 * part - 15)),
            30 * square * (1 - part) * (1 - part) / duration,
            60 * part * (1 - part) * (1 - 2 * part) / (duration * duration)
        )
    }
}
