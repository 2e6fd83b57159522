// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import SeededRandomness
import Testing

@testable import Sensors

/// Turns by hand of a simulated chip, which is polled as ``Polling`` does.
@Suite struct PolledTurnTests {
    private struct Turn {
        var from: Double
        var to: Double
        var tilt: Double
        var start: Double
        var duration: Double

        func reading(at time: Double) -> [Double] {
            let share = (1 - cos(.pi * min(max((time - start) / duration, 0), 1))) / 2
            let (turn, tilt) = ((from + (to - from) * share) * .pi / 180, tilt * .pi / 180)
            return [cos(tilt) * sin(turn), cos(tilt) * cos(turn), sin(tilt)].map { Acceleration.standardGravity * $0 }
        }

        /// The time at which two thirds of the turn are done.
        var middle: Double { start + duration * acos(-1 / 3) / .pi }
    }

    /// Returns the time of the answer; nil if there is none for some seconds.
    private func answer(to turn: Turn, using random: inout SeededGenerator) -> Double? {
        var (pace, classifier) = (PollingPace(), OrientationClassifier())
        var components: [3 of Double] = [0, 0, 0]
        var now = Double.random(in: 0..<1, using: &random)
        func vector() -> Acceleration { Acceleration(x: components[0], y: components[1], z: components[2]) }
        while now < turn.start + 5 {
            let truth = turn.reading(at: now).map { $0 + 0.05 * random.normal() }
            pace.read(after: components, current: vector) { components[$0] = truth[$0] }
            if classifier.ingest(Sample(time: now, acceleration: vector())) != nil, now > turn.start { return now }
            now += pace.interval(after: vector(), at: now)
        }
        return nil
    }

    private func delays(_ degrees: Double, duration: Double) -> [Double] {
        var random = SeededGenerator(seed: 11)
        return (0..<400).map { index in
            let from = 90 * Double(index % 4) + Double.random(in: -10...10, using: &random)
            let turn = Turn(
                from: from, to: from + degrees, tilt: Double.random(in: 0...45, using: &random),
                start: 4 + Double.random(in: 0..<3, using: &random), duration: duration)
            return (answer(to: turn, using: &random) ?? .infinity) - turn.middle
        }.sorted()
    }

    @Test(arguments: [(0.15, 0.22), (0.3, 0.17), (0.4, 0.17), (0.5, 0.17)])
    func `nine of ten turns to the next edge out of rest are answered in time`(duration: Double, limit: Double) {
        let delays = delays(90, duration: duration)
        #expect(delays[delays.count * 9 / 10] <= limit, "\(delays[delays.count * 9 / 10]) s")
        #expect(delays[delays.count - 1] <= 0.3)
    }

    @Test func `half a turn between two readings, after which only the axis along gravity differs, is answered`() {
        #expect(delays(180, duration: 0.01).allSatisfy { $0 <= 1.5 })
    }
}
