// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// How often to ask a sensor that does not speak by itself: seldom while it lies still, often from the first reading
/// that leaves where the vector was, until it has been quiet for a while.
package struct PollingPace: Sendable {
    /// Seconds between readings while nothing moves: a turn that starts in between is seen 0.2 s late at the most.
    package let stillInterval = 0.2
    /// The same where every axis is waited for and therefore only one is read at a time: two wake-ups a reading make
    /// five a second, as a driver that answers at once causes with ``stillInterval``.
    package let sparingInterval = 0.4
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

    /// Whether the device has been still for long enough to be asked seldom.
    package private(set) var isResting = false

    /// Whether the vector is where it was.
    package func isStill(_ acceleration: Acceleration) -> Bool {
        reference.map { (acceleration - $0).magnitude <= stillness } ?? false
    }

    /// Seconds to wait after a reading that was made at `time`, in seconds; `isWaitedFor` says that the driver waits for
    /// the chip at each axis. Whoever follows every movement, at the rate `followed` in hertz, leaves it no rest.
    package mutating func interval(
        after acceleration: Acceleration, at time: Double, isWaitedFor: Bool = false, followed: Double? = nil
    ) -> Double {
        if !isStill(acceleration) {
            reference = acceleration
            quietSince = time
        }
        isResting = time - quietSince >= settlingTime
        if let followed { return min(movingInterval, 1 / followed) }
        guard isResting else { return movingInterval }
        return isWaitedFor ? sparingInterval : stillInterval
    }
}
