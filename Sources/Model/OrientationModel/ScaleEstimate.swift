// SPDX-License-Identifier: Apache-2.0

/// Estimates the factor that makes a resting sensor read one standard gravity.
///
/// The direction of a reading needs no scale: a wrong or missing scale, or a recording in g, changes only the length.
/// So the first length that is not gravity, or the first at rest, sets the ``factor`` with which samples are classified, and a
/// second at rest confirms or replaces it. It becomes the ``gain`` of a stated scale once gravity has had two directions: a
/// bias, or an axis that is stuck, has one. A value without a clock: time comes with the samples.
///
///     var scale = ScaleEstimate()
///     if let corrected = scale.correct(sample, for: &classifier) { classifier.ingest(corrected) }
package struct ScaleEstimate: Sendable {
    /// What is known of the scale of a source.
    package enum Origin: Hashable, Sendable {
        /// The source states the scale or the unit: only the errors of ``knownFactors``, and any up to
        /// 2 g, are corrected.
        case stated
        /// The source states none, and one count of the chip is read as this many m/s²: any length is corrected.
        case unknown(count: Double)
    }

    /// The factors for errors that occur in practice: another range or resolution than the driver assumes (powers of
    /// two); a mix-up of g, mg, mm/s² and m/s²; counts of a chip with 256 per g, the default of iio-sensor-proxy. Any
    /// other factor would make gravity of a bias: chips with a high-pass filter read nothing else at rest.
    private static let knownFactors: [Double] = {
        let gravity = Acceleration.standardGravity
        let powers = [2.0, 4, 8, 16].flatMap { [$0, 1 / $0] }
        return powers + [gravity, 1 / gravity, 1_000, 1 / 1_000, gravity / 1_000, gravity / 256]
    }()
    /// The largest relative deviation of a length from one g after a known factor: the bias and the scale error of a
    /// chip.
    private static let knownTolerance = 0.1
    /// The lengths, in counts, of a sensor of unknown scale: fewer counts have no usable direction, and chips have at
    /// most 20 bits.
    private static let counts = 16.0...1_048_576.0
    /// The greatest length, in g, that another error of the scale explains: no bias is longer than one g.
    private static let greatestLength = 2.0
    /// The angle in degrees between two directions that are not those of a bias or a stuck axis: one that reads 1.4 g or more
    /// lets the vector turn by 71° in all.
    private static let confirmingAngle = 75.0
    /// The lengths, in g, that a device has in motion, too: in the pocket of a runner.
    private static let movingLengths = 0.2...5.0
    /// Smaller relative changes of the factor are ignored.
    private static let leastChange = 0.05
    /// The largest distance of a sample at rest from the mean, as a fraction of its length: five times the noise of a
    /// poor chip.
    private static let restTolerance = 0.15
    /// The time at rest that measures the scale, in seconds, and the fewest samples of it: no swing, throw or shake
    /// keeps one vector that long.
    private static let restTime = 1.0
    private static let fewestSamples = 5.0
    /// The time at rest, in seconds, until a length that is not gravity, but may be a motion, sets the factor.
    private static let briefRest = 0.3
    /// The longest interval between samples of one rest, in seconds.
    private static let longestRestGap = 1.5
    /// The longest interval, in seconds, between two readings that count as continuously without gravity: sensors at
    /// rest are read at least every 4.5 s.
    private static let longestGap = 5.0

    /// What a sample is multiplied by for the classifier.
    package private(set) var factor = 1.0
    /// What every reading is multiplied by: the factor if the scale is not stated, or if gravity has had two directions.
    package var gain: Double { isConfirmed || origin != .stated ? factor : 1 }
    /// The first direction that gravity had with this factor, and whether it had another one since.
    private var direction: Acceleration?
    private var isConfirmed = false
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
    private var isFinal: Bool { isMeasured && factor == 1 }

    /// The time without the length of gravity until the last sample, in seconds.
    package var timeWithoutGravity: Double { implausible.map { $0.last.time - $0.since } ?? 0 }

    /// Processes a sample and returns it in m/s², for the classifier; nil if it cannot be classified: no sample was gravity
    /// yet, or it is not a number. Restarts the filter of `classifier` when the factor changes.
    package mutating func correct(_ sample: Sample, for classifier: inout OrientationClassifier) -> Sample? {
        let length = sample.acceleration.magnitude
        let former = factor
        if !isFinal, length > 0, length.isFinite, sample.time.isFinite { follow(sample, length) }
        calm.read(sample) { Self.factor(for: $0, origin) != nil }
        if factor != former { classifier.restart() }
        if PhysicalLimits.isGravity(factor * length) {
            implausible = nil
            hasReadGravity = true
        } else {
            let isContinuous = implausible.map { (0...Self.longestGap).contains(sample.time - $0.last.time) } ?? false
            implausible = (isContinuous ? implausible?.since ?? sample.time : sample.time, sample)
        }
        guard !lacksGravity, length.isFinite else { return nil }
        // At rest the direction is right: a vector of more than one g has another scale.
        let isTooLong = implausible != nil && isAtRest && factor * length > Acceleration.standardGravity
        return sample.scaled(by: isTooLong ? Acceleration.standardGravity / length : factor)
    }

    private mutating func follow(_ sample: Sample, _ length: Double) {
        // At once after the start or a pause, unless the length may come from a motion.
        let isMotion = origin == .stated && Self.movingLengths.contains(length / Acceleration.standardGravity)
        var rest = Rest(
            sample, delay: isMotion || self.rest?.isContinuous(with: sample) == true ? Self.briefRest : 0)
        if let known = self.rest, known.continues(with: sample) {
            rest = known
            rest.add(sample)
        }
        let isComplete = rest.duration >= Self.restTime && rest.count >= Self.fewestSamples
        self.rest = rest
        if isComplete || !isMeasured && rest.duration >= rest.delay {
            setFactor(for: rest.mean)
        } else if !isMeasured, PhysicalLimits.isGravity(length) {
            factor = 1
        }
        guard isComplete, PhysicalLimits.isGravity(factor * rest.mean.magnitude) else { return }
        isMeasured = true
        isConfirmed = isConfirmed || direction.map { $0.angle(to: rest.mean) >= Self.confirmingAngle } == true
        direction = direction ?? rest.mean
        self.rest = Rest(sample, delay: Self.briefRest)
    }

    private mutating func setFactor(for vector: Acceleration) {
        let isBusFault = abs(vector.x) == abs(vector.y) && abs(vector.y) == abs(vector.z)
        guard let wanted = Self.factor(for: vector.magnitude, origin), wanted == 1 || !isBusFault,
            abs(wanted / factor - 1) > Self.leastChange
        else { return }
        (factor, direction, isConfirmed) = (wanted, nil, false)
    }

    /// Returns the factor for a resting sensor that reads this length in m/s²; nil if the reading cannot be gravity.
    package static func factor(for length: Double, _ origin: Origin = .stated) -> Double? {
        if PhysicalLimits.isGravity(length) { return 1 }
        let exact = Acceleration.standardGravity / length
        switch origin {
        case .stated:
            if let known = knownFactors.first(where: { abs($0 / exact - 1) <= knownTolerance }) { return known }
            return (1 / Self.greatestLength...1).contains(exact) ? exact : nil
        case .unknown(let count): return counts.contains(length / count) ? exact : nil
        }
    }

    /// A time in which the vector stays the same, which ends with its first other sample.
    private struct Rest {
        let start: Double
        /// The time from the start after which its vector sets the factor of a new sensor, in seconds.
        let delay: Double
        var end: Double
        var count = 1.0
        var mean: Acceleration

        init(_ first: Sample, delay: Double) {
            (start, end, mean) = (first.time, first.time, first.acceleration)
            self.delay = delay
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

    /// The message about a wrong scale, without a full stop; nil while the factor is 1.
    package var summary: String? {
        guard factor != 1 else { return nil }
        guard origin == .stated else { return "no scale stated: readings are scaled to one g at rest" }
        let error = 1 / factor
        let unit = [("g", 1.0), ("mg", 1_000)].first { abs(error * Acceleration.standardGravity / $0.1 - 1) < 0.01 }
        let guess = unit.map { ", as if readings were in \($0.0)" } ?? ""
        let remedy = isConfirmed ? "corrected" : "only directions are used until the device is turned"
        return "scale \(Self.phrase) \(error.brief(decimals: 1_000))\(guess); \(remedy)"
    }

    /// The message about readings without gravity: their length, without a subject and a full stop.
    package var readingsWithoutGravity: String {
        let length = calm.length ?? implausible?.last.acceleration.magnitude ?? 0
        return "readings of \(length.brief(decimals: 10)) m/s² instead of 9.8"
    }
}

extension Double {
    /// The number in multiples of 1/`decimals`, from 10 on in whole numbers: the same fault has the same text.
    fileprivate func brief(decimals: Double) -> String {
        guard magnitude < 1e6 else { return "\(self)" }
        let number = magnitude < 9.95 ? (self * decimals).rounded() / decimals : rounded()
        return number == number.rounded() ? "\(Int(number))" : "\(number)"
    }
}
