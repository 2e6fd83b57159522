// SPDX-License-Identifier: Apache-2.0

/// Decides whether readings that fail are a failure of the sensor: a chip may be busy, and a bus transfer fails now and then.
/// Times are in seconds.
package struct ReadingFailures {
    /// The number of failures in a row that are one of the sensor, and of successes after which it was useful.
    private static let limit = 3
    /// The time in which half of the readings are a failure of the sensor.
    private static let window = 2.0
    /// The pauses before a reading is repeated.
    private static let pauses = 0.1...1

    private var inRow = 0
    private var (successes, failures) = (0, 0)
    private var began = -Double.infinity
    private var pause = 0.0
    /// The number of readings that succeeded.
    private var count = 0
    /// The first reading that failed and was repeated, for the user.
    private(set) var warning: String?

    package init() {}

    /// Whether the sensor has delivered enough to be worth an early retry.
    var wasUseful: Bool { count >= Self.limit }

    /// A reading succeeded, and `wait` follows.
    package mutating func succeeded(at now: Double, then wait: SourceWait = .none) {
        if now - began >= Self.window, failures < successes { restart(at: now) }
        (successes, inRow, count) = (successes + 1, 0, count + 1)
        if case .pause(let seconds) = wait { pause = seconds }
    }

    /// A reading failed for this reason; returns the pause before it is repeated, nil if the sensor has failed: the first
    /// reading, or too many.
    package mutating func pause(after failure: String, at now: Double) -> Double? {
        (failures, inRow) = (failures + 1, inRow + 1)
        // Before a success the device is opened again: it may be polled only because another program captures from it.
        if count == 0 || inRow >= Self.limit { return nil }
        if now - began >= Self.window {
            defer { restart(at: now) }
            if failures >= Self.limit, failures >= successes { return nil }
        }
        warning = warning ?? "a reading failed and was repeated: \(failure)"
        return min(max(pause, Self.pauses.lowerBound), Self.pauses.upperBound)
    }

    private mutating func restart(at now: Double) { (successes, failures, began) = (0, 0, now) }
}
