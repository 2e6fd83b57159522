// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// A source that is open, or a recording that is paused, with the classifier that judges it.
struct SensorRun {
    var number: Int
    let source: any Accelerometer
    var classifier: OrientationClassifier
    /// CLOCK_BOOTTIME in seconds.
    var lastSample: Double
    /// What its newest sample was, in m/s²; nil before the first.
    var lastVector: Acceleration?
    /// What is odd about how it is judged, for people.
    var warnings: [String] = []
}
