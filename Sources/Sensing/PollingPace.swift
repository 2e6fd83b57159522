// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// The polling interval for a sensor without a buffer: long while the device is at rest; short from the first reading
/// that differs until the device has been at rest for a while.
package struct PollingPace: Sendable {
    /// The interval at rest, in seconds: a turn that begins in between is detected at most 0.2 s late.
    package let stillInterval = Self.restingInterval
    package static let restingInterval = 0.2
    /// The interval at rest while an interrupt or an event reports motion, in seconds: less than
    /// ``SensorWorker/longestSilence``, so that a slow turn is detected at most 5 s late.
    package static let intervalWithEvents = 4.5
    /// The interval at rest, in seconds, for a driver that waits for the chip at each axis, so that one axis is read at
    /// a time: with two wake-ups per reading there are five per second, as with ``stillInterval`` and a fast driver.
    package let sparingInterval = 0.4
    /// The interval during motion, in seconds; each reading wakes the processor. On recordings, with the intervals at rest
    /// and several start times, the classifier has the same delay from 10 to 25 Hz, and the same time with a wrong answer
    /// within 0.01 %; at 8.3 Hz it misses 0.8 % of the poses.
    package let movingInterval = 0.1

    private var rest = RestDetector()

    package init() {}

    /// The interval after a failed reading, in seconds.
    package var intervalWithoutReading: Double { stillInterval }

    /// Whether the device was at rest at the last reading.
    package var isResting: Bool { rest.isResting }

    /// Returns whether the vector has not changed.
    package func isStill(_ acceleration: Acceleration) -> Bool { rest.isStill(acceleration) }

    /// Returns the interval after a reading made at `time`, in seconds. `driverBlocks`: the driver waits for the chip
    /// at each axis. `motionRate`: the rate for motion subscribers in hertz, which excludes the interval at rest.
    package mutating func interval(
        after acceleration: Acceleration, at time: Double, driverBlocks: Bool = false, motionRate: Double? = nil
    ) -> Double {
        rest.read(acceleration, at: time)
        if let motionRate { return min(movingInterval, 1 / motionRate) }
        guard isResting else { return movingInterval }
        return driverBlocks ? sparingInterval : stillInterval
    }
}
