// SPDX-License-Identifier: Apache-2.0

/// Detects that a sensor of unknown scale lies still, and measures the length of its vector meanwhile.
///
/// Everything is relative to that length, and O(1): sums over the period, no history. The period ends at
/// a reading that cannot be gravity under any scale: zeros, a frozen value, a vector of too few counts, a length beyond
/// ``lengths``.
struct StillPeriod: Sendable {
    /// The lengths that a gain of ``ScaleCorrection/gains`` makes one g, in m/s².
    static let lengths =
        (Acceleration.standardGravity
            / ScaleCorrection.gains.upperBound)...(Acceleration.standardGravity / ScaleCorrection.gains.lowerBound)
    /// How long the sensor must lie still, in seconds.
    static let duration = 1.0
    /// The same for a vector shorter than ``weak``: the bias of a chip in free fall is constant too, and a fall of two
    /// seconds is 20 m deep.
    static let weakDuration = 2.0
    /// The length below which a vector is weak, in m/s²: a quarter of g is more than the bias of a working chip.
    static let weak = 2.5
    /// The smallest number of samples of a period.
    static let fewestSamples = 5
    /// The longest interval between two samples of a period, in seconds.
    static let longestGap = 1.5
    /// The largest distance of a sample from the mean, as a fraction of its length: five times the noise of a poor
    /// chip.
    static let largestStep = 0.15
    /// The largest spread, as a fraction of the length: a standard deviation of 3 % on each of the three axes.
    static let largestSpread = 0.03 * 3.0.squareRoot()
    /// The fewest counts of a vector with a usable direction; the coarsest chip known has 21 in one g.
    static let fewestCounts = 16.0
    /// The most counts of a vector that may repeat: a chip with a finer resolution has noise in its last digits, so
    /// that a repeated value is frozen.
    static let repeatableCounts = 1_024.0

    private let step: Double?
    private let reportsOnlyChanges: Bool
    /// The first sample of the period; nil while there is none.
    private var first: Sample?
    private var last = 0.0
    private var count = 0.0
    /// Sums of the differences from the first sample, and of their squares.
    private var sum = Acceleration(x: 0, y: 0, z: 0)
    private var squares = 0.0

    init(step: Double?, reportsOnlyChanges: Bool) {
        self.step = step.flatMap { $0.isFinite && $0 != 0 ? abs($0) : nil }
        self.reportsOnlyChanges = reportsOnlyChanges
    }

    /// Ends the period; the next sample begins another.
    mutating func restart() {
        first = nil
    }

    /// A still period that has ended.
    struct Measurement {
        /// The mean of the vectors, in m/s².
        let mean: Acceleration
        /// The time from the first to the last sample, in seconds.
        let duration: Double
    }

    /// Processes one sample; returns the measurement at the end of a still period, else nil.
    mutating func ingest(_ sample: Sample) -> Measurement? {
        // Written so that NaN ends the period.
        guard Self.lengths.contains(sample.acceleration.magnitude), sample.time.isFinite else {
            first = nil
            return nil
        }
        guard let first, sample.time >= last, sample.time - last <= Self.longestGap else {
            begin(sample)
            return nil
        }
        let difference = sample.acceleration - first.acceleration
        let mean = first.acceleration + (1 / count) * sum
        let distance = sample.acceleration - mean
        guard distance.dot(distance) <= Self.largestStep * Self.largestStep * mean.dot(mean) else {
            begin(sample)
            return nil
        }
        last = sample.time
        count += 1
        sum = sum + difference
        squares += difference.dot(difference)
        guard last - first.time >= Self.duration, count >= Double(Self.fewestSamples) else { return nil }
        return end(first)
    }

    private mutating func begin(_ sample: Sample) {
        first = sample
        last = sample.time
        count = 1
        sum = Acceleration(x: 0, y: 0, z: 0)
        squares = 0
    }

    /// Returns the measurement if the period was still and long enough; a period that was not still ends.
    private mutating func end(_ first: Sample) -> Measurement? {
        let offset = (1 / count) * sum
        let mean = first.acceleration + offset
        let length = mean.magnitude
        guard length >= Self.weak || last - first.time >= Self.weakDuration else { return nil }
        self.first = nil
        // Rounding can make it negative.
        let spread = max(squares / count - offset.dot(offset), 0).squareRoot()
        guard spread <= Self.largestSpread * length, Self.lengths.contains(length), !isFault(first, length) else {
            return nil
        }
        return Measurement(mean: mean, duration: last - first.time)
    }

    /// Whether the chip, not gravity, made a vector of this length.
    private func isFault(_ first: Sample, _ length: Double) -> Bool {
        let counts = step.map { length / $0 }
        if let counts, counts < Self.fewestCounts { return true }
        guard squares == 0 else { return false }
        // A bus fault reads the same bytes for each axis, such as 0xFFFF.
        let vector = first.acceleration
        if abs(vector.x) == abs(vector.y), abs(vector.y) == abs(vector.z) { return true }
        return !reportsOnlyChanges && counts.map { $0 > Self.repeatableCounts } ?? false
    }
}
