// SPDX-License-Identifier: Apache-2.0

import Testing
import Varlink

@testable import VarlinkServer

@Suite struct ConnectionLimiterTests {
    private var limiter: ConnectionLimiter

    /// The table of 160 has 40 reserved slots.
    private static let open = 120

    init() {
        var limits = Limits()
        limits.connections = 160
        limits.connectionsPerUser = 40
        limiter = ConnectionLimiter(limits: limits)
    }

    private static let perUser = ConnectionLimiter.Limit(name: "connections of one user", maximum: 40)
    private static let all = ConnectionLimiter.Limit(name: "connections", maximum: 160)

    private mutating func fill(_ count: Int, user: UInt32, mayUseReserve: Bool = false) {
        for _ in 0..<count {
            #expect(limiter.limitReached(by: user) { mayUseReserve } == nil)
            limiter.open(user: user)
        }
    }

    @Test mutating func `a user is refused above its limit, and root is not`() {
        fill(40, user: 1)
        #expect(limiter.limitReached(by: 1) { true } == Self.perUser)
        limiter.close(user: 1)
        #expect(limiter.limitReached(by: 1) { false } == nil)
        fill(100, user: 0, mayUseReserve: true)
    }

    @Test mutating func `sockets that are not closed yet count for their user`() {
        fill(39, user: 1)
        #expect(limiter.limitReached(by: 1, closing: 0) { false } == nil)
        #expect(limiter.limitReached(by: 1, closing: 1) { false } == Self.perUser)
    }

    @Test mutating func `users that fill the table leave the reserved slots, and a connection that ends makes room`() {
        for user in 1...4 { fill(30, user: UInt32(user)) }
        #expect(limiter.total == Self.open)
        #expect(limiter.limitReached(by: 5) { false } == Self.all)
        fill(20, user: 1_000, mayUseReserve: true)
        fill(20, user: 0, mayUseReserve: true)
        for user: UInt32 in [5, 1_000, 0] { #expect(limiter.limitReached(by: user) { true } == Self.all) }
        for _ in 0..<41 { limiter.close(user: limiter.count(of: 1) > 0 ? 1 : 2) }
        fill(1, user: 5)
    }

    @Test mutating func `the right to a reserved slot is asked for only if no other slot is left`() {
        for user in 1...4 { fill(30, user: UInt32(user)) }
        limiter.close(user: 1)
        var isAsked = false
        let ask = {
            isAsked = true
            return true
        }
        #expect(limiter.limitReached(by: 9, mayUseReserve: ask) == nil && !isAsked)
        limiter.open(user: 9)
        #expect(limiter.limitReached(by: 9, mayUseReserve: ask) == nil && isAsked)
    }

    @Test mutating func `subordinate users of one account count as one user`() {
        // 40 numbers of one range reach the limit of one user.
        for number in 0..<40 { fill(1, user: UInt32(100_000 + number * 1_638)) }
        #expect(limiter.limitReached(by: 165_535) { true } == Self.perUser)
        // The next range belongs to another account.
        fill(40, user: 165_536)
        #expect(limiter.count(of: 100_000) == 40)
        #expect(limiter.count(of: 99_999) == 0)
        for number in 0..<40 { limiter.close(user: UInt32(100_000 + number * 1_638)) }
        #expect(limiter.count(of: 100_000) == 0)
        #expect(limiter.count(of: .max) == 0)
    }
}
