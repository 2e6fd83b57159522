// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing
import VarlinkServer

@testable import OrientationDaemon

/// A client, and the sensor that it claims.
private func by(_ client: String, _ sensor: SensorKind = .accelerometer) -> Claimant {
    Claimant(client: client, sensor: sensor)
}

@Suite struct ClaimTableTests {
    private typealias Table = ClaimTable
    private var table = ClaimTable()
    private static let left = ClaimRefusal.denied("Not authorized: the client has left the bus")

    /// Claims for a client whose user the bus returns at once.
    private mutating func claim(_ client: Claimant, _ call: Int, isKnown: Bool, user: UInt32 = 1000) -> [ClaimEffect] {
        let actions = table.claim(by: client, call, isKnown: isKnown)
        return actions == [.identify(client)] ? table.identified(client, .success(user)) : actions
    }

    /// Authorizes a claim, and answers the calls of its sensor, whose reading is known.
    private mutating func authorize(_ client: Claimant) -> [ClaimEffect] {
        table.decided(client, refusal: nil) + table.replyToWaiting(for: client.sensor)
    }

    @Test mutating func `a first claim is authorized and answered after the first reading`() {
        #expect(claim(by(":1.7"), 1, isKnown: false) == [.watch(by(":1.7")), .authorize(by(":1.7"), user: 1000)])
        #expect(!table.isHeld)
        #expect(table.decided(by(":1.7"), refusal: nil) == [])
        #expect(table.isHeld)
        #expect(table.isPending(.accelerometer))
        #expect(table.subscribers(of: .accelerometer) == [])
        #expect(table.replyToWaiting(for: .accelerometer) == [.reply(1)])
        #expect(!table.isPending(.accelerometer))
        #expect(table.subscribers(of: .accelerometer) == [":1.7"])
        #expect(table.replyToWaiting(for: .accelerometer) == [])
    }

    @Test mutating func `with a known reading a claim is answered when it is authorized`() {
        _ = claim(by(":1.7"), 1, isKnown: true)
        #expect(authorize(by(":1.7")) == [.reply(1)])
    }

    @Test mutating func `a claimant is sent the values before its first reply, also when it claims again`() {
        for (client, call) in [(by(":1.7"), 1), (by(":1.8"), 2), (by(":1.7"), 3)] {
            _ = claim(client, call, isKnown: true)
            #expect(table.newcomers(to: .accelerometer) == [])
            _ = table.decided(client, refusal: nil)
            #expect(table.newcomers(to: .accelerometer) == [client] && table.newcomers(to: .light) == [])
            #expect(table.replyToWaiting(for: .accelerometer) == [.reply(call)])
            #expect(table.newcomers(to: .accelerometer) == [])
            if client == by(":1.7") { _ = table.release(by: client) }
        }
    }

    @Test mutating func `a client that claims twice has one claim, which ends with one release`() {
        _ = claim(by(":1.7"), 1, isKnown: true)
        _ = authorize(by(":1.7"))
        #expect(claim(by(":1.7"), 2, isKnown: true) == [.reply(2)])
        #expect(table.release(by: by(":1.7")) == [.unwatch(by(":1.7"))])
        #expect(!table.isHeld)
        #expect(table.release(by: by(":1.7")) == [])
    }

    @Test mutating func `a refused claim is answered with the reason and is not held`() {
        _ = claim(by(":1.7"), 1, isKnown: true)
        _ = claim(by(":1.7"), 2, isKnown: true)
        #expect(
            table.decided(by(":1.7"), refusal: "no")
                == [.unwatch(by(":1.7")), .refuse(1, .denied("no")), .refuse(2, .denied("no"))])
        #expect(!table.isHeld)
    }

    @Test mutating func `the sensor stays claimed when one of two claimants leaves the bus`() {
        for (client, call) in [(by(":1.7"), 1), (by(":1.8"), 2)] {
            _ = claim(client, call, isKnown: true)
            _ = authorize(client)
        }
        #expect(table.vanished(by(":1.7")) == [.unwatch(by(":1.7"))])
        #expect(table.subscribers(of: .accelerometer) == [":1.8"])
        #expect(table.vanished(by(":1.8")) == [.unwatch(by(":1.8"))])
        #expect(!table.isHeld)
    }

    @Test mutating func `a client that leaves or releases before the authorization holds no claim`() {
        _ = claim(by(":1.7"), 1, isKnown: true)
        #expect(table.vanished(by(":1.7")) == [.unwatch(by(":1.7")), .refuse(1, Self.left)])
        #expect(authorize(by(":1.7")) == [])
        _ = claim(by(":1.8"), 2, isKnown: true)
        #expect(table.release(by: by(":1.8")) == [.unwatch(by(":1.8")), .reply(2)])
        #expect(authorize(by(":1.8")) == [])
        #expect(!table.isHeld)
    }

    @Test mutating func `clients and pending calls per client are limited`() {
        for call in 0..<Table.callsPerClient { _ = claim(by(":1.0"), call, isKnown: false) }
        #expect(claim(by(":1.0"), 99, isKnown: false) == [.refuse(99, .tooMany("calls of one client"))])
        for client in 1..<Table.capacity - Table.reservedForRoot {
            _ = claim(by(":1.\(client)"), client, isKnown: false, user: UInt32(1_000 + client))
            _ = table.decided(by(":1.\(client)"), refusal: nil)
        }
        #expect(claim(by(":2.0"), 999, isKnown: false) == [.refuse(999, .tooMany("clients"))])
        // Claims are reserved for root.
        #expect(
            claim(by(":2.1"), 998, isKnown: false, user: 0) == [.watch(by(":2.1")), .authorize(by(":2.1"), user: 0)])
        for client in [by(":1.5"), by(":2.1")] { _ = table.vanished(client) }
        _ = table.decided(by(":2.1"), refusal: nil)
        // The last one remains for a user without a claim.
        #expect(claim(by(":2.0"), 997, isKnown: false) == [.refuse(997, .tooMany("clients of one user"))])
        #expect(
            claim(by(":2.0"), 999, isKnown: false, user: 999) == [
                .watch(by(":2.0")), .authorize(by(":2.0"), user: 999),
            ])
    }

    @Test mutating func `a client that claims and releases repeatedly has one pending authorization`() {
        _ = claim(by(":1.7"), 1, isKnown: true)
        for call in 2..<1_000 {
            _ = table.release(by: by(":1.7"))
            #expect(claim(by(":1.7"), call, isKnown: true) == [.watch(by(":1.7"))])
        }
        #expect(authorize(by(":1.7")) == [.reply(999)])
        _ = table.release(by: by(":1.7"))
        #expect(claim(by(":1.7"), 1_000, isKnown: true) == [.watch(by(":1.7")), .authorize(by(":1.7"), user: 1000)])
    }

    @Test mutating func `pending authorizations of clients that have left are limited`() {
        for client in 0..<Table.capacity - Table.reservedForRoot {
            _ = claim(by(":1.\(client)"), client, isKnown: true, user: UInt32(1_000 + client))
            _ = table.vanished(by(":1.\(client)"))
        }
        #expect(claim(by(":2.0"), 999, isKnown: true) == [.refuse(999, .tooMany("clients"))])
        _ = table.decided(by(":1.5"), refusal: "no")
        #expect(
            claim(by(":2.0"), 999, isKnown: true, user: 999) == [.watch(by(":2.0")), .authorize(by(":2.0"), user: 999)])
    }

    @Test mutating func `a lost bus ends all claims`() {
        _ = claim(by(":1.7"), 1, isKnown: false)
        _ = table.decided(by(":1.7"), refusal: nil)
        #expect(table.removeAll() == [.unwatch(by(":1.7")), .reply(1)])
        #expect(!table.isHeld)
        // The result of the earlier authorization is dropped.
        _ = claim(by(":1.8"), 2, isKnown: false)
        _ = table.removeAll()
        #expect(claim(by(":1.8"), 3, isKnown: false) == [.watch(by(":1.8")), .authorize(by(":1.8"), user: 1000)])
    }

    @Test mutating func `the claims of one user are limited, including clients that have left`() {
        for client in 0..<Table.claimsPerUser {
            #expect(claim(by(":1.\(client)"), client, isKnown: true).first == .watch(by(":1.\(client)")))
            if client % 2 == 0 { _ = table.vanished(by(":1.\(client)")) }
        }
        #expect(claim(by(":2.0"), 999, isKnown: true) == [.refuse(999, .tooMany("clients of one user"))])
        #expect(claim(by(":2.1"), 998, isKnown: true, user: 1001).first == .watch(by(":2.1")))
        #expect(claim(by(":2.2"), 997, isKnown: true, user: 0).first == .watch(by(":2.2")))
        // A completed authorization of a client that has left frees its slot.
        _ = authorize(by(":1.0"))
        #expect(claim(by(":2.0"), 999, isKnown: true).first == .watch(by(":2.0")))
    }

    @Test mutating func `three users with as many pending authorizations as they get leave claims for another user`() {
        for user: UInt32 in [2_000, 3_000, 4_000] {
            for client in 0..<Table.claimsPerUser {
                _ = claim(by(":\(user).\(client)"), client, isKnown: true, user: user)
            }
        }
        for (call, sensor) in SensorKind.allCases.enumerated() {
            let client = by(":1.7", sensor)
            #expect(claim(client, call, isKnown: true) == [.watch(client), .authorize(client, user: 1000)])
        }
    }

    @Test mutating func `a claim without an identification is refused for its reason, and may be repeated`() {
        #expect(table.claim(by: by(":1.7"), 1, isKnown: true) == [.identify(by(":1.7"))])
        let reason = ClaimRefusal.denied("timed out")
        #expect(table.identified(by(":1.7"), .failure(reason)) == [.refuse(1, reason)])
        #expect(table.claim(by: by(":1.7"), 2, isKnown: true) == [.identify(by(":1.7"))])
    }

    @Test mutating func `a client that releases before its identification is answered and can claim again`() {
        #expect(table.claim(by: by(":1.7"), 1, isKnown: true) == [.identify(by(":1.7"))])
        #expect(table.release(by: by(":1.7")) == [.reply(1)])
        #expect(table.claim(by: by(":1.7"), 2, isKnown: true) == [])
        #expect(
            table.identified(by(":1.7"), .success(1000)) == [.watch(by(":1.7")), .authorize(by(":1.7"), user: 1000)])
        #expect(authorize(by(":1.7")) == [.reply(2)])
    }

    @Test mutating func `a claim waits for its identification, however many do`() {
        for client in 0..<1_000 { _ = table.claim(by: by(":1.\(client)"), client, isKnown: true) }
        #expect(claim(by(":2.0"), 999, isKnown: true) == [.watch(by(":2.0")), .authorize(by(":2.0"), user: 1000)])
    }

    @Test mutating func `a client holds claims on several sensors, which are answered and released one by one`() {
        for (call, sensor) in [SensorKind.light, .proximity].enumerated() {
            _ = claim(by(":1.7", sensor), call, isKnown: false)
            _ = table.decided(by(":1.7", sensor), refusal: nil)
        }
        #expect(table.replyToWaiting(for: .light) == [.reply(0)])
        #expect(table.isPending(.proximity) && table.subscribers(of: .light) == [":1.7"])
        #expect(table.subscribers(of: .proximity) == [])
        #expect(table.release(by: by(":1.7", .light)) == [.unwatch(by(":1.7", .light))])
        #expect(!table.isHeld(.light) && table.isHeld(.proximity) && table.isHeld)
    }
}
