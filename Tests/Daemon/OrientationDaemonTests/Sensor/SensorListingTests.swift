// SPDX-License-Identifier: Apache-2.0

import Sensors
import Testing
import Varlink

@testable import OrientationDaemon
@testable import VarlinkServer

@Suite struct SensorListingTests {
    private var listing = SensorListing(.ambient)

    /// What follows a call of a client, in words.
    private mutating func add(_ client: Int, at now: Double) -> [String] {
        words(listing.add(Caller(client: ClientID(serial: client), user: 1000, isTrusted: false), at: now))
    }

    private mutating func remove(_ client: Int) { listing.remove(ClientID(serial: client)) }

    private mutating func timerFired(at now: Double) -> [String] { words(listing.timerFired(at: now)) }

    private mutating func finish(at now: Double) -> [String] {
        words(listing.finish(at: now) { _ in EncodedMessage(reply: [:]) })
    }

    private func words(_ effects: [Effect]) -> [String] {
        effects.map { effect in
            switch effect {
            case .raise(.scanWanted(.ambient, .listing)): "scan"
            case .setTimer(.listing(.ambient), let seconds?): "wait \(seconds)"
            case .reply(let client, _, _): "reply \(client.serial)"
            default: "other"
            }
        }
    }

    @Test mutating func `the first call starts a scan at once, and is answered when it ends`() {
        #expect(add(1, at: 10) == ["scan"])
        #expect(finish(at: 10.2) == ["reply 1"])
    }

    @Test mutating func `calls during a scan share the next one, a second after the first`() {
        _ = add(1, at: 10)
        #expect(add(2, at: 10.125) == [] && add(3, at: 10.25) == [])
        #expect(finish(at: 10.5) == ["reply 1", "wait 0.5"])
        #expect(add(4, at: 10.75) == [])
        #expect(timerFired(at: 11) == ["scan"])
        #expect(finish(at: 11.25) == ["reply 2", "reply 3", "reply 4"])
    }

    @Test mutating func `a flood of calls causes one scan per second`() {
        var scans = 0
        var due: Double?
        for number in 0..<10_000 {
            let now = 10 + Double(number) / 1_000
            var steps = add(number, at: now)
            if let time = due, now >= time {
                due = nil
                steps += timerFired(at: now)
            }
            while let step = steps.popLast() {
                if step == "scan" {
                    scans += 1
                    steps += finish(at: now)
                } else if step.hasPrefix("wait") {
                    due = now + (Double(step.dropFirst("wait ".count)) ?? 0)
                }
            }
        }
        #expect((9...10).contains(scans))
    }

    @Test mutating func `a client that has left is not answered, and a timer without clients starts no scan`() {
        _ = add(1, at: 10)
        _ = add(2, at: 10.5)
        remove(1)
        #expect(finish(at: 10.5) == ["wait 0.5"])
        remove(2)
        #expect(timerFired(at: 11) == [])
        #expect(add(3, at: 12) == ["scan"])
    }

    @Test mutating func `a timer that fires early is set again`() {
        _ = add(1, at: 10)
        _ = finish(at: 10)
        #expect(add(2, at: 10.25) == ["wait 0.75"])
        #expect(timerFired(at: 10.75) == ["wait 0.25"])
        #expect(timerFired(at: 11) == ["scan"])
    }
}
