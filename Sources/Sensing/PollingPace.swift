// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// How often to ask a sensor that does not speak by itself: seldom while it lies still, often from the first reading
/// that leaves where the vector was, until it has been quiet for a while.
package struct PollingPace: Sendable {
    /// Seconds between readings while nothing moves: a turn that starts in between is seen 0.2 s late at the most.
    package let stillInterval = 0.2
    /// Seconds between readings while something moves: the classifier is at its best from 10 Hz up.
    package let movingInterval = 0.04
    /// How far the vector may be from where it was, in m/s²: above the noise of cheap chips, a turn of under 5°.
    package let stillness = 0.8
    /// For how many seconds it must have been quiet; longer than the classifier ever waits.
    package let settlingTime = 1.0

    private var reference: Acceleration?
    private var quietSince = -Double.infinity

    package init() {}

    /// Seconds to wait after an answer that was no reading.
    package var intervalWithoutReading: Double { stillInterval }

    /// Seconds to wait after a reading that was made at `time`, in seconds.
    package mutating func interval(after acceleration: Acceleration, at time: Double) -> Double {
        if let reference, (acceleration - reference).magnitude <= stillness {
            return time - quietSince >= settlingTime ? stillInterval : movingInterval
        }
        reference = acceleration
        quietSince = time
        return movingInterval
    }
}
