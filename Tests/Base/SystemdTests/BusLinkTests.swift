// SPDX-License-Identifier: Apache-2.0

import SystemdTestSupport
import TestSupport
import Testing

@testable import Systemd

@Suite(.serialized, .timeLimit(.minutes(10))) struct BusLinkTests {
    private let bench: BusBench
    private let messages = LoggedMessages()

    init() throws {
        bench = try BusBench()
    }

    /// Creates a link, and starts it.
    private func makeLink(
        opened: @escaping @MainActor (BusConnection) throws(SystemError) -> Void, lost: @escaping @MainActor () -> Void
    ) throws -> BusLink {
        let link = try BusLink(
            on: bench.loop, address: bench.bus.address, log: messages.logger, opened: opened, lost: lost)
        link.reconnect()
        return link
    }

    @Test func `a link connects, reports the end of the bus, and reconnects after its restart`() throws {
        var events: [String] = []
        let link = try makeLink(opened: { _ in events.append("opened") }, lost: { events.append("lost") })
        try bench.run { events == ["opened"] }
        bench.bus.stop()
        try bench.run { events == ["opened", "lost"] }
        #expect(
            messages.texts == [
                "the system bus closed the connection; retrying, SensorProxy service unavailable until then"
            ])
        try bench.bus.start()
        try bench.run { events.count == 3 }
        #expect(events == ["opened", "lost", "opened"])
        withExtendedLifetime(link) {}
    }

    @Test func `an error of the owner closes the new connection, and the link retries`() throws {
        var attempts = 0
        var losses = 0
        let link = try makeLink(
            opened: { (_) throws(SystemError) in
                attempts += 1
                if attempts == 1 { throw SystemError(operation: "export", code: 17) }
            }, lost: { losses += 1 })
        try bench.run { attempts == 2 }
        #expect(losses == 1)
        withExtendedLifetime(link) {}
    }

    @Test func `the first failure of each outage is logged`() throws {
        var attempts = 0
        let link = try makeLink(
            opened: { (_) throws(SystemError) in
                attempts += 1
                throw SystemError(operation: "export", code: 17)
            }, lost: {})
        try bench.run { attempts == 3 }
        #expect(messages.texts.count == 1)
        link.connectionEstablished()
        try bench.run { attempts == 5 }
        #expect(messages.texts.count == 2)
    }
}
