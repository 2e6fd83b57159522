// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// Decides when the buffer is read: at each scan, or at intervals if several scans arrive in one.
///
/// Each wake-up costs more than reading the scans, which wait in the kernel's buffer. Some chips cannot be set to a low
/// frequency, and then fill the buffer at 50 Hz or more. At rest the interval is longer, because only the start of a turn
/// is then read later: the scans are classified with their own times.
struct ScanPace {
    /// The rate for motion subscribers, in hertz; nil without subscribers. With them the interval is the same at rest.
    var motionRate: Double?

    private var rest = RestDetector()
    /// The time between the last two scans, in seconds; nil if it is unknown.
    private var spacing: Double?
    private var last: Double?

    /// The interval at rest, in seconds: the longest delay of an answer. On recordings of hand-held turns, 4 of 1963 answers
    /// are later than with an interval of 0.1 s, by at most 0.04 s.
    private static let restingInterval = 0.4
    /// The largest spacing of scans that are read at intervals, as a fraction of the interval: at more, a wake-up would read
    /// one or two scans.
    private static let largestSpacing = 0.6
    /// The longest interval, in scans: half of the kernel's buffer.
    private static let longestInterval = Double(IIOBuffer.kernelScans / 2)

    init(motionRate: Double? = nil) { self.motionRate = motionRate }

    /// Handles a scan made at `time`, in seconds. Scans without the kernel's timestamps are read as they arrive, because
    /// the time of arrival is their only time.
    mutating func scanned(_ acceleration: Acceleration, at time: Double, hasTimestamp: Bool) {
        spacing = hasTimestamp ? last.map { time - $0 } : nil
        last = time
        rest.read(acceleration, at: time)
    }

    /// Whether the buffer is read at intervals.
    var readsBatches: Bool { interval != nil }

    /// Returns the pause before the buffer is read again, in seconds, when it is empty `silence` seconds after the last
    /// scan was read; nil: wait for the next scan.
    func pause(after silence: Double) -> Double? {
        guard let interval, silence < interval else { return nil }
        return interval
    }

    private var interval: Double? {
        let wanted =
            rest.isResting && motionRate == nil
            ? Self.restingInterval : min(PollingPace.movingInterval, motionRate.map { 1 / $0 } ?? .infinity)
        guard let spacing, spacing > 0, spacing < Self.largestSpacing * wanted else { return nil }
        return min(wanted, Self.longestInterval * spacing)
    }
}
