// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import IIOSensing

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

    @Test mutating func `a remote device and a device without a buffer are polled`() {
        conditions.hasScanElements = false
        #expect(CapturePlan(conditions) == .poll(reason: "the device has no buffer"))
        conditions.isLocal = false
        #expect(CapturePlan(conditions) == .poll(reason: "remote device: libiio cannot wait for a remote buffer"))
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
}
