// SPDX-License-Identifier: Apache-2.0

internal import Posix

/// The delays between attempts to connect: exponential backoff with a maximum that follows the length of the outage,
/// and with jitter.
///
/// Delays double from 50 ms to 400 ms, so that clients reconnect within a second of a restart, even if the daemon takes
/// half a second to start. After 25 s the maximum is a sixty-fourth of the outage, up to 10 s: an app on a device
/// without the daemon does not keep the processor awake. Jitter of up to a quarter spreads the attempts of many
/// clients.
package struct ReconnectBackoff: Sendable {
    /// The minimum time from the first state to the loss of a connection that resets the backoff, in seconds. A service
    /// that sends a state and then invalid data, or crashes on each client, does not reset it.
    package static let provingTime = 1.0

    private static let initial = 0.05
    private static let shortestMaximum = 0.4
    private static let longestMaximum = 10.0

    private var backoff = ExponentialBackoff(initial: initial, maximum: shortestMaximum)
    /// The sum of the delays since the connection was lost, in seconds.
    private var outage = 0.0

    package init() {}

    /// Returns the delay before the next attempt, in seconds. `jitter` is from 0 (the full delay) to 1 (a quarter
    /// less).
    package mutating func next(jitter: Double) -> Double {
        backoff.maximum = min(max(Self.shortestMaximum, outage / 64), Self.longestMaximum)
        let delay = backoff.next() * (1 - jitter / 4)
        outage += delay
        return delay
    }

    /// Starts over with the shortest delay, after a success.
    package mutating func reset() {
        self = ReconnectBackoff()
    }
}
