// SPDX-License-Identifier: Apache-2.0

import Glibc
import SeededRandomness
import Testing

@testable import OrientationModel

/// Recordings without gravity, such as of linear acceleration.
@Suite struct CalmPartsTests {
    /// Returns the estimate after a recording at 50 Hz, and the answers of the classifier.
    private func read(seconds: Double, noise: Double = 0.03, _ truth: (Double) -> Acceleration) -> (
        scale: ScaleEstimate, answers: Int
    ) {
        var scale = ScaleEstimate()
        var classifier = OrientationClassifier()
        var random = SeededGenerator(seed: 3)
        var answers = 0
        for index in 0..<Int(50 * seconds) {
            let error = noise * Acceleration(x: random.normal(), y: random.normal(), z: random.normal())
            let sample = Sample(time: Double(index) / 50, acceleration: truth(Double(index) / 50) + error)
            if let corrected = scale.correct(sample, for: &classifier), classifier.classify(corrected) != nil {
                answers += 1
            }
        }
        return (scale, answers)
    }

    /// Linear acceleration: still, but for a second of shaking through all lengths in every four.
    private func linear(_ time: Double) -> Acceleration {
        let phase = time.truncatingRemainder(dividingBy: 4)
        return phase < 3 ? .zero : Acceleration(x: 14 * sin(30 * phase), y: 6 * sin(17 * phase), z: 0)
    }

    @Test func `linear acceleration has no gravity, although shaking passes through its length`() {
        let (scale, answers) = read(seconds: 20, linear)
        #expect(scale.lacksGravity && answers == 0)
        #expect(scale.readingsWithoutGravity == "readings of 0 m/s² instead of 9.8")
    }

    @Test func `a recording that begins with shaking has answers until its first calm second`() {
        let (scale, answers) = read(seconds: 20) { linear($0 + 3) }
        #expect(scale.lacksGravity && answers < 8)
    }

    @Test(arguments: [1, 1 / 9.80665, 1_000 / 9.80665, 0.001, 2.0])
    func `gravity in another unit is gravity`(factor: Double) {
        let (scale, answers) = read(seconds: 10, noise: 0.02 * factor) {
            factor * Hand.still(tilt: 0, turn: $0 < 5 ? 0 : 90)
        }
        #expect(!scale.lacksGravity && answers == 2)
    }

    @Test func `a fall and shaking are no calm parts, and one with gravity decides`() {
        let (scale, _) = read(seconds: 12) { time in
            time < 1
                ? .zero : time < 4 ? Acceleration(x: 12 * sin(30 * time), y: 9.8, z: 0) : Hand.still(tilt: 0, turn: 90)
        }
        #expect(!scale.lacksGravity)
        #expect(!read(seconds: 30) { $0 < 2 ? Hand.still(tilt: 0, turn: 0) : .zero }.scale.lacksGravity)
    }
}
