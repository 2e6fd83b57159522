// SPDX-License-Identifier: Apache-2.0

import Glibc
package import OrientationModel

/// A device that somebody holds, turns and shakes on a script, and the sensor in it: a pure function of time.
///
///     Scenario.demonstration.reading(at: 3.2)
///
/// The same scenario gives the same readings, at whatever times and in whatever order one asks.
package struct Scenario: Hashable, Sendable {
    /// Turn to a pose, then stay there.
    package struct Step: Hashable, Sendable {
        /// Where the device is turned to, on the shortest way, as a direction of length 1.
        var direction: Acceleration
        /// Mean speed of the turn in degrees per second; people turn slowly at first and at the end.
        var speed = 240.0
        /// Seconds to stay after the turn.
        var hold: Double
        var shaking = Shaking.none
        /// The share of gravity that the hand holds up: 1, or 0 in free fall.
        var support = 1.0
        /// Why the sensor gives nothing during this step; nil while it works.
        var failure: String?
    }

    /// What a source finds when it asks the sensor.
    package enum Reading: Hashable, Sendable {
        case acceleration(Acceleration)
        /// This sample got lost; the next will come.
        case lost
        /// The sensor fails, for this reason.
        case failure(String)
    }

    package let name: String
    package var sensor: SensorModel
    package var random: SeededNoise
    /// Where the sensor sits from the point about which the device is turned, in metres.
    package var lever = Acceleration(x: 0.03, y: 0.12, z: 0)
    private let moves: [Move]

    /// The length of the script in seconds; afterwards its last pose stays.
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

    /// What the sensor says at `time`, in seconds from the beginning.
    package func reading(at time: Double) -> Reading {
        let move = move(at: time)
        if let failure = move.step.failure { return .failure(failure) }
        let up = move.up(at: time)
        let shaking = move.step.shaking.acceleration(at: time, up: up)
        let gravity = (move.step.support * Acceleration.standardGravity) * up
        let truth = gravity + shaking + move.swing(at: time, lever: lever)
        return sensor.reading(of: truth, at: time, random).map(Reading.acceleration) ?? .lost
    }

    /// Where a sensor that is perfect and only feels gravity would read it, of length 1: the truth to judge by.
    package func direction(at time: Double) -> Acceleration {
        move(at: time).up(at: time)
    }

    /// The samples at an even rate over the whole script, without those lost or failed.
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

/// One step with its place in time.
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
            // Half a turn: about z, as people turn a screen over its edge, unless that is the vertical.
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

    /// The acceleration in m/s² of a sensor that sits `lever` metres from the point about which the device turns.
    func swing(at time: Double, lever: Acceleration) -> Acceleration {
        let (_, speed, change) = progress(at: time)
        let inward = axis.cross(axis.cross(lever))
        return (angle * speed * angle * speed) * inward + (-angle * change) * axis.cross(lever)
    }

    /// How much of the turn is done, with its first and second derivative by time: the smoothest way from rest to
    /// rest (minimum jerk; Flash and Hogan, 1985), which is how arms move.
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
