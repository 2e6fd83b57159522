// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationDaemon

@Suite struct AllowanceTests {
    private func tries(_ count: Int, _ allowance: inout Allowance, at now: Double) -> [Bool] {
        var results: [Bool] = []
        for _ in 0..<count { results.append(allowance.take(at: now)) }
        return results
    }

    @Test func `a few at once, and then one every so often`() {
        var allowance = Allowance(burst: 3, interval: 2)
        #expect(tries(5, &allowance, at: 100) == [true, true, true, false, false])
        #expect(allowance.wait(at: 100) == 2)
        #expect(tries(1, &allowance, at: 101.9) == [false])
        #expect(tries(2, &allowance, at: 102) == [true, false])
        #expect(allowance.wait(at: 103) == 1)
    }

    @Test func `what was not used is there again, and no more than that`() {
        var allowance = Allowance(burst: 3, interval: 2)
        while allowance.take(at: 10) {}
        #expect(allowance.wait(at: 1_000) == 0)
        #expect(tries(5, &allowance, at: 1_000) == [true, true, true, false, false])
        #expect(allowance.wait(at: 1_000) == 2)
    }

    @Test func `in a thousand tries a second no more get through than the numbers say`() {
        var allowance = Allowance(burst: LockKeeper.burst, interval: LockKeeper.interval)
        var taken = 0
        for number in 0..<10_000 where allowance.take(at: 50 + Double(number) / 1_000) { taken += 1 }
        #expect(taken == LockKeeper.burst + 9)
    }
}
