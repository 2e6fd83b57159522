// SPDX-License-Identifier: Apache-2.0

import Testing
import Varlink

@testable import VarlinkServer

@Suite struct ConnectionLimiterTests {
    private typealias Decision = ConnectionLimiter.Decision
    private let limits: Limits
    private var limiter: ConnectionLimiter

    init() {
        var limits = Limits()
        limits.connections = 160
        limits.connectionsPerUser = 40
        self.limits = limits
        limiter = ConnectionLimiter(limits: limits)
    }

    /// The table of 160 has 20 reserved slots, of which root alone has 5.
    private let open = 140
    private let shared = 155

    private func refused(_ name: String, _ maximum: Int) -> Decision {
        .refuse(ConnectionLimiter.Limit(name: name, maximum: maximum))
    }

    private mutating func fill(_ count: Int, user: UInt32, as rank: ConnectionLimiter.Rank = .other) {
        for _ in 0..<count {
            #expect(limiter.decide(user: user, rank: { rank }) == .admit)
            limiter.open(user: user)
        }
    }

    @Test mutating func `a user is refused above its limit, and root is not`() {
        fill(40, user: 1)
        #expect(limiter.decide(user: 1, rank: { .other }) == refused("connections of one user", 40))
        limiter.close(user: 1)
        #expect(limiter.decide(user: 1, rank: { .other }) == .admit)
        fill(100, user: 0, as: .root)
    }

    @Test mutating func `users that fill the table leave slots for the trusted group and for root`() {
        for user in 1...4 { fill(35, user: UInt32(user)) }
        #expect(limiter.total == open)
        fill(shared - open, user: 7, as: .trusted)
        #expect(limiter.decide(user: 7, rank: { .trusted }) == .replaceIdlest(count: 35))
        fill(160 - shared, user: 0, as: .root)
        // Root takes a slot even then.
        #expect(limiter.decide(user: 0, rank: { .root }) == .replaceIdlest(count: 35))
    }

    @Test mutating func `a replaced connection with unread replies frees a slot, and counts for its user`() {
        for user in 1...4 { fill(35, user: UInt32(user)) }
        for user in 10..<20 {
            #expect(limiter.decide(user: UInt32(user), rank: { .other }) == .replaceIdlest(count: 35 - (user - 10) / 4))
            limiter.replace(user: UInt32(1 + (user - 10) % 4))
            limiter.open(user: UInt32(user))
        }
        #expect(limiter.total == open)
        #expect(limiter.count(of: 1) == 35 && limiter.replaceable(of: 1) == 32)
        limiter.close(user: 1, isReplaced: true)
        #expect(limiter.total == open)
        #expect(limiter.count(of: 1) == 34 && limiter.replaceable(of: 1) == 32)
        limiter.close(user: 1)
        #expect(limiter.total == open - 1)
    }

    @Test mutating func `no connection is replaced while too many replaced ones have unread replies`() {
        var limits = Limits()
        limits.connections = 1_600
        limiter = ConnectionLimiter(limits: limits)
        for user in 1...8 { fill(192, user: UInt32(user)) }
        for number in 0..<ConnectionLimiter.replacements(connections: 1_600) {
            let user = UInt32(1_000 + number)
            guard case .replaceIdlest = limiter.decide(user: user, rank: { .other }) else {
                Issue.record("not replaced: \(number)")
                return
            }
            limiter.replace(user: UInt32(1 + number % 8))
            limiter.open(user: user)
        }
        #expect(limiter.decide(user: 5_000, rank: { .other }) == refused("connections", 1_600))
        limiter.close(user: 1, isReplaced: true)
        #expect(limiter.decide(user: 5_000, rank: { .other }) == .replaceIdlest(count: 167))
        // Root has slots of its own.
        for _ in 0..<16 {
            #expect(limiter.decide(user: 0, rank: { .root }) == .admit)
            limiter.open(user: 0)
        }
    }

    @Test mutating func `users with many connections leave freed slots to users with few`() throws {
        var limits = Limits()
        limits.connections = 1_600
        limiter = ConnectionLimiter(limits: limits)
        // Two of them come last, and replace connections of the others until half of the limit is reached.
        for user in 1...6 { fill(256, user: UInt32(user)) }
        var replaced = 0
        for number in 0..<300 {
            let user = UInt32(7 + number % 2)
            guard case .replaceIdlest(let count) = limiter.decide(user: user, rank: { .other }) else { continue }
            let victim = (1...6).first { limiter.replaceable(of: $0) == count }
            limiter.replace(user: try #require(victim))
            limiter.open(user: user)
            replaced += 1
        }
        #expect(replaced == ConnectionLimiter.replacements(connections: 1_600) / 2)
        #expect(limiter.decide(user: 7, rank: { .other }) == refused("connections", 1_600))
        // Another user replaces one, and keeps the slot for its next connections.
        for number in 0..<1_000 {
            let decision = limiter.decide(user: 9, rank: { .other })
            #expect(decision == (number == 0 ? .replaceIdlest(count: 240) : .admit))
            if number == 0 { limiter.replace(user: 1) }
            limiter.open(user: 9)
            limiter.close(user: 9)
            #expect(limiter.decide(user: 7, rank: { .other }) == refused("connections", 1_600))
        }
        #expect(limiter.total == 1_600 - 64 - 1)
    }

    @Test mutating func `in a full table a user with few connections takes the slot of a user with many`() {
        for user in 1...4 { fill(35, user: UInt32(user)) }
        #expect(limiter.decide(user: 5, rank: { .other }) == .replaceIdlest(count: 35))
        limiter.close(user: 1)
        limiter.open(user: 5)
        // A user with the most takes no slot from another.
        #expect(limiter.decide(user: 2, rank: { .other }) == refused("connections", 160))
        #expect(limiter.decide(user: 1, rank: { .other }) == refused("connections", 160))
    }

    @Test mutating func `two users do not take slots from each other endlessly`() {
        var decisions = 0
        for user in 1...4 { fill(35, user: UInt32(user)) }
        for round in 0..<1_000 {
            let user = UInt32(5 + round % 3)
            guard case .replaceIdlest(let count) = limiter.decide(user: user, rank: { .other }) else { continue }
            if let victim = (1...7).first(where: { limiter.count(of: $0) == count }) { limiter.close(user: victim) }
            limiter.open(user: user)
            decisions += 1
        }
        #expect(decisions < 100)
        #expect(limiter.total == open)
        #expect((1...7).allSatisfy { (19...21).contains(limiter.count(of: $0)) })
    }

    @Test mutating func `the rank is evaluated only if no unreserved slot is left`() {
        for user in 1...4 { fill(35, user: UInt32(user)) }
        limiter.close(user: 1)
        var isAsked = false
        let rank = {
            isAsked = true
            return ConnectionLimiter.Rank.other
        }
        #expect(limiter.decide(user: 9, rank: rank) == .admit)
        #expect(!isAsked)
    }

    @Test mutating func `a full table of root's own connections refuses`() {
        fill(160, user: 0, as: .root)
        #expect(limiter.decide(user: 0, rank: { .root }) == refused("connections", 160))
        #expect(limiter.decide(user: 1, rank: { .trusted }) == refused("connections", 160))
    }

    @Test mutating func `subordinate users of one account count as one user and take no slot from another`() {
        fill(3, user: 1_000)
        // 40 numbers of one range reach the limit of one user.
        for number in 0..<40 { fill(1, user: UInt32(100_000 + number * 1_638)) }
        #expect(limiter.decide(user: 165_535, rank: { .other }) == refused("connections of one user", 40))
        // The next range belongs to another account.
        fill(40, user: 165_536)
        fill(40, user: 231_072)
        fill(17, user: 1_001)
        #expect(limiter.decide(user: 1_000, rank: { .other }) == .replaceIdlest(count: 40))
        #expect(limiter.count(of: 100_000) == 40)
        #expect(limiter.count(of: 99_999) == 0)
        for number in 0..<40 { limiter.close(user: UInt32(100_000 + number * 1_638)) }
        #expect(limiter.count(of: 100_000) == 0)
        #expect(limiter.count(of: .max) == 0)
    }
}
