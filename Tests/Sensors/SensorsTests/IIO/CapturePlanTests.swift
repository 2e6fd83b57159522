// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Sensors

@Suite struct CapturePlanTests {
    /// Conditions that differ from those of a chip that is captured, and why the device is polled; nil if it is captured.
    nonisolated struct Row: Sendable {
        let reason: String?
        let change: @Sendable (inout CapturePlan.Conditions) -> Void

        init(_ reason: String?, _ change: @escaping @Sendable (inout CapturePlan.Conditions) -> Void) {
            self.reason = reason
            self.change = change
        }
    }

    private static let proxy = "iio-sensor-proxy is running and cannot share the buffer"
    private static let gyroscope = "other programs may read its gyroscope"
    private static let polledProxy = "udev IIO_SENSOR_PROXY_TYPE is iio-poll-accel"

    static let rows = [
        Row(nil) { _ in },
        Row("no trigger found") { $0.trigger = .missing },
        // Also if the policy is 1.
        Row("another program captures") { ($0.bufferConflict, $0.policy) = ("another program captures", "1") },
        Row(proxy) { $0.isProxyRunning = true },
        Row(nil) { ($0.isProxyRunning, $0.policy) = (true, "1") },
        Row(gyroscope) { $0.hasGyroscope = true },
        // It has no attributes for polling.
        Row(nil) { ($0.hasGyroscope, $0.canBePolled) = (true, false) },
        Row(nil) { ($0.hasGyroscope, $0.policy) = (true, "1") },
        Row(polledProxy) { $0.proxyType = "iio-poll-accel" },
        Row(polledProxy) { $0.proxyType = " iio-poll-accel " },
        Row(nil) { $0.proxyType = "iio-poll-accel iio-buffer-accel" },
        Row(nil) { $0.proxyType = "iio-buffer-accel" },
        Row(nil) { $0.proxyType = "" },
        Row("udev ORIENTATIOND_BUFFER is 0") { $0.policy = "0" },
        Row("cannot write it") { $0.recordFailure = "cannot write it" },
        Row("invalid scan format 'le:s16/0>>0'") { ($0.invalidFormat, $0.policy) = ("le:s16/0>>0", "1") },
        Row("the device has no buffer") { $0.hasScanElements = false },
    ]

    @Test(arguments: rows) func `a device is captured, or polled for a reason`(row: Row) {
        var conditions = CapturePlan.Conditions()
        row.change(&conditions)
        #expect(CapturePlan(conditions) == (row.reason.map { .poll(reason: $0) } ?? .capture(trigger: "own")))
    }

    @Test func `without an attached trigger the device's own one is used, and a chip may need none`() {
        var conditions = CapturePlan.Conditions()
        conditions.trigger = .own("kxcjk1013-dev0")
        #expect(CapturePlan(conditions) == .capture(trigger: "kxcjk1013-dev0"))
        conditions.trigger = .unneeded
        #expect(CapturePlan(conditions) == .capture(trigger: nil))
        (conditions.trigger, conditions.canBePolled) = (.missing, false)
        #expect(CapturePlan(conditions) == .capture(trigger: nil))
    }
}
