// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// The check of every sample between its source and the classifier: corrects a wrong scale, and reports a chip whose
/// readings cannot be gravity as faulty.
///
/// A single implausible reading is normal: devices are shaken and dropped. Implausible readings over several seconds
/// are a fault, which the user can fix. Without a reported fault the orientation would only appear stuck.
struct GravityCheck {
    /// The longest time of readings out of range, in seconds: longer than any impact.
    static let outOfRangeTime = 1.0
    /// The longest time of readings outside the tolerance around g, in seconds: longer than any fall, while even strong
    /// shaking passes through g. Less than ``SensorWorker/longestSilence``, whose message is less specific.
    static let implausibleTime = 4.0
    /// The longest interval between two implausible readings that count as continuous, in seconds: after a longer one
    /// the machine was suspended, or the driver hung.
    static let longestGap = 2.0
    /// The time of implausible readings before the state reports that the scale is being measured, in seconds: longer
    /// than an impact.
    static let reportTime = 0.3
    /// The time for which unverified readings of a new sensor are withheld from motion subscribers, in seconds. The
    /// gain of a sensor at rest is known by then, so that all delivered samples have the same scale.
    static let withholdingTime = 2.5

    /// The result for a sample.
    enum Verdict: Equatable {
        /// The classifier may use it.
        case usable(Sample)
        /// Must not be classified: it cannot be gravity, and this sensor has not read gravity yet. Motion subscribers
        /// receive it for the diagnosis of the fault.
        case unverified(Sample)
        /// Longer than the range of any chip; ignored.
        case outOfRange
        /// Unverified, and withheld while the scale is measured.
        case withheld
    }

    private(set) var scale: ScaleCorrection
    /// Whether a chip delivers the samples; a recording and a simulation are never at fault.
    private let isHardware: Bool
    /// Whether an earlier run opened this sensor.
    private let isKnown: Bool
    /// The times of the first and the last of consecutive implausible readings, in seconds.
    private var implausible: (since: Double, last: Double)?
    private var hasReadGravity = false
    private var lastLength = 0.0
    /// The largest deviation of the magnitude from one standard gravity, in m/s². Stored, to avoid a multiplication for each
    /// sample.
    private let largestDeviation = PhysicalLimits.gravityTolerance * Acceleration.standardGravity

    /// Starts with the correction that an earlier run of the sensor measured, if any.
    init(_ source: any Accelerometer, remembered: ScaleCorrection?) {
        self.init(
            scale: remembered ?? ScaleCorrection(source),
            isHardware: source.isHardware, isKnown: remembered != nil)
    }

    init(scale: ScaleCorrection = ScaleCorrection(), isHardware: Bool = true, isKnown: Bool = false) {
        self.scale = scale
        self.scale.restart()
        self.isHardware = isHardware
        self.isKnown = isKnown
    }

    /// Why there is no orientation although samples arrive, as a message; nil if the scale is not the reason. Only for
    /// a new sensor: one whose scale could not be measured is faulty.
    var measurement: String? {
        guard !isKnown, let implausible, implausible.last - implausible.since >= Self.reportTime,
            scale.canCorrect(lastLength)
        else { return nil }
        return
            "the sensor reads \(lastLength.brief) m/s² instead of 9.8: hold the device still while its scale is measured"
    }

    /// Checks a sample read at `now`, in seconds; also returns whether the gain has changed.
    mutating func check(
        _ sample: Sample, at now: Double
    ) throws(SensorFailure) -> (verdict: Verdict, isRescaled: Bool) {
        // Nothing changes or corrects a confirmed scale.
        if scale.isConfirmed { return (try checkMagnitude(of: sample, at: now), false) }
        let isRescaled = scale.follow(sample)
        if isRescaled { implausible = nil }
        return (try checkMagnitude(of: scale.corrected(sample), at: now), isRescaled)
    }

    @inline(__always)
    private mutating func checkMagnitude(of sample: Sample, at now: Double) throws(SensorFailure) -> Verdict {
        let magnitude = sample.acceleration.magnitude
        if abs(magnitude - Acceleration.standardGravity) <= largestDeviation {
            implausible = nil
            hasReadGravity = true
            return .usable(sample)
        }
        return try verdict(on: sample, ofImplausible: magnitude, at: now)
    }

    /// Returns the verdict on a sample that cannot be gravity.
    @inline(never) private mutating func verdict(
        on sample: Sample, ofImplausible magnitude: Double, at now: Double
    ) throws(SensorFailure) -> Verdict {
        lastLength = magnitude
        let since = if let implausible, now - implausible.last <= Self.longestGap { implausible.since } else { now }
        implausible = (since, now)
        guard isHardware else { return .usable(sample) }
        // The comparison is false for NaN, which is therefore out of range.
        let isOutOfRange = !(magnitude <= PhysicalLimits.largestMagnitude)
        let isCorrectable = scale.canCorrect(magnitude)
        guard now - since >= (isOutOfRange && !isCorrectable ? Self.outOfRangeTime : Self.implausibleTime) else {
            if hasReadGravity { return isOutOfRange ? .outOfRange : .usable(sample) }
            if isOutOfRange && !isCorrectable { return .outOfRange }
            let isNew = !isKnown && isCorrectable && now - since < Self.withholdingTime
            return isNew ? .withheld : .unverified(sample)
        }
        throw .implausible(
            "the sensor keeps reading \(magnitude.brief) m/s² instead of 9.8: its scale or mount matrix is wrong"
        )
    }
}

extension Double {
    /// Rounded to whole numbers from 10 on, so that the same fault gives the same message.
    fileprivate var brief: String {
        guard magnitude < 1e6 else { return "\(self)" }
        return magnitude < 9.5 ? "\((self * 10).rounded() / 10)" : "\(Int(rounded()))"
    }
}
