// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// A source that is open, or a recording that is paused, with the classifier that judges it.
struct SensorRun {
    var number: Int
    let source: any Accelerometer
    var classifier: OrientationClassifier
    var tilt = TiltClassifier()
    /// CLOCK_BOOTTIME in seconds.
    var lastSample: Double
    /// What its newest sample was, in m/s²; nil before the first.
    var lastVector: Acceleration?
    /// What is odd about how it is judged, for people.
    var warnings: [String] = []

    /// Remembers that the sensor has said something, read at `now`, whatever that is worth.
    mutating func note(_ sample: Sample, at now: Double) {
        lastSample = now
        lastVector = sample.acceleration
    }

    /// Takes in a sample, read at `now`; whether an answer changed.
    mutating func judge(_ sample: Sample, at now: Double) -> Bool {
        note(sample, at: now)
        let edge = classifier.lastEdge
        let change = classifier.ingest(sample)
        let leans = tilt.follow(classifier, at: sample.time)
        return change != nil || classifier.lastEdge != edge || leans
    }
}
