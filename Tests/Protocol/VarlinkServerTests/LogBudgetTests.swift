// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import VarlinkServer

@Suite struct LogBudgetTests {
    private var budget = LogBudget()

    private mutating func written(_ count: Int, by user: UInt32?, at now: Double) -> Int {
        (0..<count).reduce(0) { sum, _ in sum + (budget.take(for: user, at: now) ? 1 : 0) }
    }

    @Test mutating func `one user writes a burst of lines, then one per interval`() {
        #expect(written(226, by: 1000, at: 50) == LogBudget.burst)
        #expect(written(226, by: 1000, at: 55) == 0)
        #expect(written(226, by: 1000, at: 50 + LogBudget.interval) == 1)
    }

    @Test mutating func `the lines of one user do not limit another user`() {
        _ = written(226, by: 1000, at: 50)
        #expect(written(3, by: 1001, at: 50) == 3)
    }

    @Test mutating func `the subordinate users of one account share its lines`() {
        #expect((200_000..<200_041).reduce(0) { $0 + written(1, by: $1, at: 50) } == LogBudget.burst)
        #expect(written(1, by: 3000, at: 50) == 1)
    }

    @Test mutating func `the summary counts suppressed lines, names the user with the most, and resets the counts`() {
        #expect(budget.summary() == nil)
        _ = written(LogBudget.burst + 1, by: 1000, at: 50)
        #expect(budget.summary() == "suppressed 1 line that clients caused, 1 of user 1000")
        _ = written(200, by: 1000, at: 51)
        _ = written(LogBudget.burst + 20, by: 1001, at: 51)
        #expect(budget.summary() == "suppressed 220 lines that clients caused, 200 of user 1000")
        #expect(budget.summary() == nil)
    }

    @Test mutating func `a thousand users together do not exceed the total budget`() {
        let lines = (1...1_000).reduce(0) { $0 + written(10, by: UInt32($1), at: 50) }
        #expect(lines == LogBudget.totalBurst)
        #expect(budget.summary()?.hasPrefix("suppressed \(10_000 - LogBudget.totalBurst) lines") == true)
    }

    @Test mutating func `users beyond the capacity are suppressed until others are forgotten`() {
        for user in 0..<LogBudget.capacity { _ = written(1, by: UInt32(user), at: 50) }
        #expect(written(1, by: 9_999, at: 51) == 0)
        #expect(written(1, by: 9_999, at: 50 + 1_000) == 1)
    }

    @Test mutating func `lines without a user use the total budget`() {
        #expect(written(100, by: nil, at: 50) == LogBudget.totalBurst)
        #expect(written(100, by: nil, at: 50 + LogBudget.totalInterval) == 1)
        #expect(budget.summary()?.hasSuffix("clients caused") == true)
    }
}
