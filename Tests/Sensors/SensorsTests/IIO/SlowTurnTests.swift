// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import Testing

@testable import Sensors

/// A slow turn of a simulated chip causes no event: the readings in between have to show it.
@Suite struct SlowTurnTests {
    /// Turns a device from portrait to landscapeLeft.
    ///
    /// - Parameters:
    ///   - speed: Degrees per second.
    ///   - start: The time of the first reading before the turn, in seconds.
    ///   - usesEvent: Whether the chip has a motion event, which this turn is too slow for.
    /// - Returns: The time of the answer, in seconds after the start of the turn; nil if there is none.
    private func answer(speed: Double, start: Double, usesEvent: Bool) -> Double? {
        var state = MotionEventState(isProven: true)
        var pace = PollingPace()
        var classifier = OrientationClassifier()
        var now = -start
        while now < 90 / speed + 60 {
            let angle = min(max(now, 0) * speed, 90) * .pi / 180
            let gravity = Acceleration.standardGravity
            let reading = Acceleration(x: gravity * sin(angle), y: gravity * cos(angle), z: 0)
            _ = classifier.ingest(Sample(time: now, acceleration: reading))
            if classifier.orientation == .landscapeLeft { return now }
            let interval = pace.interval(after: reading, at: now)
            guard usesEvent else {
                now += interval
                continue
            }
            switch state.read(reading, at: now) {
            case .none: break
            case .arm: state.armed(at: now)
            // The device is opened again, and polled as at its start.
            case .disarm: pace = PollingPace()
            case .abandon: return nil
            }
            now += state.isArmed ? MotionEventState.readingInterval : interval
        }
        return nil
    }

    @Test(arguments: [0.5, 1, 2, 5, 10, 20, 40])
    func `a slow turn is answered at most 5 s later than when the chip is polled`(speed: Double) throws {
        for step in 0..<50 {
            let start = 20 + Double(step) * 0.1
            let polled = try #require(answer(speed: speed, start: start, usesEvent: false))
            let waited = try #require(answer(speed: speed, start: start, usesEvent: true))
            #expect(waited - polled <= 5, "\(speed)° per second, \(start) s after the start: \(polled) s, \(waited) s")
        }
    }
}
