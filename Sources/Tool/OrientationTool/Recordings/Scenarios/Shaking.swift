// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel

/// Motion of a device besides turns: sines, regular impacts and rolling, as a pure function of time.
struct Shaking {
    /// A sine: amplitude in m/s², frequency in hertz, phase in radians.
    struct Tone {
        let amplitude: Acceleration
        let frequency: Double
        let phase: Double

        init(_ x: Double, _ y: Double, _ z: Double, hertz: Double, phase: Double = 0) {
            amplitude = Acceleration(x: x, y: y, z: z)
            frequency = hertz
            self.phase = phase
        }

        func acceleration(at time: Double) -> Acceleration { sin(2 * .pi * frequency * time + phase) * amplitude }
    }

    /// Sines along the vertical: the amplitude is y.
    var bounce: [Tone] = []
    /// Sines along the device's own axes.
    var sway: [Tone] = []
    /// The peak of an impact in m/s², along the vertical; it decays within about 30 ms.
    var knock = 0.0
    var knockRate = 1.0
    /// The amplitude of rolling about the z axis in degrees, and its frequency in hertz.
    var roll = 0.0
    var rollRate = 1.0

    static let none = Shaking()

    /// A handheld phone while walking, two steps per second.
    static let walking = Shaking(
        bounce: [Tone(0, 2.2, 0, hertz: 1.9), Tone(0, 0.9, 0, hertz: 3.8, phase: 0.7)],
        sway: [Tone(0.9, 0, 0.5, hertz: 0.95), Tone(0.3, 0.2, 0.5, hertz: 5.7, phase: 1.1)],
        knock: 3, knockRate: 1.9, roll: 6, rollRate: 0.95)

    /// A handheld phone while running: in the air half of the time.
    static let running = Shaking(
        bounce: [Tone(0, 9, 0, hertz: 2.7), Tone(0, 4, 0, hertz: 5.4, phase: 0.5)],
        sway: [Tone(3, 0, 2, hertz: 1.35), Tone(1, 1, 2, hertz: 8.1, phase: 1.3)],
        knock: 15, knockRate: 2.7, roll: 10, rollRate: 1.35)

    /// A device in a car mount: engine, road, braking and bends.
    static let car = Shaking(
        bounce: [Tone(0, 0.8, 0, hertz: 1.4), Tone(0, 0.5, 0, hertz: 11.3, phase: 0.4)],
        sway: [
            Tone(1.8, 0, 1.2, hertz: 0.11), Tone(0.7, 0, 1.5, hertz: 0.23, phase: 1.9),
            Tone(0.25, 0.25, 0.25, hertz: 27.1),
        ],
        knock: 4, knockRate: 0.31)

    /// Returns the additional acceleration in m/s² for a vertical `up`.
    func acceleration(at time: Double, up: Acceleration) -> Acceleration {
        var vertical = bounce.reduce(0) { $0 + $1.acceleration(at: time).y }
        if knock != 0 {
            let since = (time * knockRate).truncatingRemainder(dividingBy: 1) / knockRate
            vertical += knock * exp(-since / 0.03) * cos(2 * .pi * 20 * since)
        }
        return sway.reduce(vertical * up) { $0 + $1.acceleration(at: time) }
    }

    /// Returns a direction rolled about the z axis.
    func rolled(_ up: Acceleration, at time: Double) -> Acceleration {
        let angle = roll * .pi / 180 * sin(2 * .pi * rollRate * time)
        let (sine, cosine) = (sin(angle), cos(angle))
        return Acceleration(x: cosine * up.x - sine * up.y, y: sine * up.x + cosine * up.y, z: up.z)
    }
}
