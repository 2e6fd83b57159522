// SPDX-License-Identifier: Apache-2.0

import Calibration
import OrientationModel
import SeededRandomness
import Sensing

/// A simulated chip that is mounted with a rotation.
struct Bench {
    let rotation: Rotation
    let sense: DeviceFrame.SensorSense
    let mount: SimulatedMount

    /// Creates a chip with sign `sense`, independent of its driver.
    init(_ rotation: Rotation, sense: DeviceFrame.SensorSense = .specificForce) throws {
        self.rotation = rotation
        self.sense = sense
        let sign = sense == .specificForce ? -1.0 : 1
        let matrix = MountMatrix(x: sign * rotation.x, y: sign * rotation.y, z: Acceleration(x: 0, y: 0, z: 0))
        mount = try Self.unwrap(SimulatedMount(matrix, sense: sense))
    }

    /// Returns the chip's readings during a scenario.
    func samples(_ scenario: Scenario, hertz: Double = 50) -> [Sample] {
        scenario.samples(hertz: hertz).map {
            Sample(time: $0.time, acceleration: mount.chipReads($0.acceleration))
        }
    }

    /// Returns the readings in these poses, each tilted by `tilt` degrees about a random axis.
    func measurements(
        _ poses: [Pose] = Pose.allCases, tilt: Double = 0, using generator: inout SeededGenerator
    ) -> [PoseMeasurement] {
        poses.map { pose in
            let up = pose.direction.tilted(by: tilt, using: &generator)
            return PoseMeasurement(pose, mount.chipReads(Acceleration.standardGravity * up))
        }
    }

    func measurements(_ poses: [Pose] = Pose.allCases) -> [PoseMeasurement] {
        var generator = SeededGenerator(seed: 0)
        return measurements(poses, using: &generator)
    }

    private static func unwrap(_ mount: SimulatedMount?) throws -> SimulatedMount {
        guard let mount else { throw CalibrationFailure.tooFew(0) }
        return mount
    }
}

extension Scenario {
    /// The six poses as a user takes them: reached by a turn, held, each tilted by `tilt` degrees.
    static func calibration(
        _ poses: [Pose] = Pose.allCases, sensor: SensorModel, tilt: Double = 0, seed: UInt64 = 1
    ) -> Scenario {
        var generator = SeededGenerator(seed: seed)
        let steps = poses.map { pose -> Step in
            let up = pose.direction.tilted(by: tilt, using: &generator)
            return .towards(up, hold: 1.6)
        }
        return Scenario(name: "calibration", sensor: sensor, seed: seed, steps)
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

extension Rotation {
    /// Returns a uniformly distributed random rotation (Shoemake, 1992: a normalized normal four-vector).
    static func random(using generator: inout SeededGenerator) -> Rotation {
        let parts = (0..<4).map { _ in generator.normal() }
        let length = parts.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return Rotation(quaternion: parts.map { $0 / length })
    }
}
