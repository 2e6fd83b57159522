// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// The polling interval for a sensor without a buffer: long while the device is at rest; short from the first reading
/// that differs until the device has been at rest for a while.
struct PollingPace: Sendable {
    /// The interval at rest, in seconds: the first reading falls into a turn by hand, which takes 0.4 s, and the answer comes as
    /// early as with 0.2 s.
    static let restingInterval = 0.3
    /// The interval at rest while an interrupt or an event reports motion, in seconds: less than
    /// ``AccelerometerReader/longestSilence``: a slow turn is detected at most 5 s late.
    static let intervalWithEvents = 4.5
    /// The interval during motion, in seconds: at 10 Hz, the steps of a walk alias with the swing of an arm, which
    /// causes 2.5 times as many wrong turns.
    static let movingInterval = 0.04
    /// The interval during motion, in seconds, after a reading of more than ``longestQuickReading``: the driver waits for
    /// measurements of the chip, or its bus is busy.
    static let slowMovingInterval = 0.1
    static let longestQuickReading = 0.005
    /// The number of readings at rest of which one has the axis along gravity: half a turn between two readings changes no
    /// other axis.
    private static let readingsPerAxis = 4

    private var rest = RestDetector()
    private var readings = 0

    /// Whether the device was at rest at the last reading.
    var isResting: Bool { rest.isResting }

    /// Reads the axes with `refresh`: at rest all but one, because each axis may cost a wake-up, and that one too if the others
    /// have changed. `components` of the last reading are along the axes, in one unit; `current` returns the vector of the
    /// axes as they were read last.
    mutating func read<Failure: Error>(
        after components: [3 of Double], isWhole: Bool = false, current: () -> Acceleration?,
        refresh: (Int) throws(Failure) -> Void
    ) throws(Failure) {
        let omitted = isWhole ? nil : omittedAxis(after: components)
        for axis in 0..<3 where axis != omitted { try refresh(axis) }
        guard let omitted else { return }
        if let vector = current(), rest.isStill(vector) { return }
        try refresh(omitted)
    }

    /// Returns the axis that the next reading leaves out; nil while the device moves. A turn changes the axes across gravity
    /// most.
    mutating func omittedAxis(after components: [3 of Double]) -> Int? {
        guard isResting else { return nil }
        readings += 1
        let order = [0, 1, 2].sorted { abs(components[$0]) > abs(components[$1]) }
        return order[readings % Self.readingsPerAxis == 0 ? 1 : 0]
    }

    /// Returns the interval after a reading made at `time`, which took `duration`, in seconds. `motionRate`: the rate for
    /// motion subscribers in hertz, which excludes the interval at rest.
    mutating func interval(
        after acceleration: Acceleration, at time: Double, duration: Double = 0, motionRate: Double? = nil
    ) -> Double {
        rest.read(acceleration, at: time)
        let moving = duration > Self.longestQuickReading ? Self.slowMovingInterval : Self.movingInterval
        if let motionRate { return min(moving, 1 / motionRate) }
        return isResting ? Self.restingInterval : moving
    }
}
