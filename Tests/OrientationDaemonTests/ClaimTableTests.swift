// SPDX-License-Identifier: Apache-2.0

import Testing
import VarlinkServer

@testable import OrientationDaemon

@Suite struct ClaimTableTests {
    private typealias Table = ClaimTable<Int>
    private var table = Table()

    /// Claims for a client whose user the bus returns at once.
    private mutating func claim(_ client: String, _ call: Int, isKnown: Bool, user: UInt32 = 1000) -> [Table.Action] {
        let actions = table.claim(by: client, call, isKnown: isKnown)
        return actions == [.identify(client)] ? table.identified(client, user: user) : actions
    }

    @Test mutating func `a first claim is authorized and answered after the first reading`() {
        #expect(claim(":1.7", 1, isKnown: false) == [.watch(":1.7"), .authorize(":1.7", user: 1000)])
        #expect(!table.isHeld)
        #expect(table.decided(":1.7", refusal: nil, isKnown: false) == [])
        #expect(table.isHeld)
        #expect(table.isPending)
        #expect(table.subscribers == [])
        #expect(table.replyToWaiting() == [.sendValues(":1.7"), .reply(1)])
        #expect(!table.isPending)
        #expect(table.subscribers == [":1.7"])
        #expect(table.replyToWaiting() == [])
    }

    @Test mutating func `with a known reading a claim is answered when it is authorized`() {
        _ = claim(":1.7", 1, isKnown: true)
        #expect(table.decided(":1.7", refusal: nil, isKnown: true) == [.sendValues(":1.7"), .reply(1)])
    }

    @Test mutating func `a claimant is sent the values before its first reply, also when it claims again`() {
        for (client, call) in [(":1.7", 1), (":1.8", 2), (":1.7", 3)] {
            _ = claim(client, call, isKnown: true)
            #expect(table.decided(client, refusal: nil, isKnown: true) == [.sendValues(client), .reply(call)])
            if client == ":1.7" { _ = table.release(by: client) }
        }
    }

    @Test mutating func `a client that claims twice has one claim, which ends with one release`() {
        _ = claim(":1.7", 1, isKnown: true)
        _ = table.decided(":1.7", refusal: nil, isKnown: true)
        #expect(claim(":1.7", 2, isKnown: true) == [.reply(2)])
        #expect(table.release(by: ":1.7") == [.unwatch(":1.7")])
        #expect(!table.isHeld)
        #expect(table.release(by: ":1.7") == [])
    }

    @Test mutating func `a refused claim is answered with the reason and is not held`() {
        _ = claim(":1.7", 1, isKnown: true)
        _ = claim(":1.7", 2, isKnown: true)
        #expect(
            table.decided(":1.7", refusal: "no", isKnown: true)
                == [.unwatch(":1.7"), .refuse(1, .denied("no")), .refuse(2, .denied("no"))])
        #expect(!table.isHeld)
    }

    @Test mutating func `the sensor stays claimed when one of two claimants leaves the bus`() {
        for (client, call) in [(":1.7", 1), (":1.8", 2)] {
            _ = claim(client, call, isKnown: true)
            _ = table.decided(client, refusal: nil, isKnown: true)
        }
        #expect(table.vanished(":1.7") == [.unwatch(":1.7")])
        #expect(table.subscribers == [":1.8"])
        #expect(table.vanished(":1.8") == [.unwatch(":1.8")])
        #expect(!table.isHeld)
    }

    @Test mutating func `a client that leaves or releases before the authorization holds no claim`() {
        _ = claim(":1.7", 1, isKnown: true)
        #expect(table.vanished(":1.7") == [.unwatch(":1.7")])
        #expect(table.decided(":1.7", refusal: nil, isKnown: true) == [])
        _ = claim(":1.8", 2, isKnown: true)
        #expect(table.release(by: ":1.8") == [.unwatch(":1.8"), .reply(2)])
        #expect(table.decided(":1.8", refusal: nil, isKnown: true) == [])
        #expect(!table.isHeld)
    }

    @Test mutating func `clients and pending calls per client are limited`() {
        for call in 0..<Table.callsPerClient { _ = claim(":1.0", call, isKnown: false) }
        #expect(claim(":1.0", 99, isKnown: false) == [.refuse(99, .tooMany("calls of one client"))])
        for client in 1..<Table.capacity - Table.reservedForRoot {
            _ = claim(":1.\(client)", client, isKnown: false, user: UInt32(1_000 + client))
            _ = table.decided(":1.\(client)", refusal: nil, isKnown: false)
        }
        #expect(claim(":2.0", 999, isKnown: false) == [.refuse(999, .tooMany("clients"))])
        // Claims are reserved for root.
        #expect(claim(":2.1", 998, isKnown: false, user: 0) == [.watch(":2.1"), .authorize(":2.1", user: 0)])
        for client in [":1.5", ":2.1"] { _ = table.vanished(client) }
        _ = table.decided(":2.1", refusal: nil, isKnown: false)
        #expect(claim(":2.0", 999, isKnown: false) == [.watch(":2.0"), .authorize(":2.0", user: 1000)])
    }

    @Test mutating func `a client that claims and releases repeatedly has one pending authorization`() {
        _ = claim(":1.7", 1, isKnown: true)
        for call in 2..<1_000 {
            _ = table.release(by: ":1.7")
            #expect(claim(":1.7", call, isKnown: true) == [.watch(":1.7")])
        }
        #expect(table.decided(":1.7", refusal: nil, isKnown: true) == [.sendValues(":1.7"), .reply(999)])
        _ = table.release(by: ":1.7")
        #expect(claim(":1.7", 1_000, isKnown: true) == [.watch(":1.7"), .authorize(":1.7", user: 1000)])
    }

    @Test mutating func `pending authorizations of clients that have left are limited`() {
        for client in 0..<Table.capacity - Table.reservedForRoot {
            _ = claim(":1.\(client)", client, isKnown: true, user: UInt32(1_000 + client))
            _ = table.vanished(":1.\(client)")
        }
        #expect(claim(":2.0", 999, isKnown: true) == [.refuse(999, .tooMany("clients"))])
        _ = table.decided(":1.5", refusal: "no", isKnown: true)
        #expect(claim(":2.0", 999, isKnown: true) == [.watch(":2.0"), .authorize(":2.0", user: 1000)])
    }

    @Test mutating func `a lost bus ends all claims`() {
        _ = claim(":1.7", 1, isKnown: false)
        _ = table.decided(":1.7", refusal: nil, isKnown: false)
        #expect(table.removeAll() == [.unwatch(":1.7"), .reply(1)])
        #expect(!table.isHeld)
        // The result of the earlier authorization is dropped.
        _ = claim(":1.8", 2, isKnown: false)
        _ = table.removeAll()
        #expect(claim(":1.8", 3, isKnown: false) == [.watch(":1.8"), .authorize(":1.8", user: 1000)])
    }

    @Test mutating func `the claims of one user are limited, including clients that have left`() {
        for client in 0..<Table.claimsPerUser {
            #expect(claim(":1.\(client)", client, isKnown: true).first == .watch(":1.\(client)"))
            if client % 2 == 0 { _ = table.vanished(":1.\(client)") }
        }
        #expect(claim(":2.0", 999, isKnown: true) == [.refuse(999, .tooMany("clients of one user"))])
        #expect(claim(":2.1", 998, isKnown: true, user: 1001).first == .watch(":2.1"))
        #expect(claim(":2.2", 997, isKnown: true, user: 0).first == .watch(":2.2"))
        // A completed authorization of a client that has left frees its slot.
        _ = table.decided(":1.0", refusal: nil, isKnown: true)
        #expect(claim(":2.0", 999, isKnown: true).first == .watch(":2.0"))
    }

    @Test mutating func `a client that leaves before its identification holds no claim`() {
        #expect(table.claim(by: ":1.7", 1, isKnown: true) == [.identify(":1.7")])
        #expect(table.identified(":1.7", user: nil) == [])
        #expect(table.claim(by: ":1.7", 2, isKnown: true) == [.identify(":1.7")])
    }

    @Test mutating func `a client that releases before its identification is answered and can claim again`() {
        #expect(table.claim(by: ":1.7", 1, isKnown: true) == [.identify(":1.7")])
        #expect(table.release(by: ":1.7") == [.reply(1)])
        #expect(table.claim(by: ":1.7", 2, isKnown: true) == [])
        #expect(table.identified(":1.7", user: 1000) == [.watch(":1.7"), .authorize(":1.7", user: 1000)])
        #expect(table.decided(":1.7", refusal: nil, isKnown: true) == [.sendValues(":1.7"), .reply(2)])
    }

    @Test mutating func `pending identifications are limited`() {
        for client in 0..<Table.identifications { _ = table.claim(by: ":1.\(client)", client, isKnown: true) }
        #expect(table.claim(by: ":2.0", 999, isKnown: true) == [.refuse(999, .tooMany("clients"))])
        _ = table.identified(":1.3", user: 1000)
        #expect(table.claim(by: ":2.0", 999, isKnown: true) == [.identify(":2.0")])
    }
}
