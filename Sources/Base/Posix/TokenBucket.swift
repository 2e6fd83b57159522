// SPDX-License-Identifier: Apache-2.0

/// A token bucket: allows a burst, and then one token for each interval. Times are in seconds, from any one clock.
///
///     var bucket = TokenBucket(burst: 4, interval: 1)
///     if bucket.take(at: now) { write() } else { timer.fire(after: bucket.wait(at: now)) }
package struct TokenBucket {
    private let burst: Int
    private let interval: Double
    private var left: Int
    /// When the next token is added.
    private var due = 0.0

    /// Creates a full bucket of `burst` tokens, to which one is added every `interval` seconds.
    package init(burst: Int, interval: Double) {
        self.burst = burst
        self.interval = interval
        left = burst
    }

    /// Takes a token and returns true, or returns false if there is none.
    package mutating func take(at now: Double) -> Bool {
        refill(at: now)
        guard left > 0 else { return false }
        // A full bucket adds nothing: the interval begins with the first token taken.
        if left == burst { due = now + interval }
        left -= 1
        return true
    }

    /// Returns the seconds until there is a token.
    package func wait(at now: Double) -> Double { left > 0 ? 0 : max(due - now, 0) }

    private mutating func refill(at now: Double) {
        while left < burst, now >= due {
            left += 1
            due += interval
        }
    }
}
