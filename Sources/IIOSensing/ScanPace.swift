// SPDX-License-Identifier: Apache-2.0

/// Decides when the buffer is read: at each scan, or, if the chip is faster than needed, at intervals.
///
/// Some chips cannot be set to a low frequency, and then fill the buffer at 50 Hz or more. Each wake-up costs more than
/// reading the scans, which wait in the kernel's buffer.
struct ScanPace {
    /// The rate that is needed, in hertz.
    var rate: Double
    /// The interval between the last two scans, in seconds; nil if it is unknown.
    private var interval: Double?
    private var last: Double?

    /// The interval of a fast chip, as a fraction of the needed one: at more, a wake-up would read one or two scans.
    private static let fastFraction = 0.6
    /// The longest pause, in scans: half of the kernel's buffer.
    private static let longestPause = Double(IIOBuffer.kernelScans / 2)

    /// Creates the pace of a capture at `rate` scans per second.
    init(rate: Double) {
        self.rate = rate
    }

    /// Handles a scan made at `time`, in seconds. Scans without the kernel's timestamps are read as they arrive, because
    /// the time of arrival is their only time.
    mutating func scanned(at time: Double, hasTimestamp: Bool) {
        interval = hasTimestamp ? last.map { time - $0 } : nil
        last = time
    }

    /// Whether the chip is faster than needed.
    var isFast: Bool { pause != nil }

    /// Returns the pause before the buffer is read again, in seconds, when it is empty `silence` seconds after the last
    /// scan was read; nil: wait for the next scan.
    func pause(after silence: Double) -> Double? {
        guard let pause, silence < pause else { return nil }
        return pause
    }

    private var pause: Double? {
        guard let interval, interval > 0, interval < Self.fastFraction / rate else { return nil }
        return min(1 / rate, Self.longestPause * interval)
    }
}
