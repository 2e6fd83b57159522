// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// What every sample passes between its source and the classifier: a wrong scale is corrected, and a chip whose readings
/// cannot be gravity is a fault.
///
/// A single odd reading is nothing: devices are shaken and dropped. For seconds on end odd readings are a fault that can
/// be repaired. Without the fault the sensor would only seem silent, or its answer stuck.
struct GravityCheck {
    /// For how many seconds all readings may be absurd: no knock lasts so long.
    static let absurdTime = 1.0
    /// For how many seconds all readings may be farther from g than the tolerance: no fall lasts so long, and the strongest
    /// shaking passes through g all the time. Less than ``SensorWorker/longestSilence``, which would give the worse reason.
    static let oddTime = 4.0
    /// The longest interval between two readings, in seconds, over which odd readings count as continuous: beyond, the
    /// machine has slept, or the driver hung.
    static let longestGap = 2.0
    /// For how many seconds all readings are odd before the state says that the scale is being measured: longer than a
    /// knock.
    static let reportTime = 0.3
    /// How long the doubtful readings of a new sensor are withheld from motion subscribers, in seconds: within that time a
    /// still sensor has a gain, so that all samples they receive are of one scale.
    static let withholdingTime = 2.5

    /// What is done with a sample.
    enum Verdict: Equatable {
        /// The classifier may use it.
        case usable(Sample)
        /// Must not be classified: it cannot be gravity, and this sensor has not read gravity yet. Motion subscribers
        /// receive it, so that the fault can be measured.
        case doubtful(Sample)
        /// Longer than anything that a chip measures; ignored.
        case absurd
        /// Doubtful, and kept back while the scale is measured.
        case withheld
    }

    private(set) var scale: ScaleCorrection
    /// Whether a chip delivers the samples; a recording and a simulation are never at fault.
    private let isHardware: Bool
    /// Whether this sensor was open before.
    private let isKnown: Bool
    /// When the first of the uninterrupted odd readings was made, and the last, in seconds.
    private var odd: (since: Double, last: Double)?
    private var hasReadGravity = false
    private var lastLength = 0.0

    /// Begins with what an earlier run of the sensor found out about its scale, if there was one.
    init(_ source: any Accelerometer, remembered: ScaleCorrection?) {
        self.init(
            scale: remembered
                ?? ScaleCorrection(
                    step: source.arithmetic.scale?.map(abs).max(),
                    reportsOnlyChanges: source.arithmetic.isHub),
            isHardware: source.isHardware, isKnown: remembered != nil)
    }

    init(scale: ScaleCorrection = ScaleCorrection(), isHardware: Bool = true, isKnown: Bool = false) {
        self.scale = scale
        self.scale.restart()
        self.isHardware = isHardware
        self.isKnown = isKnown
    }

    /// Why there is no answer yet although samples come, for a person; nil where that is not the scale. Only of a sensor
    /// that is new: one whose scale could not be measured is a fault.
    var measurement: String? {
        guard !isKnown, let odd, odd.last - odd.since >= Self.reportTime, scale.canExplain(lastLength) else {
            return nil
        }
        return
            "the sensor reads \(lastLength.brief) m/s² where gravity is 9.8: hold it still while its scale is measured"
    }

    /// Judges a sample that was read at `now`, in seconds; returns whether the gain has changed as well.
    mutating func check(
        _ sample: Sample, at now: Double
    ) throws(SensorFailure) -> (verdict: Verdict, isRescaled: Bool) {
        let isRescaled = scale.follow(sample)
        if isRescaled { odd = nil }
        return (try judge(scale.corrected(sample), at: now), isRescaled)
    }

    private mutating func judge(_ sample: Sample, at now: Double) throws(SensorFailure) -> Verdict {
        let (magnitude, gravity) = (sample.acceleration.magnitude, Acceleration.standardGravity)
        if abs(magnitude - gravity) <= PhysicalLimits.gravityTolerance * gravity {
            odd = nil
            hasReadGravity = true
            return .usable(sample)
        }
        lastLength = magnitude
        let since = if let odd, now - odd.last <= Self.longestGap { odd.since } else { now }
        odd = (since, now)
        guard isHardware else { return .usable(sample) }
        // Written so that what is not even a number is absurd.
        let isAbsurd = !(magnitude <= PhysicalLimits.largestMagnitude)
        let isExplainable = scale.canExplain(magnitude)
        guard now - since >= (isAbsurd && !isExplainable ? Self.absurdTime : Self.oddTime) else {
            if hasReadGravity { return isAbsurd ? .absurd : .usable(sample) }
            if isAbsurd && !isExplainable { return .absurd }
            let isNew = !isKnown && isExplainable && now - since < Self.withholdingTime
            return isNew ? .withheld : .doubtful(sample)
        }
        throw .implausible(
            "the sensor reads \(magnitude.brief) m/s² all the time, where gravity is 9.8; is its scale or its mount matrix wrong?"
        )
    }
}

extension SensorArithmetic {
    /// Whether a sensor hub delivers the readings; hubs report only changes.
    fileprivate var isHub: Bool { sense == "HID" }
}

extension Double {
    /// In whole numbers from 10 on: the same fault is told in the same words.
    fileprivate var brief: String {
        guard magnitude < 1e6 else { return "\(self)" }
        return magnitude < 9.5 ? "\((self * 10).rounded() / 10)" : "\(Int(rounded()))"
    }
}
