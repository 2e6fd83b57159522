// SPDX-License-Identifier: Apache-2.0

/// Whether a sensor's samples are taken from its buffer, or asked for one by one.
enum CapturePlan: Hashable {
    /// The trigger's name; nil where the chip needs none.
    case capture(trigger: String?)
    /// The reason is for people and goes on after "polled: ".
    case poll(because: String)

    /// All that the decision depends on.
    struct Situation: Hashable {
        /// Whether the device is this machine's own.
        var isLocal = true
        var hasScanElements = true
        /// How an axis is said to lie in a scan, where it cannot lie so.
        var unsoundFormat: String?
        var trigger = Trigger.attached("own")
        /// Whether the buffer runs: nobody but another program can have started it.
        var isBufferEnabled = false
        /// udev's ORIENTATIOND_BUFFER.
        var policy: String?
        var isProxyRunning = false
        /// Why a buffer of ours could not be told from others' after a crash; nil where it can.
        var obstacle: String?
    }

    /// What makes the scans.
    enum Trigger: Hashable {
        case attached(String)
        /// None is attached, but the device's own is there.
        case own(String)
        case unneeded
        case missing
    }

    init(_ situation: Situation) {
        if let reason = Self.obstacle(in: situation) {
            self = .poll(because: reason)
            return
        }
        switch situation.trigger {
        case .attached(let name), .own(let name): self = .capture(trigger: name)
        case .unneeded: self = .capture(trigger: nil)
        case .missing: self = .poll(because: "nothing triggers its buffer")
        }
    }

    private static func obstacle(in situation: Situation) -> String? {
        if !situation.isLocal { return "it is not this machine's own, and libiio cannot wait for a remote buffer" }
        if !situation.hasScanElements { return "it has no buffer" }
        if let format = situation.unsoundFormat { return "its buffer's format '\(format)' cannot be" }
        if situation.policy == "0" { return "udev ORIENTATIOND_BUFFER is 0" }
        // Opening a buffer stops whoever captures, even if it then fails.
        if situation.isBufferEnabled { return "another program is capturing from its buffer" }
        if situation.isProxyRunning, situation.policy != "1" {
            return "iio-sensor-proxy is running, with which no buffer can be shared"
        }
        return situation.obstacle
    }
}
