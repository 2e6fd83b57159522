// SPDX-License-Identifier: Apache-2.0

/// Finds out from the calm parts of a motion that a source has no gravity, such as a recording of linear acceleration: while
/// the device moves, its readings have any length, also gravity's.
///
/// Not the rests of ``ScaleEstimate``: those compare with a fraction of the length, and vectors without gravity are so short
/// that noise is never within it.
struct CalmParts: Sendable {
    /// The length of a part in seconds, and its fewest samples.
    private static let span = 0.5
    private static let fewestSamples = 3
    /// The longest interval between two samples of a part, in seconds.
    private static let longestGap = 0.45
    /// The largest difference from the first sample of a calm part, in m/s²: a hand trembles, and noise.
    private static let tremble = 0.6
    /// The largest difference in a calm part whose length is gravity in another unit, as a fraction of it.
    private static let relativeTremble = 0.3
    /// The length of vectors without gravity, in m/s².
    private static let longest = 3.0
    /// The calm parts without gravity after which there is none: a fall is shorter.
    private static let fewestParts = 3

    private var first: Sample?
    private var last = 0.0
    private var count = 0
    private var sum = Acceleration.zero
    /// The largest difference from the first sample, in m/s².
    private var spread = 0.0
    private var partsWithoutGravity = 0
    private var hasGravity = false
    /// The length of the vector in the last calm part without gravity; nil without one.
    private(set) var length: Double?

    /// Whether several parts were calm, and none had gravity.
    var lackGravity: Bool { !hasGravity && partsWithoutGravity >= Self.fewestParts }

    /// Reads a sample; `isGravity` says whether a length can be gravity, in another unit or with a wrong scale.
    mutating func read(_ sample: Sample, isGravity: (Double) -> Bool) {
        guard !hasGravity, sample.acceleration.isFinite else { return }
        guard let first, (0...Self.longestGap).contains(sample.time - last) else { return begin(sample) }
        last = sample.time
        count += 1
        sum = sum + sample.acceleration
        spread = max(spread, (sample.acceleration - first.acceleration).magnitude)
        guard sample.time - first.time >= Self.span else { return }
        if spread <= Self.tremble, count >= Self.fewestSamples {
            end(length: (1 / Double(count)) * sum.magnitude, isGravity)
        }
        begin(sample)
    }

    private mutating func begin(_ sample: Sample) {
        (first, last, count, sum, spread) = (sample, sample.time, 1, sample.acceleration, 0)
    }

    private mutating func end(length: Double, _ isGravity: (Double) -> Bool) {
        if length >= Self.longest || isGravity(length) && spread <= Self.relativeTremble * length {
            (hasGravity, self.length) = (true, nil)
        } else {
            partsWithoutGravity += 1
            self.length = length
        }
    }
}
