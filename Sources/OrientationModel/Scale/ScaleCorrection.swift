// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Finds the gain that makes a still sensor read one standard gravity, and applies it to every sample.
///
/// The scale of a chip can be wrong, missing or doubled, and a recording can be in g. The direction of the vector is
/// right in each case; only its length is wrong. While the device lies still the length must be g, so the gain is
/// g/|a|. A pure value without a clock: time comes with the sample.
///
///     var correction = ScaleCorrection()
///     let orientation = classifier.ingest(correction.correct(sample, for: &classifier))
///
/// Only a still period (``StillPeriod``) sets a gain: a fall, a swing or shaking sets none. Once a still sensor
/// has read g with the gain 1, its scale is correct: it is not measured or corrected again. Any other gain is
/// provisional until the sensor has been still in two attitudes, or for ``establishingTime`` in one.
package struct ScaleCorrection: Sendable {
    /// The gains that are applied; beyond them the readings are a fault of another kind. Without a scale a chip of 20
    /// bits reads 256,000 counts per g (ADXL355), which takes the gain 1/26,000.
    package static let gains = 1 / 30_000.0...1_000.0
    /// The distance from g within which a still vector confirms the scale, as a fraction of g: bias and scale error of
    /// an imprecise chip are less.
    static let confirmingTolerance = 0.15
    /// The time, in seconds, after which a gain other than 1 is dropped if every corrected reading differs from g by
    /// more than ``PhysicalLimits/gravityTolerance``: less than the four seconds after which such readings are a fault.
    static let misfitTime = 3.0
    /// The time at rest in one attitude that establishes a gain, in seconds: no turn or swing holds one vector longer.
    static let establishingTime = 3.0
    /// The smallest angle between two attitudes, in degrees: a whirled device keeps one direction.
    static let attitudeAngle = 30.0

    /// What every reading is multiplied by; 1 until a still period shows that the scale is wrong.
    package private(set) var gain = 1.0
    /// Whether a still period has shown that the scale is right.
    package private(set) var isConfirmed = false

    /// Whether the gain can be kept over restarts: it has fitted two attitudes, or one for long enough.
    package private(set) var isEstablished = false

    private var period: StillPeriod
    /// The direction in which the sensor was still first with this gain, and for how long, in seconds.
    private var attitude: (direction: Acceleration, time: Double)?
    private var misfitSince: Double?

    /// Creates a correction with the gain 1.
    ///
    /// - Parameters:
    ///   - step: The change of a reading by one count of the chip, in m/s²; nil if unknown.
    ///   - reportsOnlyChanges: Whether the sensor repeats its last reading while the device is still, as sensor hubs
    ///     do.
    ///   - storedGain: The established gain of an earlier run; nil without one.
    package init(step: Double? = nil, reportsOnlyChanges: Bool = false, storedGain: Double? = nil) {
        period = StillPeriod(step: step, reportsOnlyChanges: reportsOnlyChanges)
        guard let storedGain, storedGain != 1 else { return }
        gain = storedGain
        isEstablished = true
    }

    /// Whether further readings will hardly change the gain.
    package var isSettled: Bool { isConfirmed || isEstablished }

    /// Whether a reading of this length, in m/s², can be gravity under a wrong scale.
    package func canCorrect(_ magnitude: Double) -> Bool {
        !isConfirmed && StillPeriod.lengths.contains(magnitude)
    }

    /// Processes one sample as the source delivered it; returns whether the gain changed.
    package mutating func follow(_ sample: Sample) -> Bool {
        guard !isConfirmed else { return false }
        if let measurement = period.ingest(sample) { return updateGain(measurement) }
        return gain != 1 && dropMisfit(sample)
    }

    /// Returns the sample with the gain applied.
    package func corrected(_ sample: Sample) -> Sample {
        gain == 1 ? sample : Sample(time: sample.time, acceleration: gain * sample.acceleration)
    }

    /// Processes one sample and returns it corrected; restarts the classifier's filter when the gain changed.
    package mutating func correct(_ sample: Sample, for classifier: inout OrientationClassifier) -> Sample {
        if follow(sample) { classifier.restart() }
        return corrected(sample)
    }

    /// Restarts the measurement, as after a pause; keeps the gain.
    package mutating func restart() {
        period.restart()
        misfitSince = nil
    }

    /// Derives the gain from a still period; returns whether the gain changed.
    private mutating func updateGain(_ measurement: StillPeriod.Measurement) -> Bool {
        let former = gain
        let length = measurement.mean.magnitude
        misfitSince = nil
        if fits(gain * length, Self.confirmingTolerance) {
            isConfirmed = gain == 1
        } else if fits(length, Self.confirmingTolerance) {
            gain = 1
            isConfirmed = true
        } else if !fits(gain * length, PhysicalLimits.gravityTolerance) {
            gain = fits(length, PhysicalLimits.gravityTolerance) ? 1 : Acceleration.standardGravity / length
        }
        if gain != former { restartEvidence() }
        addEvidence(measurement)
        return gain != former
    }

    private mutating func restartEvidence() {
        isEstablished = false
        attitude = nil
    }

    /// Establishes the gain if it fits a second attitude, or the same one for long enough.
    private mutating func addEvidence(_ measurement: StillPeriod.Measurement) {
        let length = measurement.mean.magnitude
        guard fits(gain * length, gain == 1 ? PhysicalLimits.gravityTolerance : Self.confirmingTolerance) else {
            return
        }
        let direction = (1 / length) * measurement.mean
        let known = attitude ?? (direction, 0)
        let isOther = known.direction.dot(direction) < cos(Self.attitudeAngle * .pi / 180)
        attitude = (known.direction, known.time + (isOther ? 0 : measurement.duration))
        if isOther || known.time + measurement.duration >= Self.establishingTime { isEstablished = true }
    }

    private mutating func dropMisfit(_ sample: Sample) -> Bool {
        guard !fits(gain * sample.acceleration.magnitude, PhysicalLimits.gravityTolerance) else {
            misfitSince = nil
            return false
        }
        guard let since = misfitSince, since <= sample.time else {
            misfitSince = sample.time
            return false
        }
        guard sample.time - since >= Self.misfitTime else { return false }
        misfitSince = nil
        gain = 1
        restartEvidence()
        return true
    }

    private func fits(_ length: Double, _ tolerance: Double) -> Bool {
        abs(length - Acceleration.standardGravity) <= tolerance * Acceleration.standardGravity
    }
}

extension ScaleCorrection {
    /// The phrase by which the doctor recognizes a ``summary(of:)``.
    package static let phrase = "looks wrong by a factor of"

    /// The message about the correction of `subject`, without a full stop; nil while the gain is 1.
    package func summary(of subject: String = "scale") -> String? {
        guard gain != 1 else { return nil }
        let factor = 1 / gain
        let units = [("g", 1.0), ("mg", 1_000.0)]
        let unit = units.first { abs(factor * Acceleration.standardGravity / $0.1 - 1) <= 0.1 }
        let guess = unit.map { ", as if readings were in \($0.0)" } ?? ""
        return "\(subject) \(Self.phrase) \(factor.threeDigits)\(guess); corrected"
    }
}

extension Double {
    /// The number with three significant digits, without zeros at the end: `0.51`, `104`.
    fileprivate var threeDigits: String {
        var number = self
        var unit = 1.0
        while number.magnitude >= 1_000, number.isFinite {
            number /= 10
            unit *= 10
        }
        var divisor = 1.0
        while number.magnitude < 100, number != 0 {
            number *= 10
            divisor *= 10
        }
        let rounded = number.rounded() * unit / divisor
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}
