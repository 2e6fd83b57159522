// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import SeededRandomness

@testable import OrientationTool

/// A simulated chip that is mounted with a rotation.
struct Bench {
    let rotation: Rotation
    let sense: DeviceFrame.SensorSense
    private let frame: DeviceFrame

    /// Creates a chip with sign `sense`, independent of its driver.
    init(_ rotation: Rotation, sense: DeviceFrame.SensorSense = .specificForce) {
        self.rotation = rotation
        self.sense = sense
        let sign = sense == .specificForce ? -1.0 : 1
        frame = DeviceFrame(matrix: MountMatrix(x: sign * rotation.x, y: sign * rotation.y, z: .zero), sense: sense)
    }

    /// Returns the chip's reading along its own axes for an acceleration in the device frame, both in m/s².
    func reading(of acceleration: Acceleration) -> Acceleration {
        frame.inverse(acceleration) ?? acceleration
    }

    /// Returns the chip's readings during a motion.
    func samples(_ motion: Motion, hertz: Double = 50) -> [Sample] {
        motion.samples(hertz: hertz).map { Sample(time: $0.time, acceleration: reading(of: $0.acceleration)) }
    }

    /// Returns the readings of a poor chip during the six poses as a user takes them: reached by a turn, held, each
    /// tilted by `tilt` degrees. The chip has bias, noise of 0.3 m/s², a resolution of 1/64 g, a range of 2 g, and loses
    /// one sample in ten.
    func poorSamples(tilt: Double, seed: UInt64) -> [Sample] {
        var generator = SeededGenerator(seed: seed)
        let poses = Pose.allCases.map { pose in
            let up = pose.direction.tilted(by: tilt, using: &generator)
            return Motion.Step(direction: up, hold: 1.6)
        }
        let bias = Acceleration(x: 0.5, y: -0.3, z: 0.5)
        let (step, range) = (Acceleration.standardGravity / 64, 2 * Acceleration.standardGravity)
        return Motion(poses).samples(hertz: 50).compactMap { sample in
            guard Double.random(in: 0..<1, using: &generator) >= 0.1 else { return nil }
            let read = (sample.acceleration + bias).components.map { value in
                min(max(((value + 0.3 * generator.normal()) / step).rounded() * step, -range), range)
            }
            let poor = Acceleration(x: read[0], y: read[1], z: read[2])
            return Sample(time: sample.time, acceleration: reading(of: poor))
        }
    }

    /// Returns the readings in these poses, each tilted by `tilt` degrees about a random axis.
    func measurements(
        _ poses: [Pose] = Pose.allCases, tilt: Double = 0, using generator: inout SeededGenerator
    ) -> [PoseMeasurement] {
        poses.map { pose in
            let up = pose.direction.tilted(by: tilt, using: &generator)
            return PoseMeasurement(pose, reading(of: Acceleration.standardGravity * up))
        }
    }

    func measurements(_ poses: [Pose] = Pose.allCases) -> [PoseMeasurement] {
        var generator = SeededGenerator(seed: 0)
        return measurements(poses, using: &generator)
    }
}

/// A motion of a device from one direction to the next, by the shortest turns.
struct Motion {
    /// A turn to a direction at a mean speed in degrees per second, and the time to stay there in seconds.
    struct Step {
        let direction: Acceleration
        var speed = 240.0
        let hold: Double

        /// Holds an edge up and the screen tilted back by an angle in degrees, or lays the device on a face.
        static func pose(_ pose: DeviceOrientation, back: Double = 0, speed: Double = 240, hold: Double) -> Step {
            let (upright, tilt) = (pose.direction ?? .zero, back * .pi / 180)
            let direction = cos(tilt) * upright + sin(tilt) * Acceleration(x: 0, y: 0, z: 1)
            return Step(direction: direction, speed: speed, hold: hold)
        }
    }

    /// The amplitude of a shaking along the edge that is up, in m/s².
    var shaking = 0.0
    private var turns: [(start: Double, turn: DeviceTurn)] = []
    private let duration: Double

    init(_ steps: [Step], shaking: Double = 0) {
        var (start, from) = (0.0, steps[0].direction)
        for step in steps {
            let turn = DeviceTurn(from: from, to: step.direction, duration: from.angle(to: step.direction) / step.speed)
            turns.append((start, turn))
            start += turn.duration + step.hold
            from = step.direction
        }
        duration = start
        self.shaking = shaking
    }

    /// The six poses in the order of `orientationctl calibrate`, each held long enough.
    static let calibration = Motion(
        [DeviceOrientation.portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight, .faceUp, .faceDown].map {
            .pose($0, hold: 2.5)
        })

    func samples(hertz: Double) -> [Sample] {
        (0..<Int(duration * hertz)).map { index in
            let time = Double(index) / hertz
            let (start, turn) = turns.last { $0.start <= time } ?? turns[0]
            let up = turn.direction(at: time - start)
            let length = Acceleration.standardGravity + shaking * sin(2 * .pi * 1.9 * time)
            return Sample(time: time, acceleration: length * up + turn.swing(at: time - start))
        }
    }
}

extension Acceleration {
    /// Returns the direction rotated by an angle in degrees about a random perpendicular axis.
    func tilted(by degrees: Double, using generator: inout SeededGenerator) -> Acceleration {
        let random = Acceleration(x: generator.normal(), y: generator.normal(), z: generator.normal())
        let across = cross(random)
        let tangent = degrees * .pi / 180
        let tilted = self + (tangent / across.magnitude) * across
        return (1 / tilted.magnitude) * tilted
    }
}
