// SPDX-License-Identifier: Apache-2.0

/// How often something may be done that costs others time: a few times at once, and then only every so often.
nonisolated struct Allowance {
    private let burst: Int
    private let interval: Double
    private var left: Int
    /// When the next one is given back.
    private var due = 0.0

    /// So many at once, and one more every so many seconds.
    init(burst: Int, interval: Double) {
        self.burst = burst
        self.interval = interval
        left = burst
    }

    /// Takes one if there is one; whether there was. `now` is in seconds.
    mutating func take(at now: Double) -> Bool {
        while left < burst, now >= due {
            left += 1
            due += interval
        }
        guard left > 0 else { return false }
        // What was not used does not count for later.
        if left == burst { due = now + interval }
        left -= 1
        return true
    }

    /// In how many seconds there is one again.
    func wait(at now: Double) -> Double { left > 0 ? 0 : max(due - now, 0) }
}
