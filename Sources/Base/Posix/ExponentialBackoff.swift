// SPDX-License-Identifier: Apache-2.0

/// Delays between the attempts of an operation that keeps failing: each is twice the previous one, up to `maximum`.
///
///     var backoff = ExponentialBackoff(initial: 0.25, maximum: 30)
///     timer.fire(after: backoff.next())   // 0.25, 0.5, 1, … 30, 30
///     backoff.reset()                     // after a success
package struct ExponentialBackoff: Hashable, Sendable {
    /// The first delay, in seconds.
    package let initial: Double
    /// The longest delay, in seconds. A change applies to the next delay.
    package var maximum: Double

    private var upcoming: Double

    package init(initial: Double, maximum: Double) {
        self.initial = initial
        self.maximum = maximum
        upcoming = initial
    }

    /// Returns the delay before the next attempt, in seconds.
    package mutating func next() -> Double {
        let delay = min(upcoming, maximum)
        upcoming = delay * 2
        return delay
    }

    /// Starts over with the initial delay.
    package mutating func reset() {
        upcoming = initial
    }
}
