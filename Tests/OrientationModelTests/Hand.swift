// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import SeededRandomness

/// A hand that holds a device, moves it and lets a classifier watch.
struct Hand {
    /// An answer, when it came, and how the device was held at that moment.
    struct Answer {
        var orientation: DeviceOrientation
        var time: Double
        var tilt: Double
        var turn: Double
    }

    var classifier = OrientationClassifier()
    var hertz = 50.0
    /// Standard deviation of the noise on each axis in m/s².
    var noise = 0.0
    /// What becomes of a reading on its way: a bias, a dead axis, coarse steps.
    var sensor: (Acceleration) -> Acceleration = { $0 }
    private(set) var time = 0.0
    private(set) var answers: [Answer] = []
    private var random = SeededGenerator(seed: 1)
    private var place = (tilt: 0.0, turn: 0.0)

    var orientations: [DeviceOrientation] { answers.map(\.orientation) }

    /// Holds the device still at this attitude, in degrees.
    mutating func hold(tilt: Double = 0, turn: Double = 0, seconds: Double) {
        move(seconds: seconds) { _ in (tilt, turn) }
    }

    /// Moves it evenly from where it is.
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

    /// Gives one reading as it is, apart from the noise.
    mutating func feed(_ reading: Acceleration, after elapsed: Double? = nil) {
        time += elapsed ?? 1 / hertz
        if let orientation = classifier.ingest(Sample(time: time, acceleration: disturbed(reading))) {
            answers.append(Answer(orientation: orientation, time: time, tilt: place.tilt, turn: place.turn))
        }
    }

    /// The reading with noise on each axis.
    private mutating func disturbed(_ reading: Acceleration) -> Acceleration {
        guard noise > 0 else { return reading }
        return Acceleration(
            x: reading.x + noise * random.normal(), y: reading.y + noise * random.normal(),
            z: reading.z + noise * random.normal())
    }

    /// What a still device reads at this attitude.
    static func still(tilt: Double, turn: Double) -> Acceleration {
        let (tilt, turn) = (tilt * .pi / 180, turn * .pi / 180)
        let gravity = Acceleration.standardGravity
        return Acceleration(
            x: gravity * cos(tilt) * sin(turn), y: gravity * cos(tilt) * cos(turn), z: gravity * sin(tilt))
    }

    /// The six poses and their attitudes.
    static let poses: [(orientation: DeviceOrientation, tilt: Double, turn: Double)] = [
        (.portrait, 0, 0), (.landscapeLeft, 0, 90), (.portraitUpsideDown, 0, 180), (.landscapeRight, 0, 270),
        (.faceUp, 90, 0), (.faceDown, -90, 0),
    ]
}
