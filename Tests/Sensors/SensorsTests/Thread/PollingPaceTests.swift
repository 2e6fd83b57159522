// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import Sensors

@Suite struct PollingPaceTests {
    private var pace = PollingPace()
    private let upright = Acceleration(x: 0, y: 9.8, z: 0)
    private let turned = Acceleration(x: 9.8, y: 0, z: 0)

    @Test mutating func `the interval is short at first and grows after the settling time at rest`() {
        #expect(pace.interval(after: upright, at: 0) == PollingPace.movingInterval)
        #expect(pace.interval(after: upright, at: 0.5) == PollingPace.movingInterval)
        #expect(pace.interval(after: upright, at: RestDetector.settlingTime) == PollingPace.restingInterval)
    }

    @Test mutating func `a reading of more than 5 ms lowers the rate in motion to 10 Hz, until one is quick`() {
        #expect(pace.interval(after: upright, at: 0, duration: 0.0049) == 0.04)
        #expect(pace.interval(after: upright, at: 0.1, duration: 0.0051) == 0.1)
        #expect(pace.interval(after: upright, at: 0.2, duration: 0.0009) == 0.04)
        #expect(pace.interval(after: upright, at: 1, duration: 0.0051) == PollingPace.restingInterval)
    }

    @Test mutating func `at rest a reading omits the axis along gravity, and each fourth reading another one`() {
        #expect(pace.omittedAxis(after: [0, 0, 0]) == nil)
        _ = pace.interval(after: upright, at: 0)
        #expect(pace.omittedAxis(after: [1, -9, 3]) == nil)
        _ = pace.interval(after: upright, at: 2)
        #expect((0..<8).map { _ in pace.omittedAxis(after: [1, -9, 3]) } == [1, 1, 1, 2, 1, 1, 1, 2])
        #expect(pace.omittedAxis(after: [8, 3, -5]) == 0)
        _ = pace.interval(after: turned, at: 2.2)
        #expect(pace.omittedAxis(after: [8, 3, -5]) == nil)
    }

    @Test(arguments: [(0.0, 0.04), (5.0, 0.04), (25.0, 0.04), (50.0, 0.02), (200.0, 0.005)])
    mutating func `with motion subscribers the interval follows their rate and never grows`(
        rate: Double, interval: Double
    ) {
        #expect(pace.interval(after: upright, at: 0, motionRate: rate) == interval)
        #expect(pace.interval(after: upright, at: 5, motionRate: rate) == interval)
        #expect(
            pace.interval(after: upright, at: 5, duration: 0.01, motionRate: rate) == (rate > 10 ? interval : 0.1))
        #expect(pace.interval(after: upright, at: 6) == PollingPace.restingInterval)
    }

    @Test mutating func `the first reading that differs shortens the interval`() {
        _ = pace.interval(after: upright, at: 0)
        _ = pace.interval(after: upright, at: 2)
        #expect(pace.interval(after: turned, at: 2.2) == PollingPace.movingInterval)
        #expect(pace.interval(after: turned, at: 3.1) == PollingPace.movingInterval)
        #expect(pace.interval(after: turned, at: 3.2) == PollingPace.restingInterval)
    }

    @Test mutating func `a turn slower than the threshold per reading is detected`() {
        var intervals: Set<Double> = []
        _ = pace.interval(after: upright, at: 0)
        for step in 1...200 {
            let time = 2 + Double(step) * 0.2
            let x = 9.8 * Double(step) / 200
            intervals.insert(
                pace.interval(after: Acceleration(x: x, y: (96.04 - x * x).squareRoot(), z: 0), at: time))
        }
        #expect(intervals == [PollingPace.restingInterval, PollingPace.movingInterval])
    }

    @Test mutating func `the noise of a cheap chip does not shorten the interval`() {
        _ = pace.interval(after: upright, at: 0)
        for step in 0..<100 {
            let noisy = upright + Acceleration(x: step % 2 == 0 ? 0.3 : -0.3, y: 0.2, z: 0)
            #expect(pace.interval(after: noisy, at: 2 + Double(step)) == PollingPace.restingInterval)
        }
    }
}
