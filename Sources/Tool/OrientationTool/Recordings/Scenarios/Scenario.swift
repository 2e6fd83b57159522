// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel

/// A scripted motion of a device, for recordings: a pure function of time, without errors of the sensor.
struct Scenario {
    /// A turn to a direction, and the time to stay there.
    struct Step {
        /// The direction of gravity's reaction, of length 1.
        let direction: Acceleration
        /// The mean speed of the turn, in degrees per second.
        let speed: Double
        /// The time to stay after the turn, in seconds.
        let hold: Double
        let shaking: Shaking
    }

    /// A step with its start in seconds.
    private struct Move {
        let start: Double
        let turn: DeviceTurn
        let shaking: Shaking
    }

    let name: String
    let duration: Double
    private let moves: [Move]

    init(_ name: String, _ steps: [Step]) {
        var (start, moves) = (0.0, [Move]())
        var from = steps[0].direction
        for step in steps {
            let turn = DeviceTurn(from: from, to: step.direction, duration: from.angle(to: step.direction) / step.speed)
            moves.append(Move(start: start, turn: turn, shaking: step.shaking))
            start += turn.duration + step.hold
            from = step.direction
        }
        self.name = name
        self.moves = moves
        duration = start
    }

    func samples(hertz: Double) -> [Sample] {
        (0..<Int(duration * hertz)).map { index in
            let time = Double(index) / hertz
            return Sample(time: time, acceleration: acceleration(at: time))
        }
    }

    private func acceleration(at time: Double) -> Acceleration {
        let move = moves.last { $0.start <= time } ?? moves[0]
        let up = move.shaking.rolled(move.turn.direction(at: time - move.start), at: time)
        return Acceleration.standardGravity * up + move.turn.swing(at: time - move.start)
            + move.shaking.acceleration(at: time, up: up)
    }
}

extension Scenario.Step {
    /// Holds an edge up and the screen tilted back by an angle in degrees, or lays the device on a face.
    static func pose(
        _ pose: DeviceOrientation, back: Double = 0, speed: Double = 240, hold: Double, shaking: Shaking = .none
    ) -> Self {
        let (upright, tilt) = (pose.direction ?? .zero, back * .pi / 180)
        let direction = cos(tilt) * upright + sin(tilt) * Acceleration(x: 0, y: 0, z: 1)
        return Self(direction: direction, speed: speed, hold: hold, shaking: shaking)
    }
}

extension Scenario {
    /// The scenarios of `convert --scenario`; a new one is a row.
    static let all = [demonstration, walking, running, car]

    /// The six poses within 15 seconds, by quarter turns, ending with the first.
    static let demonstration = Scenario(
        "demonstration",
        [
            .pose(.portrait, hold: 1.6), .pose(.landscapeLeft, hold: 1.4), .pose(.portraitUpsideDown, hold: 1.4),
            .pose(.faceUp, hold: 1.4), .pose(.landscapeRight, hold: 1.4), .pose(.faceDown, hold: 1.4),
            .pose(.portrait, hold: 2),
        ])

    /// Reading while walking, with an occasional turn.
    static let walking = carried("walking", .walking)
    static let running = carried("running", .running)

    /// A device in a car mount, for half a minute.
    static let car = Scenario("car", [.pose(.landscapeLeft, back: 20, hold: 30, shaking: .car)])

    private static func carried(_ name: String, _ shaking: Shaking) -> Scenario {
        let poses: [DeviceOrientation] = [.portrait, .landscapeLeft, .portrait, .landscapeRight]
        return Scenario(name, poses.map { .pose($0, back: 40, hold: 8, shaking: shaking) })
    }
}
