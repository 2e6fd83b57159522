// SPDX-License-Identifier: Apache-2.0

/// Estimates the factor that makes a resting sensor read one standard gravity, and applies it to every sample.
///
/// The direction of a reading needs no scale: a wrong or missing scale, or a recording in g, changes only the length.
/// The first reading sets the gain, so that its direction is classified at once; a second at rest confirms or replaces
/// the gain. A value without a clock: time comes with the samples.
///
///     var scale = ScaleEstimate()
///     if let corrected = scale.correct(sample, for: &classifier) { classifier.ingest(corrected) }
package struct ScaleEstimate: Sendable {
    /// What is known of the scale of a source.
    package enum Origin: Hashable, Sendable {
        /// The source states the scale or the unit: only the errors of ``knownGains`` are corrected.
        case stated
        /// The source states none, and one count of the chip is read as this many m/s²: any length is corrected.
        case unknown(count: Double)
    }

    /// The gains for errors that occur in practice: another range or resolution than the driver assumes (powers of
    /// two); a mix-up of g, mg, mm/s² and m/s²; counts of a chip with 256 per g, the default of iio-sensor-proxy. Any
    /// other gain would make gravity of a bias: chips with a high-pass filter read nothing else at rest.
    private static let knownGains: [Double] = {
        let gravity = Acceleration.standardGravity
        let powers = [2.0, 4, 8, 16].flatMap { [$0, 1 / $0] }
        return powers + [gravity, 1 / gravity, 1_000, 1 / 1_000, gravity / 1_000, gravity / 256]
    }()
    /// The largest relative deviation of a length from one g after a known gain: the bias and the scale error of a
    /// chip.
    private static let knownTolerance = 0.1
    /// The lengths, in counts, of a sensor of unknown scale: fewer counts have no usable direction, and chips have at
    /// most 20 bits.
    private static let counts = 16.0...1_048_576.0
    /// Smaller relative changes of the gain are ignored.
    private static let leastChange = 0.05
    /// The largest distance of a sample at rest from the mean, as a fraction of its length: five times the noise of a
    /// poor chip.
    private static let restTolerance = 0.15
    /// The time at rest that measures the scale, in seconds, and the fewest samples of it: no swing, throw or shake
    /// keeps one vector that long.
    private static let restTime = 1.0
    private static let fewestSamples = 5.0
    /// The time at rest after a motion, in seconds, until a length that is not gravity sets the gain of a new sensor.
    private static let briefRest = 0.3
    /// The longest interval between samples of one rest, in seconds.
    private static let longestRestGap = 1.5
    /// The longest interval, in seconds, between two readings that count as continuously without gravity: sensors at
    /// rest are read at least every 4.5 s.
    private static let longestGap = 5.0

    /// What every reading is multiplied by.
    package private(set) var gain = 1.0
    /// Whether a reading has had the length of gravity.
    package private(set) var hasReadGravity = false
    /// The time, in seconds, since which all readings have had another length, and the last of them. With a jump of the
    /// length here, the driver may have a new scale.
    private var implausible: (since: Double, last: Sample)?
    private let origin: Origin
    private var calm = CalmParts()
    private var rest: Rest?
    /// Whether a rest has measured the scale: a single reading no longer changes it.
    package private(set) var isMeasured = false

    package init(_ origin: Origin = .stated) { self.origin = origin }

    /// Whether there is no gravity: no reading has its length, or only readings in motion have.
    package var lacksGravity: Bool { !hasReadGravity || calm.lackGravity }

    private var isAtRest: Bool { !isFinal && (rest?.duration ?? 0) >= Self.briefRest }

    /// Whether a rest has shown that the stated scale is right: a later fall or spin must not change it.
    private var isFinal: Bool { isMeasured && gain == 1 }

    /// The time without the length of gravity until the last sample, in seconds.
    package var timeWithoutGravity: Double { implausible.map { $0.last.time - $0.since } ?? 0 }

    /// Processes a sample and returns it in m/s²; nil if it cannot be classified: no sample was gravity yet, or it is
    /// not a number. Restarts the filter of `classifier` when the gain changes.
    package mutating func correct(_ sample: Sample, for classifier: inout OrientationClassifier) -> Sample? {
        let length = sample.acceleration.magnitude
        let former = gain
        if !isFinal, length > 0, length.isFinite, sample.time.isFinite { follow(sample, length) }
        calm.read(sample) { Self.gain(for: $0, origin) != nil }
        if gain != former { classifier.restart() }
        if PhysicalLimits.isGravity(gain * length) {
            implausible = nil
            hasReadGravity = true
        } else {
            let isContinuous = implausible.map { (0...Self.longestGap).contains(sample.time - $0.last.time) } ?? false
            implausible = (isContinuous ? implausible?.since ?? sample.time : sample.time, sample)
        }
        guard !lacksGravity, length.isFinite else { return nil }
        // At rest the direction is right: a vector of more than one g has another scale.
        let isTooLong = implausible != nil && isAtRest && gain * length > Acceleration.standardGravity
        let factor = isTooLong ? Acceleration.standardGravity / length : gain
        return factor == 1 ? sample : Sample(time: sample.time, acceleration: factor * sample.acceleration)
    }

    private mutating func follow(_ sample: Sample, _ length: Double) {
        var rest = Rest(sample, following: self.rest)
        if let known = self.rest, known.continues(with: sample) {
            rest = known
            rest.add(sample)
        }
        let isComplete = rest.duration >= Self.restTime && rest.count >= Self.fewestSamples
        self.rest = rest
        if isComplete || !isMeasured && rest.duration >= rest.delay {
            setGain(for: rest.mean)
        } else if !isMeasured, PhysicalLimits.isGravity(length) {
            gain = 1
        }
        if isComplete, PhysicalLimits.isGravity(gain * rest.mean.magnitude) {
            isMeasured = true
            self.rest = Rest(sample, following: rest)
        }
    }

    private mutating func setGain(for vector: Acceleration) {
        let isBusFault = abs(vector.x) == abs(vector.y) && abs(vector.y) == abs(vector.z)
        guard let wanted = Self.gain(for: vector.magnitude, origin), wanted == 1 || !isBusFault,
            abs(wanted / gain - 1) > Self.leastChange
        else { return }
        gain = wanted
    }

    /// Returns the gain for a resting sensor that reads this length in m/s²; nil if the reading cannot be gravity.
    package static func gain(for length: Double, _ origin: Origin = .stated) -> Double? {
        if PhysicalLimits.isGravity(length) { return 1 }
        let exact = Acceleration.standardGravity / length
        switch origin {
        case .stated: return knownGains.first { abs($0 / exact - 1) <= knownTolerance }
        case .unknown(let count): return counts.contains(length / count) ? exact : nil
        }
    }

    /// A time in which the vector stays the same, which ends with its first other sample.
    private struct Rest {
        let start: Double
        /// The time from the start after which its vector sets the gain of a new sensor, in seconds: at once for the
        /// first reading and after a pause.
        let delay: Double
        var end: Double
        var count = 1.0
        var mean: Acceleration

        init(_ first: Sample, following former: Rest?) {
            (start, end, mean) = (first.time, first.time, first.acceleration)
            delay = former?.isContinuous(with: first) == true ? ScaleEstimate.briefRest : 0
        }

        var duration: Double { end - start }

        func isContinuous(with sample: Sample) -> Bool {
            (0...ScaleEstimate.longestRestGap).contains(sample.time - end)
        }

        func continues(with sample: Sample) -> Bool {
            isContinuous(with: sample)
                && (sample.acceleration - mean).magnitude <= ScaleEstimate.restTolerance * mean.magnitude
        }

        mutating func add(_ sample: Sample) {
            end = sample.time
            count += 1
            mean = mean + (1 / count) * (sample.acceleration - mean)
        }
    }
}

// MARK: Messages

extension ScaleEstimate {
    /// The phrase by which the doctor recognizes a ``summary``.
    package static let phrase = "looks wrong by a factor of"

    /// The message about the correction, without a full stop; nil while the gain is 1.
    package var summary: String? {
        guard gain != 1 else { return nil }
        guard origin == .stated else { return "no scale stated: readings are scaled to one g at rest" }
        let factor = 1 / gain
        let unit = [("g", 1.0), ("mg", 1_000)].first { abs(factor * Acceleration.standardGravity / $0.1 - 1) < 0.01 }
        let guess = unit.map { ", as if readings were in \($0.0)" } ?? ""
        return "scale \(Self.phrase) \(factor.brief(decimals: 1_000))\(guess); corrected"
    }

    /// The message about readings without gravity: their length, without a subject and a full stop.
    package var readingsWithoutGravity: String {
        let length = calm.length ?? implausible?.last.acceleration.magnitude ?? 0
        return "readings of \(length.brief(decimals: 10)) m/s² instead of 9.8"
    }
}

extension Double {
    /// The number in multiples of 1/`decimals`, from 10 on in whole numbers, so that the same fault has the same text.
    fileprivate func brief(decimals: Double) -> String {
        guard magnitude < 1e6 else { return "\(self)" }
        let number = magnitude < 9.95 ? (self * decimals).rounded() / decimals : rounded()
        return number == number.rounded() ? "\(Int(number))" : "\(number)"
    }
}
