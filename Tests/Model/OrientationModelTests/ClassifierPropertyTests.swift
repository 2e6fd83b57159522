// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import SeededRandomness
import Testing

/// Properties that hold for every sequence of readings, checked on seeded random sequences.
@Suite struct ClassifierPropertyTests {
    /// A device moved to random attitudes and shaken, sampled at an uneven rate.
    private func wildSamples(seed: UInt64, count: Int = 2000) -> [Sample] {
        var random = SeededGenerator(seed: seed)
        var time = 0.0
        var target = Hand.still(tilt: 0, turn: 0)
        var vector = target
        var shake = 0.0
        return (0..<count).map { _ in
            time += Double.random(in: 0.005...0.06, using: &random)
            if Int.random(in: 0..<25, using: &random) == 0 {
                let tilt = Double.random(in: -90...90, using: &random)
                target = Hand.still(tilt: tilt, turn: Double.random(in: -180...180, using: &random))
                shake = Double.random(in: 0...8, using: &random)
            }
            vector = vector + 0.2 * (target - vector)
            let noise = Acceleration(x: random.normal(), y: random.normal(), z: random.normal())
            return Sample(time: time, acceleration: vector + shake * noise)
        }
    }

    private func answers(_ samples: [Sample]) -> [(time: Double, orientation: DeviceOrientation)] {
        var classifier = OrientationClassifier()
        return samples.compactMap { sample in
            classifier.ingest(sample).map { (time: sample.time, orientation: $0) }
        }
    }

    @Test(arguments: 1...8)
    func `rotating the readings by 90° about z rotates the answers`(seed: UInt64) {
        let next: [DeviceOrientation: DeviceOrientation] = [
            .portrait: .landscapeLeft, .landscapeLeft: .portraitUpsideDown, .portraitUpsideDown: .landscapeRight,
            .landscapeRight: .portrait, .faceUp: .faceUp, .faceDown: .faceDown,
        ]
        let samples = wildSamples(seed: seed)
        let turned = samples.map { sample in
            let reading = sample.acceleration
            return Sample(time: sample.time, acceleration: Acceleration(x: reading.y, y: -reading.x, z: reading.z))
        }
        let (plain, quarter) = (answers(samples), answers(turned))
        #expect(plain.count > 10)
        #expect(quarter.map(\.time) == plain.map(\.time))
        #expect(quarter.map(\.orientation) == plain.map { next[$0.orientation] })
    }

    @Test(arguments: 1...12)
    func `a change is reversed no sooner than the additional dwell allows`(seed: UInt64) {
        let changes = answers(wildSamples(seed: seed))
        // t seconds after a change the reverse change needs dwellBack × (1 − t / 1.3 s) of evidence, and at most t has
        // accumulated.
        let least = ClassifierSettings.standard.dwellBack / (1 + ClassifierSettings.standard.dwellBack / 1.3)
        for (index, change) in changes.enumerated().dropFirst(2)
        where change.orientation == changes[index - 2].orientation {
            #expect(change.time - changes[index - 1].time >= least)
        }
    }

    @Test(arguments: 1...8)
    func `tilt, turn and disturbance stay in their ranges`(seed: UInt64) {
        var classifier = OrientationClassifier()
        for sample in wildSamples(seed: seed) {
            let before = (classifier.orientation, classifier.lastEdge)
            let change = classifier.ingest(sample)
            #expect(change == nil || change == classifier.orientation && change != before.0)
            #expect(change != nil || before.0 == classifier.orientation)
            #expect(classifier.lastEdge == Edge(classifier.orientation) ?? before.1)
            #expect((-90...90).contains(classifier.tilt ?? .nan))
            #expect((-180...180).contains(classifier.turn ?? .nan))
            #expect((0...10).contains(classifier.disturbance ?? .nan))
        }
    }

    /// Returns random valid settings.
    private func anySettings(_ random: inout SeededGenerator) -> ClassifierSettings {
        while true {
            let changes = ClassifierSettings.all.map { setting in
                (name: setting.name, value: Double.random(in: setting.range, using: &random))
            }
            if let settings = try? ClassifierSettings.standard.changing(changes) { return settings }
        }
    }

    @Test(arguments: 1...8)
    func `a device at rest from the first sample gets one answer, for any settings`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            var hand = Hand()
            hand.hertz = 10
            hand.classifier = OrientationClassifier(settings: anySettings(&random))
            let tilt = Double.random(in: -90...90, using: &random)
            hand.hold(tilt: tilt, turn: Double.random(in: -180...180, using: &random), seconds: 30)
            #expect(hand.answers.count == 1, "\(hand.orientations) at a tilt of \(tilt)°: \(hand.classifier.settings)")
        }
    }
}
