// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Sensors

@Suite struct ReadingFailuresTests {
    /// Reads 25 times a second; returns the number of the reading at which the sensor has failed.
    private func failure(within readings: Int, isFailure: (Int) -> Bool) -> Int? {
        var failures = ReadingFailures()
        return (1...readings).first { reading in
            let now = 100 + Double(reading) / 25
            if isFailure(reading) { return failures.pause(after: "broken", at: now) == nil }
            failures.succeeded(at: now)
            return false
        }
    }

    @Test func `a sensor fails at the third failure in a row, or if its first reading fails`() {
        #expect(failure(within: 10) { _ in true } == 1)
        #expect(failure(within: 100) { $0 > 50 } == 53)
        #expect(failure(within: 100) { [10, 11, 50, 51, 90, 91].contains($0) } == nil)
    }

    @Test(arguments: [(0.04, 0.1), (0.8, 0.8), (3_000, 1)])
    func `a reading is repeated after the pause of the last one, and within a second`(last: Double, pause: Double) {
        var failures = ReadingFailures()
        failures.succeeded(at: 100, then: .pause(seconds: last))
        #expect(failures.pause(after: "broken", at: 101) == pause)
    }

    @Test(arguments: [12, 5, 3])
    func `a sensor of which every third reading fails, or fewer, works`(interval: Int) {
        #expect(failure(within: 10_000) { $0 % interval == 0 } == nil)
    }

    @Test(arguments: [2, 3])
    func `a sensor of which half of the readings fail, or more, has failed after about 2 s`(interval: Int) {
        let reading = failure(within: 1_000) { interval == 2 ? $0 % 2 == 0 : $0 % 3 != 1 }
        #expect((50...110).contains(reading ?? 0))
    }
}
