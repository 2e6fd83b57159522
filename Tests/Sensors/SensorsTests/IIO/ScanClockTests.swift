// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Sensors

@Suite struct ScanClockTests {
    @Test func `timestamps on CLOCK_BOOTTIME are used from the first scan on`() {
        var clock = ScanClock(hasBootTime: true)
        #expect(clock.time(stamp: 99_990_000_000, arrival: 100) == 99.99)
        #expect(clock.time(stamp: 100_090_000_000, arrival: 105) == 100.09)
    }

    @Test func `timestamps on another clock are never used, even if one matches by chance`() {
        var clock = ScanClock(hasBootTime: true)
        #expect(clock.time(stamp: 5_000_000_000, arrival: 100) == 100)
        #expect(clock.time(stamp: 101_000_000_000, arrival: 101.01) == 101.01)
        var without = ScanClock(hasBootTime: false)
        #expect(without.time(stamp: 99_990_000_000, arrival: 100) == 100)
    }

    @Test(arguments: [0, -1, -50])
    func `timestamps that stall or decrease are replaced by the time of arrival`(step: Int64) {
        var clock = ScanClock(hasBootTime: true)
        _ = clock.time(stamp: 100_000_000_000, arrival: 100)
        var times: [Double] = []
        for scan in 1...20 {
            let arrival = 100 + Double(scan) / 50
            times.append(clock.time(stamp: 100_000_000_000 + Int64(scan) * step * 1_000_000, arrival: arrival))
        }
        #expect(times == times.sorted() && times[0] == 100 && times[19] == 100.4)
        #expect(clock.hasFailed && !clock.usesTimestamps)
        // A clock that advances again is not used: it may stop again.
        #expect(clock.time(stamp: 101_000_000_000, arrival: 101.01) == 101.01)
    }

    @Test(arguments: [1_000_000_000_000, 0, Int64.max, Int64.min])
    func `a timestamp that leaves the clock is replaced by the time of arrival`(stamp: Int64) {
        var clock = ScanClock(hasBootTime: true)
        _ = clock.time(stamp: 100_000_000_000, arrival: 100)
        #expect(clock.time(stamp: stamp, arrival: 100.1) == 100.1 && clock.hasFailed)
    }

    @Test func `single timestamps that repeat or decrease count as the last one`() {
        var clock = ScanClock(hasBootTime: true)
        var times: [Double] = []
        for (stamp, arrival) in [
            (100_000, 100.0), (100_020, 100.02), (100_010, 100.03), (100_020, 100.04), (100_060, 100.06),
        ] {
            times.append(clock.time(stamp: Int64(stamp) * 1_000_000, arrival: arrival))
        }
        #expect(times == [100, 100.02, 100.02, 100.02, 100.06] && !clock.hasFailed)
    }
}
