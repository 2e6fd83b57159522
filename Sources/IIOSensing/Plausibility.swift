// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import Sensing

/// Tells what a device can feel from what only a wrong scale or matrix can make of it.
///
/// A single odd reading is nothing: people shake and drop what they hold. For seconds on end they are a fault that somebody
/// can mend, and are told as one; without that the sensor would only seem to be silent, or its answer to be stuck.
struct Plausibility {
    /// The longest vector that counts, in m/s²: 8 g, more than most chips measure.
    static let largestMagnitude = 80.0
    /// For how many seconds all readings may be longer than that: no knock lasts so long.
    static let patienceWithAbsurdity = 1.0
    /// How far from gravity a reading may be for as long as it likes, as a part of gravity: beyond, the classifier does
    /// not go by it.
    static let tolerance = 0.4
    /// For how many seconds all readings may be farther from it: who falls or flies that long has other cares, and the
    /// strongest shaking passes through gravity all the time. Less than the five after which a sensor is given up that has
    /// said nothing, which would be the worse reason.
    static let patience = 4.0
    /// The longest way from one reading to the next, in seconds, for which the first speaks as well: beyond, the machine
    /// has slept, or the driver hung.
    static let longestGap = 2.0

    /// When the first of the readings was made that have all been odd, and when the last.
    private var odd: (since: Double, last: Double)?
    private var hasFeltGravity = false

    /// What is done with a reading that was made at `now`, in seconds; nil for one that is absurd and to be passed over.
    /// One that is odd is doubted as long as nothing speaks for the sensor, or a broken one would be believed anew at each
    /// try.
    mutating func judge(_ sample: Sample, at now: Double) throws(SensorFailure) -> AccelerometerStep? {
        let (magnitude, gravity) = (sample.acceleration.magnitude, Acceleration.standardGravity)
        if abs(magnitude - gravity) <= Self.tolerance * gravity {
            odd = nil
            hasFeltGravity = true
            return .sample(sample)
        }
        let since = if let odd, now - odd.last <= Self.longestGap { odd.since } else { now }
        odd = (since, now)
        // Written so that what is not even a number is absurd.
        let isAbsurd = !(magnitude <= Self.largestMagnitude)
        guard now - since >= (isAbsurd ? Self.patienceWithAbsurdity : Self.patience) else {
            if isAbsurd { return nil }
            return hasFeltGravity ? .sample(sample) : .doubtful(sample)
        }
        // In whole numbers: the same fault is told in the same words.
        let reading = magnitude < 1e6 ? "\(Int(magnitude.rounded()))" : "\(magnitude)"
        throw .implausible(
            "the sensor reads \(reading) m/s² all the time, where gravity is 9.8; is its scale or its mount matrix wrong?"
        )
    }
}
