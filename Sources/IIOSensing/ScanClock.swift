// SPDX-License-Identifier: Apache-2.0

/// The time of each scan on CLOCK_BOOTTIME: the kernel's stamp where that is known to be of this clock, else the time
/// of arrival. The first scan decides, and the two are never mixed.
struct ScanClock {
    /// How far a stamp may be from its arrival, in seconds: some hubs stamp by a clock of their own.
    private static let tolerance = 1.0

    private enum Source {
        case undecided
        case stamps
        case arrivals
    }

    private var source: Source

    /// Whether the kernel was made to stamp with CLOCK_BOOTTIME.
    init(hasBootTime: Bool) {
        source = hasBootTime ? .undecided : .arrivals
    }

    /// The scan's time in seconds; `stamp` is the kernel's, in nanoseconds.
    mutating func time(stamp: Int64?, arrival: Double) -> Double {
        let stamped = stamp.map { Double($0) / 1e9 }
        if source == .undecided {
            let isOurs = stamped.map { ($0 - arrival).magnitude <= Self.tolerance } == true
            source = isOurs ? .stamps : .arrivals
        }
        return source == .stamps ? stamped ?? arrival : arrival
    }
}
