// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// The polling interval for a sensor without a buffer: long while the device is at rest; short from the first reading
/// that differs until the device has been at rest for a while.
struct PollingPace: Sendable {
    /// The interval at rest, in seconds: a turn that begins in between is detected at most 0.2 s late.
    static let restingInterval = 0.2
    /// The interval at rest while an interrupt or an event reports motion, in seconds: less than
    /// ``AccelerometerReader/longestSilence``, so that a slow turn is detected at most 5 s late.
    static let intervalWithEvents = 4.5
    /// The interval during motion, in seconds: at 10 Hz, the steps of a walk alias with the swing of an arm, which
    /// causes 2.5 times as many wrong turns.
    static let movingInterval = 0.04
    /// The intervals at rest and during motion, in seconds, for a driver that waits for the chip at each axis: each
    /// axis costs a wake-up. At rest one axis is read at a time.
    static let blockingRestingInterval = 0.4
    static let blockingMovingInterval = 0.1

    private var rest = RestDetector()

    /// Whether the device was at rest at the last reading.
    var isResting: Bool { rest.isResting }

    /// Returns whether the vector has not changed.
    func isStill(_ acceleration: Acceleration) -> Bool { rest.isStill(acceleration) }

    /// Returns the interval after a reading made at `time`, in seconds. `driverBlocks`: the driver waits for the chip
    /// at each axis. `motionRate`: the rate for motion subscribers in hertz, which excludes the interval at rest.
    mutating func interval(
        after acceleration: Acceleration, at time: Double, driverBlocks: Bool = false, motionRate: Double? = nil
    ) -> Double {
        rest.read(acceleration, at: time)
        let moving = driverBlocks ? Self.blockingMovingInterval : Self.movingInterval
        if let motionRate { return min(moving, 1 / motionRate) }
        guard isResting else { return moving }
        return driverBlocks ? Self.blockingRestingInterval : Self.restingInterval
    }
}
