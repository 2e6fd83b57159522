// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationDaemon

@Suite struct ClaimTableTests {
    private typealias Table = ClaimTable<Int>
    private var table = Table()

    /// A client claims, and the bus tells its user at once.
    private mutating func claim(_ client: String, _ call: Int, isKnown: Bool, user: UInt32 = 1000) -> [Table.Action] {
        let actions = table.claim(by: client, call, isKnown: isKnown)
        return actions == [.identify(client)] ? table.identified(client, user: user) : actions
    }

    @Test mutating func `a first claim is asked about, waits for the first reading, and is answered then`() {
        #expect(claim(":1.7", 1, isKnown: false) == [.watch(":1.7"), .ask(":1.7", user: 1000)])
        #expect(!table.isHeld)
        #expect(table.decided(":1.7", refusal: nil, isKnown: false) == [])
        #expect(table.isHeld)
        #expect(table.isAwaited)
        #expect(table.listeners == [])
        #expect(table.answerWaiting() == [.tell(":1.7"), .answer(1)])
        #expect(!table.isAwaited)
        #expect(table.listeners == [":1.7"])
        #expect(table.answerWaiting() == [])
    }

    @Test mutating func `where the reading is known a claim is answered as soon as it is allowed`() {
        _ = claim(":1.7", 1, isKnown: true)
        #expect(table.decided(":1.7", refusal: nil, isKnown: true) == [.tell(":1.7"), .answer(1)])
    }

    @Test mutating func `each claimant is told the values before its first answer, and so when it claims anew`() {
        for (client, call) in [(":1.7", 1), (":1.8", 2), (":1.7", 3)] {
            _ = claim(client, call, isKnown: true)
            #expect(table.decided(client, refusal: nil, isKnown: true) == [.tell(client), .answer(call)])
            if client == ":1.7" { _ = table.release(by: client) }
        }
    }

    @Test mutating func `a client that claims twice has one claim, which ends when it lets go once`() {
        _ = claim(":1.7", 1, isKnown: true)
        _ = table.decided(":1.7", refusal: nil, isKnown: true)
        #expect(claim(":1.7", 2, isKnown: true) == [.answer(2)])
        #expect(table.release(by: ":1.7") == [.unwatch(":1.7")])
        #expect(!table.isHeld)
        #expect(table.release(by: ":1.7") == [])
    }

    @Test mutating func `who may not claim is told so, and holds nothing`() {
        _ = claim(":1.7", 1, isKnown: true)
        _ = claim(":1.7", 2, isKnown: true)
        #expect(
            table.decided(":1.7", refusal: "no", isKnown: true)
                == [.unwatch(":1.7"), .refuse(1, .denied("no")), .refuse(2, .denied("no"))])
        #expect(!table.isHeld)
    }

    @Test mutating func `of two claimants one may vanish, and the sensor stays for the other`() {
        for (client, call) in [(":1.7", 1), (":1.8", 2)] {
            _ = claim(client, call, isKnown: true)
            _ = table.decided(client, refusal: nil, isKnown: true)
        }
        #expect(table.vanished(":1.7") == [.unwatch(":1.7")])
        #expect(table.listeners == [":1.8"])
        #expect(table.vanished(":1.8") == [.unwatch(":1.8")])
        #expect(!table.isHeld)
    }

    @Test mutating func `who vanishes or lets go before it is decided holds nothing afterwards`() {
        _ = claim(":1.7", 1, isKnown: true)
        #expect(table.vanished(":1.7") == [.unwatch(":1.7")])
        #expect(table.decided(":1.7", refusal: nil, isKnown: true) == [])
        _ = claim(":1.8", 2, isKnown: true)
        #expect(table.release(by: ":1.8") == [.unwatch(":1.8"), .answer(2)])
        #expect(table.decided(":1.8", refusal: nil, isKnown: true) == [])
        #expect(!table.isHeld)
    }

    @Test mutating func `there is an end to clients, and to the calls of one that wait`() {
        for call in 0..<Table.callsPerClient { _ = claim(":1.0", call, isKnown: false) }
        #expect(claim(":1.0", 99, isKnown: false) == [.refuse(99, .tooMany("calls of one client"))])
        for client in 1..<Table.capacity - Table.reservedForRoot {
            _ = claim(":1.\(client)", client, isKnown: false, user: UInt32(1_000 + client))
            _ = table.decided(":1.\(client)", refusal: nil, isKnown: false)
        }
        #expect(claim(":2.0", 999, isKnown: false) == [.refuse(999, .tooMany("clients"))])
        // Root has places of its own.
        #expect(claim(":2.1", 998, isKnown: false, user: 0) == [.watch(":2.1"), .ask(":2.1", user: 0)])
        for client in [":1.5", ":2.1"] { _ = table.vanished(client) }
        _ = table.decided(":2.1", refusal: nil, isKnown: false)
        #expect(claim(":2.0", 999, isKnown: false) == [.watch(":2.0"), .ask(":2.0", user: 1000)])
    }

    @Test mutating func `who lets go and claims again, without end, is asked about once at a time`() {
        _ = claim(":1.7", 1, isKnown: true)
        for call in 2..<1_000 {
            _ = table.release(by: ":1.7")
            #expect(claim(":1.7", call, isKnown: true) == [.watch(":1.7")])
        }
        #expect(table.decided(":1.7", refusal: nil, isKnown: true) == [.tell(":1.7"), .answer(999)])
        _ = table.release(by: ":1.7")
        #expect(claim(":1.7", 1_000, isKnown: true) == [.watch(":1.7"), .ask(":1.7", user: 1000)])
    }

    @Test mutating func `there is an end to questions about clients that have vanished`() {
        for client in 0..<Table.capacity - Table.reservedForRoot {
            _ = claim(":1.\(client)", client, isKnown: true, user: UInt32(1_000 + client))
            _ = table.vanished(":1.\(client)")
        }
        #expect(claim(":2.0", 999, isKnown: true) == [.refuse(999, .tooMany("clients"))])
        _ = table.decided(":1.5", refusal: "no", isKnown: true)
        #expect(claim(":2.0", 999, isKnown: true) == [.watch(":2.0"), .ask(":2.0", user: 1000)])
    }

    @Test mutating func `when the bus goes every claim ends`() {
        _ = claim(":1.7", 1, isKnown: false)
        _ = table.decided(":1.7", refusal: nil, isKnown: false)
        #expect(table.removeAll() == [.unwatch(":1.7"), .answer(1)])
        #expect(!table.isHeld)
        // What polkit was asked before is answered to nobody.
        _ = claim(":1.8", 2, isKnown: false)
        _ = table.removeAll()
        #expect(claim(":1.8", 3, isKnown: false) == [.watch(":1.8"), .ask(":1.8", user: 1000)])
    }

    @Test mutating func `one user has so many claims and no more, also with clients that have vanished`() {
        for client in 0..<Table.claimsPerUser {
            #expect(claim(":1.\(client)", client, isKnown: true).first == .watch(":1.\(client)"))
            if client % 2 == 0 { _ = table.vanished(":1.\(client)") }
        }
        #expect(claim(":2.0", 999, isKnown: true) == [.refuse(999, .tooMany("clients of one user"))])
        #expect(claim(":2.1", 998, isKnown: true, user: 1001).first == .watch(":2.1"))
        #expect(claim(":2.2", 997, isKnown: true, user: 0).first == .watch(":2.2"))
        // The question about a client that has vanished is answered, which makes room.
        _ = table.decided(":1.0", refusal: nil, isKnown: true)
        #expect(claim(":2.0", 999, isKnown: true).first == .watch(":2.0"))
    }

    @Test mutating func `a client that is not on the bus any more when its user is asked for holds nothing`() {
        #expect(table.claim(by: ":1.7", 1, isKnown: true) == [.identify(":1.7")])
        #expect(table.identified(":1.7", user: nil) == [])
        #expect(table.claim(by: ":1.7", 2, isKnown: true) == [.identify(":1.7")])
    }

    @Test mutating func `a client that lets go before its user is known is answered, and claims anew at once`() {
        #expect(table.claim(by: ":1.7", 1, isKnown: true) == [.identify(":1.7")])
        #expect(table.release(by: ":1.7") == [.answer(1)])
        #expect(table.claim(by: ":1.7", 2, isKnown: true) == [])
        #expect(table.identified(":1.7", user: 1000) == [.watch(":1.7"), .ask(":1.7", user: 1000)])
        #expect(table.decided(":1.7", refusal: nil, isKnown: true) == [.tell(":1.7"), .answer(2)])
    }

    @Test mutating func `there is an end to clients whose user is not known yet`() {
        for client in 0..<Table.capacity { _ = table.claim(by: ":1.\(client)", client, isKnown: true) }
        #expect(table.claim(by: ":2.0", 999, isKnown: true) == [.refuse(999, .tooMany("clients"))])
        _ = table.identified(":1.3", user: 1000)
        #expect(table.claim(by: ":2.0", 999, isKnown: true) == [.identify(":2.0")])
    }
}
