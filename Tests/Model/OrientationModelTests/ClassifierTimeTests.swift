// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import SeededRandomness
import Testing

@Suite struct ClassifierTimeTests {
    private var hand = Hand()

    @Test func `answers and their times do not depend on the sampling rate`() {
        let rates = [10.0, 25, 50, 100, 250, 500, 1000]
        let runs = rates.map { hertz in
            var hand = Hand()
            hand.hertz = hertz
            hand.hold(seconds: 3)
            for pose in Hand.poses.dropFirst() + Hand.poses.prefix(1) {
                hand.move(tilt: pose.tilt, turn: pose.turn, seconds: 0.6)
                hand.hold(tilt: pose.tilt, turn: pose.turn, seconds: 2)
            }
            return hand
        }
        let finest = runs[runs.count - 1]
        for (hertz, run) in zip(rates, runs) {
            #expect(run.orientations == finest.orientations)
            for (answer, reference) in zip(run.answers, finest.answers) {
                #expect(abs(answer.time - reference.time) < 0.04 + 1.5 / hertz, "\(answer.orientation) at \(hertz) Hz")
            }
        }
    }

    @Test(arguments: [(1.0, 4.0), (0.2, 5)])
    mutating func `one sample per second, or in five, is enough to recognize every pose`(hertz: Double, time: Double) {
        hand.hertz = hertz
        for pose in Hand.poses { hand.hold(tilt: pose.tilt, turn: pose.turn, seconds: time) }
        #expect(hand.orientations == Hand.poses.map(\.orientation))
    }

    @Test func `jitter of the timestamps changes no answer`() {
        var random = SeededGenerator(seed: 3)
        var hand = Hand()
        var time = 0.0
        for pose in Hand.poses {
            let end = time + 2
            while time < end {
                let elapsed = Double.random(in: 0.001...0.09, using: &random)
                time += elapsed
                hand.feed(Hand.still(tilt: pose.tilt, turn: pose.turn), after: elapsed)
            }
        }
        #expect(hand.orientations == Hand.poses.map(\.orientation))
    }

    @Test func `after a gap a calm reading is accepted at once, and a disturbed one is not`() {
        for (scale, expected) in [(1.0, [DeviceOrientation.portrait, .landscapeLeft]), (1.4, [.portrait])] {
            var hand = Hand()
            hand.hold(seconds: 1)
            hand.feed(scale * Hand.still(tilt: 0, turn: 90), after: 3600)
            #expect(hand.orientations == expected)
        }
    }

    @Test mutating func `after a gap a reading within the hysteresis band keeps the answer`() {
        hand.hold(seconds: 1)
        hand.feed(Hand.still(tilt: 0, turn: 50), after: 10)
        #expect(hand.orientations == [.portrait])
    }

    @Test mutating func `a clock that is set back is not evidence`() {
        hand.hold(seconds: 1)
        hand.feed(Hand.still(tilt: 0, turn: 90), after: -100)
        #expect(hand.orientations == [.portrait])
        hand.hold(turn: 90, seconds: 1)
        #expect(hand.orientations == [.portrait, .landscapeLeft])
    }

    @Test mutating func `repeated and invalid timestamps add no evidence`() {
        hand.hold(seconds: 1)
        for _ in 0..<1000 { hand.feed(Hand.still(tilt: 0, turn: 90), after: 0) }
        #expect(hand.orientations == [.portrait])
        var classifier = hand.classifier
        for time in [Double.nan, .infinity, -.infinity] {
            let sample = Sample(time: time, acceleration: Hand.still(tilt: 0, turn: 90))
            #expect(classifier.ingest(sample) == nil)
        }
        hand.hold(turn: 90, seconds: 0.5)
        #expect(hand.orientations == [.portrait, .landscapeLeft])
    }

    @Test mutating func `restart() keeps the answer and clears the filter`() {
        hand.hold(seconds: 1)
        hand.classifier.restart()
        #expect(hand.classifier.orientation == .portrait && hand.classifier.tilt == nil)
        hand.feed(Hand.still(tilt: 20, turn: 0))
        #expect(abs((hand.classifier.tilt ?? .nan) - 20) < 0.001)
        #expect(hand.orientations == [.portrait])
    }
}
