// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// Notices that a device is held still: samples of the sensor's own vector in, and while it is still the mean over the
/// last second out. No clock: time comes with the samples.
package struct Stillness: Sendable {
    /// How long it must be still, in seconds.
    package static let duration = 1.0
    /// How many samples that takes at the least.
    static let fewestSamples = 8
    /// How far a sample may be from the mean before everything starts anew, in m/s²: beyond a poor chip's noise.
    static let largestStep = 2.0
    /// The largest distance from the mean, as a root mean square, in m/s²: a hand that trembles and a poor chip are below.
    static let largestSpread = 0.6
    /// How far the mean may move from one half of the time to the other, in m/s²: a slow turn, 3° in a second.
    static let largestDrift = 0.25
    /// Samples that are kept: four thousand in a second are more than any accelerometer gives.
    static let capacity = 4_000

    /// A device that was held still.
    package struct Hold: Hashable, Sendable {
        /// The mean, in the sensor's own axes and m/s².
        package var mean: Acceleration
        /// How far the samples were from it, as a root mean square in m/s².
        package var spread: Double
    }

    private var window: [Sample] = []
    private var sum = Acceleration.zero
    private var first = 0

    package init() {}

    /// Forgets what was.
    package mutating func restart() {
        self = Stillness()
    }

    /// How much of the time is over, 0 to 1.
    package var progress: Double {
        guard let last = window.last, first < window.count else { return 0 }
        return min((last.time - window[first].time) / Self.duration, 1)
    }

    /// Takes in the next sample; nil as long as the device has not been still for long enough.
    package mutating func ingest(_ sample: Sample) -> Hold? {
        guard sample.acceleration.isFinite else {
            restart()
            return nil
        }
        let count = window.count - first
        if count > 0 {
            let mean = (1 / Double(count)) * sum
            let runsBack = window.last.map { sample.time < $0.time } ?? false
            if runsBack || (sample.acceleration - mean).magnitude > Self.largestStep { restart() }
        }
        window.append(sample)
        sum = sum + sample.acceleration
        return hold
    }

    /// What was held, if all of the last second was still; drops what is older.
    private var hold: Hold? {
        mutating get {
            guard let last = window.last else { return nil }
            let samples = window[first...].map(\.acceleration)
            guard samples.count >= Self.fewestSamples, last.time - window[first].time >= Self.duration else {
                if samples.count > Self.capacity { drop() }
                return nil
            }
            let mean = samples.mean
            let spread = samples.map { ($0 - mean).dot($0 - mean) }.reduce(0, +) / Double(samples.count)
            let middle = samples.count / 2
            let drift = (Array(samples[..<middle]).mean - Array(samples[middle...]).mean).magnitude
            while last.time - window[first].time >= Self.duration { drop() }
            guard spread.squareRoot() <= Self.largestSpread, drift <= Self.largestDrift else { return nil }
            return Hold(mean: mean, spread: spread.squareRoot())
        }
    }

    private mutating func drop() {
        sum = sum - window[first].acceleration
        first += 1
        if first > Self.capacity {
            window.removeFirst(first)
            first = 0
        }
    }
}
