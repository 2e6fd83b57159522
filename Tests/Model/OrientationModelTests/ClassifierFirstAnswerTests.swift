// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import Testing

@Suite struct ClassifierFirstAnswerTests {
    @Test func `the first usable sample gives an answer`() {
        for pose in Hand.poses {
            var hand = Hand()
            #expect(hand.classifier.orientation == .unknown)
            #expect(hand.classifier.tilt == nil && hand.classifier.turn == nil && hand.classifier.disturbance == nil)
            hand.feed(Acceleration(x: .nan, y: 0, z: 0))
            #expect(hand.answers.isEmpty && hand.classifier.tilt == nil)
            hand.feed(Hand.still(tilt: pose.tilt, turn: pose.turn))
            #expect(hand.orientations == [pose.orientation])
            #expect(hand.classifier.lastEdge == Edge(pose.orientation))
        }
    }

    @Test(arguments: [10.0, 25, 100])
    func `the first answer of a device that is carried waits for half a second, and is wrong less often than a sample`(
        hertz: Double
    ) {
        var (wrongSamples, wrongAnswers) = (0, 0)
        for phase in 0..<50 {
            var hand = Hand()
            hand.hertz = hertz
            // Hard steps, of which two take a second: 6 m/s² up and down, 7 m/s² sideways.
            for index in 0..<Int(2 * hertz) {
                let angle = 4 * .pi * (Double(index) / hertz + Double(phase) / 100)
                let (up, aside) = (Hand.still(tilt: 0, turn: 30), Hand.still(tilt: 0, turn: 120))
                let reading = (1 + 0.6 * sin(angle)) * up + (0.7 * cos(angle)) * aside
                if index == 0, abs(reading.x) > abs(reading.y) { wrongSamples += 1 }
                hand.feed(reading)
            }
            if hand.orientations.first != .portrait { wrongAnswers += 1 }
            #expect((hand.answers.first?.time ?? .infinity) <= 0.5 + 2 / hertz)
        }
        #expect(wrongSamples >= 15 && wrongAnswers <= wrongSamples / 2, "\(wrongSamples), \(wrongAnswers)")
    }

    @Test(arguments: [5.0, 10, 25, 100, 500])
    func `every pose is recognized within 0.6 s of being held, from every other pose`(hertz: Double) {
        for from in Hand.poses {
            for to in Hand.poses where to.orientation != from.orientation {
                var hand = Hand()
                hand.hertz = hertz
                hand.hold(tilt: from.tilt, turn: from.turn, seconds: 2)
                hand.move(tilt: to.tilt, turn: to.turn, seconds: 0.4)
                hand.hold(tilt: to.tilt, turn: to.turn, seconds: 0.6)
                #expect(hand.orientations.last == to.orientation, "from \(from.orientation)")
            }
        }
    }

    @Test func `a face and forget() both keep the last edge`() {
        var hand = Hand()
        hand.hold(turn: 90, seconds: 1)
        hand.move(tilt: 90, turn: 90, seconds: 0.5)
        hand.hold(tilt: 90, seconds: 1)
        #expect(hand.classifier.orientation == .faceUp && hand.classifier.lastEdge == .landscapeLeft)
        hand.classifier.forget()
        #expect(hand.classifier.orientation == .unknown && hand.classifier.lastEdge == .landscapeLeft)
        #expect(hand.classifier.tilt == nil && hand.classifier.disturbance == nil)
        hand.hold(seconds: 0.1)
        #expect(hand.classifier.orientation == .portrait)
    }

    @Test func `tilt and turn match the attitude of the device`() {
        for (tilt, turn) in [(0.0, 0.0), (30, 90), (-45, -90), (10, 135), (-80, -170)] {
            var hand = Hand()
            hand.hold(tilt: tilt, turn: turn, seconds: 2)
            #expect(abs((hand.classifier.tilt ?? .nan) - tilt) < 0.1)
            #expect(abs((hand.classifier.turn ?? .nan) - turn) < 0.1)
            #expect((hand.classifier.disturbance ?? .nan) < 0.01)
        }
    }
}
