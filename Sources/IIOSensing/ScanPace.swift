// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensing

/// Decides when the buffer is read: at each scan, or, if the chip is faster than needed, at intervals.
///
/// Each wake-up costs more than reading the scans, which wait in the kernel's buffer. Some chips cannot be set to a low
/// frequency, and then fill the buffer at 50 Hz or more. While the device is at rest the pauses are longer: a turn by hand
/// takes longer, and its scans are classified with their own times.
struct ScanPace {
    /// The rate that is needed, in hertz.
    var rate: Double
    /// Whether samples are sent to motion subscribers, who need them at rest as soon as in motion.
    var sendsMotion: Bool
    /// Decides whether the device is at rest.
    private var polling = PollingPace()
    /// The interval between the last two scans, in seconds; nil if it is unknown.
    private var interval: Double?
    private var last: Double?

    /// The pause at rest, in seconds. On recordings of hand-held turns 4 of 1963 answers are later, by at most 0.04 s; a turn
    /// within 0.2 s is detected at most 0.2 s late.
    private static let restingPause = 0.4
    /// The interval of a fast chip, as a fraction of the needed one: at more, a wake-up would read one or two scans.
    private static let fastFraction = 0.6
    /// The longest pause, in scans: half of the kernel's buffer.
    private static let longestPause = Double(IIOBuffer.kernelScans / 2)

    /// Creates the pace of a capture at `rate` scans per second.
    init(rate: Double, sendsMotion: Bool = false) {
        self.rate = rate
        self.sendsMotion = sendsMotion
    }

    /// Handles a scan made at `time`, in seconds. Scans without the kernel's timestamps are read as they arrive, because
    /// the time of arrival is their only time.
    mutating func scanned(_ acceleration: Acceleration, at time: Double, hasTimestamp: Bool) {
        interval = hasTimestamp ? last.map { time - $0 } : nil
        last = time
        _ = polling.interval(after: acceleration, at: time)
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
        let wanted = polling.isResting && !sendsMotion ? max(1 / rate, Self.restingPause) : 1 / rate
        guard let interval, interval > 0, interval < Self.fastFraction * wanted else { return nil }
        return min(wanted, Self.longestPause * interval)
    }
}
