// SPDX-License-Identifier: Apache-2.0

import Glibc
package import OrientationModel

/// A scripted motion of a device, and the sensor in it: a pure function of time.
///
///     Scenario.demonstration.reading(at: 3.2)
///
/// The same scenario gives the same readings, at any times and in any order of calls.
package struct Scenario: Hashable, Sendable {
    /// A turn to a pose, and the time to stay there.
    package struct Step: Hashable, Sendable {
        /// The direction to turn to, by the shortest rotation, of length 1.
        var direction: Acceleration
        /// The mean speed of the turn in degrees per second; the turn starts and ends slowly.
        var speed = 240.0
        /// The time to stay after the turn, in seconds.
        var hold: Double
        var shaking = Shaking.none
        /// The share of gravity that is supported: 1 in a hand, 0 in free fall.
        var support = 1.0
        /// The failure of the sensor during this step; nil while it works.
        var failure: String?
    }

    /// The result of a reading.
    package enum Reading: Hashable, Sendable {
        case acceleration(Acceleration)
        /// A lost sample; later ones follow.
        case lost
        /// A failure with its reason.
        case failure(String)
    }

    package let name: String
    package var sensor: SensorModel
    package var random: SeededNoise
    /// The position of the sensor relative to the centre of rotation, in metres.
    package var lever = Acceleration(x: 0.03, y: 0.12, z: 0)
    private let moves: [Move]

    /// The length of the script in seconds; the last pose lasts after it.
    package let duration: Double

    package init(name: String, sensor: SensorModel = .good, seed: UInt64 = 1, _ steps: [Step]) {
        precondition(!steps.isEmpty, "a scenario has at least one step")
        self.name = name
        self.sensor = sensor
        random = SeededNoise(seed: seed)
        var start = 0.0
        var from = steps[0].direction
        var moves: [Move] = []
        for step in steps {
            moves.append(Move(from: from, start: start, step))
            start = moves[moves.count - 1].end
            from = step.direction
        }
        self.moves = moves
        duration = start
    }

    /// Returns the reading at `time`, in seconds from the beginning.
    package func reading(at time: Double) -> Reading {
        let move = move(at: time)
        if let failure = move.step.failure { return .failure(failure) }
        let up = move.up(at: time)
        let shaking = move.step.shaking.acceleration(at: time, up: up)
        let gravity = (move.step.support * Acceleration.standardGravity) * up
        let truth = gravity + shaking + move.swing(at: time, lever: lever)
        return sensor.reading(of: truth, at: time, random).map(Reading.acceleration) ?? .lost
    }

    /// Returns the true direction of gravity's reaction, of length 1.
    package func direction(at time: Double) -> Acceleration {
        move(at: time).up(at: time)
    }

    /// Returns the samples of the whole script at a constant rate, without lost and failed ones.
    package func samples(hertz: Double) -> [Sample] {
        (0..<Int(duration * hertz)).compactMap { index in
            let time = Double(index) / hertz
            guard case .acceleration(let acceleration) = reading(at: time) else { return nil }
            return Sample(time: time, acceleration: acceleration)
        }
    }

    private func move(at time: Double) -> Move {
        moves.last { $0.start <= time } ?? moves[0]
    }
}

/// A step with its start time in seconds.
private struct Move: Hashable, Sendable {
    let from: Acceleration
    let start: Double
    let step: Scenario.Step
    private let axis: Acceleration
    private let angle: Double
    private let turning: Double

    init(from: Acceleration, start: Double, _ step: Scenario.Step) {
        self.from = from
        self.start = start
        self.step = step
        let across = from.cross(step.direction)
        if across.magnitude > 1e-6 {
            axis = across.normalized
        } else {
            // Half a turn: about z, as users turn a screen over its edge, unless z is vertical.
            axis = abs(from.z) < 0.9 ? Acceleration(x: 0, y: 0, z: 1) : Acceleration(x: 1, y: 0, z: 0)
        }
        angle = atan2(across.magnitude, from.dot(step.direction))
        turning = angle * 180 / .pi / step.speed
    }

    var end: Double { start + turning + step.hold }

    func up(at time: Double) -> Acceleration {
        let turned = from.turned(by: angle * progress(at: time).share, about: axis)
        return turned.turned(by: step.shaking.rolled(at: time), about: Acceleration(x: 0, y: 0, z: 1))
    }

    /// Returns the acceleration in m/s² of a sensor at `lever` metres from the centre of rotation.
    func swing(at time: Double, lever: Acceleration) -> Acceleration {
        let (_, speed, change) = progress(at: time)
        let inward = axis.cross(axis.cross(lever))
        return (angle * speed * angle * speed) * inward + (-angle * change) * axis.cross(lever)
    }

    /// Returns the completed share of the turn with its first and second time derivative: minimum jerk (Flash and
    /// Hogan, 1985), the trajectory of human arms.
    private func progress(at time: Double) -> (share: Double, speed: Double, change: Double) {
        let part = turning > 0 ? (time - start) / turning : 1
        guard part < 1 else { return (1, 0, 0) }
        guard part > 0 else { return (0, 0, 0) }
        let square = part * part
        return (
            square * part * (10 + part * (6 * part - 15)),
            30 * square * (1 - part) * (1 - part) / turning,
            60 * part * (1 - part) * (1 - 2 * part) / (turning * turning)
        )
    }
}

extension Acceleration {
    /// Returns the vector rotated by `angle` radians about `axis` (of length 1), right-handed (Rodrigues' formula).
    func turned(by angle: Double, about axis: Acceleration) -> Acceleration {
        let (sine, cosine) = (sin(angle), cos(angle))
        return cosine * self + sine * axis.cross(self) + ((1 - cosine) * axis.dot(self)) * axis
    }
}
