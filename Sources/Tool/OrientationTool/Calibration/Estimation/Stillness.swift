// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// Detects that a device is held still: takes samples of the sensor's vector and returns the mean over the last second
/// while it is still. Without a clock: time comes with the samples.
struct Stillness {
    /// The time for which it must be still, in seconds.
    static let duration = 1.0
    /// The smallest number of samples in that time.
    static let fewestSamples = 8
    /// The largest distance of a sample from the mean, in m/s²: larger than the noise of a poor chip.
    static let largestStep = 2.0
    /// The largest root-mean-square deviation from the mean, in m/s²: larger than hand tremor and the noise of a poor
    /// chip.
    static let largestSpread = 0.6
    /// The largest shift of the mean between both halves of the time, in m/s²: a slow turn of 3° per second.
    static let largestDrift = 0.25
    /// The number of samples kept: 4000 per second exceeds every accelerometer.
    static let capacity = 4_000

    /// A period in which the device was still.
    struct Period: Hashable {
        /// The mean in the sensor's own axes, in m/s².
        var mean: Acceleration
        /// The root-mean-square deviation from the mean, in m/s².
        var spread: Double
    }

    private var window: [Sample] = []

    mutating func restart() {
        self = Stillness()
    }

    /// The elapsed share of the required time, 0 to 1.
    var progress: Double {
        guard let first = window.first, let last = window.last else { return 0 }
        return min((last.time - first.time) / Self.duration, 1)
    }

    /// Adds the next sample; returns nil until the device has been still for long enough.
    mutating func ingest(_ sample: Sample) -> Period? {
        guard sample.acceleration.isFinite else {
            restart()
            return nil
        }
        if let last = window.last {
            let distance = (sample.acceleration - window.map(\.acceleration).mean).magnitude
            if sample.time < last.time || distance > Self.largestStep { restart() }
        }
        window.append(sample)
        if window.count > Self.capacity { window.removeFirst() }
        return hold
    }

    /// The still period, if all of the last second was still; drops older samples.
    private var hold: Period? {
        mutating get {
            guard window.count >= Self.fewestSamples, progress == 1 else { return nil }
            let samples = window.map(\.acceleration)
            let mean = samples.mean
            let spread = samples.map { ($0 - mean).dot($0 - mean) }.reduce(0, +) / Double(samples.count)
            let middle = samples.count / 2
            let drift = (Array(samples[..<middle]).mean - Array(samples[middle...]).mean).magnitude
            while progress == 1 { window.removeFirst() }
            guard spread.squareRoot() <= Self.largestSpread, drift <= Self.largestDrift else { return nil }
            return Period(mean: mean, spread: spread.squareRoot())
        }
    }
}

/// Finds the periods in which a device was held still, from samples in the sensor's own axes.
struct StillPeriods {
    /// The maximum number of periods kept: more periods than poses are an error.
    static let capacity = 32

    private var stillness = Stillness()
    private var holds: [Stillness.Period] = []
    /// The number of periods, including those not kept.
    private(set) var count = 0

    mutating func ingest(_ sample: Sample) {
        guard let hold = stillness.ingest(sample) else { return }
        if let last = holds.last, last.mean.angle(to: hold.mean) < PlausiblePoses.sameAngle {
            // The same pose, corrected or resumed: the calmest second counts.
            if hold.spread < last.spread { holds[holds.count - 1] = hold }
            return
        }
        count += 1
        if holds.count < Self.capacity { holds.append(hold) }
    }

    /// Returns the periods as poses, in the order of ``Pose``.
    func measurements() throws(CalibrationFailure) -> [PoseMeasurement] {
        guard Pose.counts.contains(count) else { throw .stillPeriods(found: count) }
        return zip(Pose.allCases, holds).map { PoseMeasurement($0, $1.mean) }
    }
}

extension [Acceleration] {
    fileprivate var mean: Acceleration { (1 / Double(count)) * reduce(.zero, +) }
}
