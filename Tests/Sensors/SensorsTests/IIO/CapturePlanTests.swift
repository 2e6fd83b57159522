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
        conditions.bufferConflict = "another program captures from the buffer"
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
