// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import SeededRandomness

/// Moves a simulated device and feeds its readings to a classifier.
struct Hand {
    /// An answer, its time, and the attitude of the device then.
    struct Answer {
        var orientation: DeviceOrientation
        var time: Double
        var tilt: Double
        var turn: Double
    }

    var classifier = OrientationClassifier()
    var hertz = 50.0
    /// Standard deviation of the noise on each axis, in m/s².
    var noise = 0.0
    /// The transfer function of the sensor: a bias, a dead axis, coarse resolution.
    var sensor: (Acceleration) -> Acceleration = { $0 }
    private(set) var time = 0.0
    private(set) var answers: [Answer] = []
    private var random = SeededGenerator(seed: 1)
    private var place = (tilt: 0.0, turn: 0.0)

    var orientations: [DeviceOrientation] { answers.map(\.orientation) }

    /// Holds the device at this attitude, in degrees.
    mutating func hold(tilt: Double = 0, turn: Double = 0, seconds: Double) {
        move(seconds: seconds) { _ in (tilt, turn) }
    }

    /// Moves the device at constant speed from its current attitude, in degrees.
    mutating func move(tilt: Double, turn: Double, seconds: Double) {
        let start = place
        move(seconds: seconds) { share in
            (start.tilt + (tilt - start.tilt) * share, start.turn + (turn - start.turn) * share)
        }
    }

    private mutating func move(seconds: Double, _ attitude: (Double) -> (tilt: Double, turn: Double)) {
        let count = Int((seconds * hertz).rounded())
        for index in 1...max(count, 1) {
            place = attitude(Double(index) / Double(max(count, 1)))
            feed(sensor(Hand.still(tilt: place.tilt, turn: place.turn)))
        }
    }

    /// Feeds one reading, with noise but without the sensor's transfer function.
    mutating func feed(_ reading: Acceleration, after elapsed: Double? = nil) {
        time += elapsed ?? 1 / hertz
        if let orientation = classifier.ingest(Sample(time: time, acceleration: disturbed(reading))) {
            answers.append(Answer(orientation: orientation, time: time, tilt: place.tilt, turn: place.turn))
        }
    }

    /// Returns the reading with noise on each axis.
    private mutating func disturbed(_ reading: Acceleration) -> Acceleration {
        guard noise > 0 else { return reading }
        return Acceleration(
            x: reading.x + noise * random.normal(), y: reading.y + noise * random.normal(),
            z: reading.z + noise * random.normal())
    }

    /// Returns the reading at rest at this attitude.
    static func still(tilt: Double, turn: Double) -> Acceleration {
        let (tilt, turn) = (tilt * .pi / 180, turn * .pi / 180)
        let gravity = Acceleration.standardGravity
        return Acceleration(
            x: gravity * cos(tilt) * sin(turn), y: gravity * cos(tilt) * cos(turn), z: gravity * sin(tilt))
    }

    /// The six poses with their attitudes in degrees.
    static let poses: [(orientation: DeviceOrientation, tilt: Double, turn: Double)] = [
        (.portrait, 0, 0), (.landscapeLeft, 0, 90), (.portraitUpsideDown, 0, 180), (.landscapeRight, 0, 270),
        (.faceUp, 90, 0), (.faceDown, -90, 0),
    ]
}
