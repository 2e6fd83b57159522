// SPDX-License-Identifier: Apache-2.0

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
        /// Whether another program has enabled the buffer.
        var isBufferEnabled = false
        /// The value of udev's ORIENTATIOND_BUFFER.
        var policy: String?
        var isProxyRunning = false
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
        if conditions.isBufferEnabled { return "another program captures from the buffer" }
        if conditions.isProxyRunning, conditions.policy != "1" {
            return "iio-sensor-proxy is running and cannot share the buffer"
        }
        return conditions.recordFailure
    }
}
