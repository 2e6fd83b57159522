// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// The named scenarios. A new one is a row of ``all``.
extension Scenario {
    package static let all: [Scenario] = [
        demonstration, poses, slowTurns, fastTurns, walking, running, car, table, fall, poorSensor,
        calibration,
    ]

    package static func named(_ name: String) -> Scenario? {
        all.first { $0.name == name }
    }

    /// All seven orientations within 15 seconds; unknown comes from a sensor failure.
    package static let demonstration = Scenario(
        name: "demonstration",
        [
            .pose(.portrait, hold: 1.6), .pose(.landscapeLeft, hold: 1.4),
            .pose(.portraitUpsideDown, hold: 1.4),
            .pose(.landscapeRight, hold: 1.4), .pose(.faceUp, hold: 1.4),
            .pose(.faceDown, speed: 360, hold: 1.4),
            .pose(.portrait, hold: 1), .failing("demonstration: the sensor pauses for a second", .portrait, seconds: 1),
            .pose(.portrait, hold: 1),
        ])

    /// Every pose for two seconds.
    package static let poses = Scenario(name: "poses", tour.map { .pose($0, hold: 2) })
    package static let slowTurns = Scenario(name: "slow-turns", tour.map { .pose($0, speed: 30, hold: 1) })
    package static let fastTurns = Scenario(name: "fast-turns", tour.map { .pose($0, speed: 720, hold: 1) })

    /// Reading while walking, with an occasional turn.
    package static let walking = Scenario(name: "walking", shaken(by: .walking, hold: 8))
    package static let running = Scenario(name: "running", shaken(by: .running, hold: 8))

    /// A device in a car mount, for half a minute.
    package static let car = Scenario(
        name: "car", [.reading(.landscapeLeft, back: 20, shaking: .car, hold: 30)])

    /// A device on a table that is shaken.
    package static let table = Scenario(
        name: "table",
        [.pose(.faceUp, hold: 2), .pose(.faceUp, hold: 10, shaking: .table), .pose(.faceUp, hold: 2)])

    /// A free fall of a third of a second, ending in the same pose.
    package static let fall = Scenario(
        name: "fall",
        [
            .pose(.portrait, hold: 2),
            Step(direction: Acceleration(x: 0, y: 1, z: 0), hold: 0.33, support: 0),
            .pose(.portrait, hold: 2),
        ])

    /// All poses with a poor sensor: bias, noise, coarse resolution, small range and lost samples.
    package static let poorSensor = Scenario(
        name: "poor-sensor", sensor: .poor, tour.map { .pose($0, hold: 3) })

    /// The six poses in the order of `orientationctl calibrate`, each held long enough.
    package static let calibration = Scenario(
        name: "calibration",
        [.portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight, .faceUp, .faceDown].map {
            .pose($0, hold: 2.5)
        })

    /// A tour through all six poses, between neighbours.
    private static let tour: [DeviceOrientation] = [
        .portrait, .landscapeLeft, .portraitUpsideDown, .landscapeRight, .portrait, .faceUp, .landscapeRight,
        .faceDown, .portraitUpsideDown, .faceUp, .landscapeLeft, .faceDown, .portrait,
    ]

    private static func shaken(by shaking: Shaking, hold: Double) -> [Step] {
        [.portrait, .landscapeLeft, .portrait, .landscapeRight].map {
            .reading($0, back: 40, shaking: shaking, hold: hold)
        }
    }
}

extension Scenario.Step {
    /// One of the six poses; unknown counts as portrait.
    package static func pose(
        _ pose: DeviceOrientation, speed: Double = 240, hold: Double, shaking: Shaking = .none
    ) -> Scenario.Step {
        let direction = pose.direction ?? Acceleration(x: 0, y: 1, z: 0)
        return Scenario.Step(direction: direction, speed: speed, hold: hold, shaking: shaking)
    }

    /// Any other direction, of length 1.
    package static func towards(_ direction: Acceleration, hold: Double) -> Scenario.Step {
        Scenario.Step(direction: direction, hold: hold)
    }

    /// An edge up and the screen tilted back by an angle in degrees, as for reading.
    package static func reading(
        _ edge: DeviceOrientation, back: Double, speed: Double = 240, shaking: Shaking = .none, hold: Double
    ) -> Scenario.Step {
        let upright = edge.direction ?? Acceleration(x: 0, y: 1, z: 0)
        let axis = upright.cross(Acceleration(x: 0, y: 0, z: 1))
        let direction = axis.magnitude > 0 ? upright.turned(by: back * .pi / 180, about: axis) : upright
        return Scenario.Step(direction: direction, speed: speed, hold: hold, shaking: shaking)
    }

    /// A sensor failure, while the device stays in its pose.
    package static func failing(
        _ reason: String, _ pose: DeviceOrientation, seconds: Double
    ) -> Scenario.Step {
        var step = Scenario.Step.pose(pose, hold: seconds)
        step.failure = reason
        return step
    }
}
