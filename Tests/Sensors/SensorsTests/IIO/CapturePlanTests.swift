// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Sensors

@Suite struct CapturePlanTests {
    private var conditions = CapturePlan.Conditions()

    @Test func `a buffer with a trigger is captured`() {
        #expect(CapturePlan(conditions) == .capture(trigger: "own"))
    }

    @Test mutating func `without an attached trigger the device's own one is used, and a chip may need none`() {
        conditions.trigger = .own("kxcjk1013-dev0")
        #expect(CapturePlan(conditions) == .capture(trigger: "kxcjk1013-dev0"))
        conditions.trigger = .unneeded
        #expect(CapturePlan(conditions) == .capture(trigger: nil))
        conditions.trigger = .missing
        #expect(CapturePlan(conditions) == .poll(reason: "no trigger found"))
        conditions.canBePolled = false
        #expect(CapturePlan(conditions) == .capture(trigger: nil))
    }

    @Test mutating func `a buffer enabled by another program is not captured, even if the policy is 1`() {
        conditions.isBufferEnabled = true
        conditions.policy = "1"
        #expect(CapturePlan(conditions) == .poll(reason: "another program captures from the buffer"))
    }

    @Test mutating func `while iio-sensor-proxy runs the sensor is polled, unless the policy is 1`() {
        conditions.isProxyRunning = true
        #expect(CapturePlan(conditions) == .poll(reason: "iio-sensor-proxy is running and cannot share the buffer"))
        conditions.policy = "1"
        #expect(CapturePlan(conditions) == .capture(trigger: "own"))
    }

    @Test mutating func `a chip with a gyroscope is polled, unless the policy is 1 or it has no attributes for that`() {
        conditions.hasGyroscope = true
        #expect(CapturePlan(conditions) == .poll(reason: "other programs may read its gyroscope"))
        conditions.canBePolled = false
        #expect(CapturePlan(conditions) == .capture(trigger: "own"))
        conditions.canBePolled = true
        conditions.policy = "1"
        #expect(CapturePlan(conditions) == .capture(trigger: "own"))
    }

    @Test(arguments: [
        ("iio-poll-accel", true), (" iio-poll-accel ", true), ("iio-poll-accel iio-buffer-accel", false),
        ("iio-buffer-accel", false), ("", false),
    ])
    func `a device that udev lets iio-sensor-proxy only poll is polled`(type: String, isPolled: Bool) {
        var conditions = conditions
        conditions.proxyType = type
        let plan = CapturePlan(conditions)
        #expect(
            plan
                == (isPolled ? .poll(reason: "udev IIO_SENSOR_PROXY_TYPE is iio-poll-accel") : .capture(trigger: "own"))
        )
    }

    @Test mutating func `with the policy 0 the device is polled`() {
        conditions.policy = "0"
        #expect(CapturePlan(conditions) == .poll(reason: "udev ORIENTATIOND_BUFFER is 0"))
    }

    @Test mutating func `without a restore record the device is polled`() {
        conditions.recordFailure = "cannot write it"
        #expect(CapturePlan(conditions) == .poll(reason: "cannot write it"))
    }

    @Test mutating func `a device with an invalid scan format is polled`() {
        conditions.invalidFormat = "le:s16/0>>0"
        conditions.policy = "1"
        #expect(CapturePlan(conditions) == .poll(reason: "invalid scan format 'le:s16/0>>0'"))
    }

    @Test mutating func `a device without a buffer is polled`() {
        conditions.hasScanElements = false
        #expect(CapturePlan(conditions) == .poll(reason: "the device has no buffer"))
    }
}

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
