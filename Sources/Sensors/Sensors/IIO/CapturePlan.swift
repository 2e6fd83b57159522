// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// Whether a sensor is captured from its buffer or polled.
enum CapturePlan: Hashable {
    /// Capture with this trigger; nil if the chip needs none.
    case capture(trigger: String?)
    /// Poll; the reason is for a message that begins with "polled: ".
    case poll(reason: String)

    /// The input of the decision.
    struct Conditions: Hashable {
        var hasScanElements = true
        /// The scan format of an axis, if it is invalid.
        var invalidFormat: String?
        var trigger = Trigger.attached("own")
        /// Whether the sensor has attributes for polling.
        var canBePolled = true
        /// Why the buffer must not be opened; nil if it may.
        var bufferConflict: String?
        /// The value of udev's ORIENTATIOND_BUFFER.
        var policy: String?
        var isProxyRunning = false
        /// The value of udev's IIO_SENSOR_PROXY_TYPE.
        var proxyType: String?
        /// Whether the chip is a gyroscope as well. Programs of handhelds read both through attributes, for aiming: these reads
        /// fail during a capture.
        var hasGyroscope = false
        /// Why no restore record can be written; nil if one can.
        var recordFailure: String?
    }

    /// What triggers the scans.
    enum Trigger: Hashable {
        case attached(String)
        /// No trigger is attached; the driver registered this one.
        case own(String)
        case unneeded
        case missing
    }

    init(_ conditions: Conditions) {
        if let reason = Self.obstacle(in: conditions) {
            self = .poll(reason: reason)
            return
        }
        switch conditions.trigger {
        case .attached(let name), .own(let name): self = .capture(trigger: name)
        case .unneeded: self = .capture(trigger: nil)
        // Some drivers fill the buffer without a trigger too; the others refuse to enable it.
        case .missing: self = conditions.canBePolled ? .poll(reason: "no trigger found") : .capture(trigger: nil)
        }
    }

    private static func obstacle(in conditions: Conditions) -> String? {
        if !conditions.hasScanElements { return "the device has no buffer" }
        if let format = conditions.invalidFormat { return "invalid scan format '\(format)'" }
        if conditions.policy == "0" { return "udev ORIENTATIOND_BUFFER is 0" }
        // Opening a buffer stops any other capture, even if the call then fails.
        if let conflict = conditions.bufferConflict { return conflict }
        if conditions.policy != "1", let reason = sharing(in: conditions) { return reason }
        return conditions.recordFailure
    }

    /// Why the chip is left to other programs, which a capture would disturb; nil if it need not be.
    private static func sharing(in conditions: Conditions) -> String? {
        if conditions.isProxyRunning { return "iio-sensor-proxy is running and cannot share the buffer" }
        // Without an administrator, udev lists a buffer too.
        if conditions.proxyType.map({ $0.trimming { $0 == " " } == "iio-poll-accel" }) == true {
            return "udev IIO_SENSOR_PROXY_TYPE is iio-poll-accel"
        }
        return conditions.hasGyroscope && conditions.canBePolled ? "other programs may read its gyroscope" : nil
    }
}
