// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Systemd

@Suite(.serialized, .timeLimit(.minutes(10))) struct BusNameTests {
    private let bench: BusBench

    init() throws { bench = try BusBench() }

    private static let name = BusBench.name

    @Test func `a released name ignores the reply to its request`() throws {
        let connection = try bench.connect()
        var name: BusName? = try BusName(Self.name, on: connection) { _ in Issue.record("a released name changed") }
        #expect(name != nil)
        name = nil
        // The reply to this call follows the one to the request.
        #expect(try bench.call("Light", on: connection, to: "org.example.Nothing").error != nil)
    }

    @Test func `a name that another connection owns is queued, and owned once that connection ends`() throws {
        var first: BusConnection? = try bench.connect()
        var firstName: BusName? = try first.map { try bench.own(on: $0) }
        let second = try bench.connect()
        var changes: [BusName.Ownership] = []
        let name = try BusName(Self.name, on: second) { changes.append($0) }
        try bench.run { !changes.isEmpty }
        #expect(changes == [.queued])
        #expect(firstName != nil)
        firstName = nil
        first = nil
        try bench.run { changes.count == 2 }
        #expect(changes == [.queued, .owned])
        withExtendedLifetime(name) {}
    }

    @Test func `a name that another connection takes over is queued, and owned again after its end`() throws {
        let connection = try bench.connect()
        var changes: [BusName.Ownership] = []
        let name = try BusName(Self.name, on: connection) { changes.append($0) }
        try bench.run { changes == [.owned] }
        var other: BusConnection? = try bench.connect()
        try other.map { try takeOver($0, bench) }
        try bench.run { changes.count == 2 }
        #expect(changes == [.owned, .queued])
        other = nil
        try bench.run { changes.count == 3 }
        #expect(changes.last == .owned)
        withExtendedLifetime(name) {}
    }

    /// Requests the name with DBUS_NAME_FLAG_REPLACE_EXISTING.
    private func takeOver(_ connection: BusConnection, _ bench: BusBench) throws {
        let call = try connection.newCall(
            to: "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName")
        call.append(.string(Self.name))
        call.append(.unsigned(2))
        var reply: UInt32?
        try connection.call(call, timeout: 60) { reply = $0.readUnsigned() }
        try bench.run { reply != nil }
        #expect(reply == 1)
    }

    @Test func `a name that the policy denies is reported with the bus's message, once`() throws {
        let bench = try BusBench(denying: Self.name)
        let connection = try bench.connect()
        var changes: [BusName.Ownership] = []
        let name = try BusName(Self.name, on: connection) { changes.append($0) }
        try bench.run { !changes.isEmpty }
        guard case .denied(let message)? = changes.first else {
            Issue.record("expected a denial, got \(changes)")
            return
        }
        #expect(message.contains(Self.name))
        // The same denial again is no change; the connection still works.
        try name.request()
        #expect(try bench.call("Light", on: connection, to: "org.example.Nothing").error != nil)
        #expect(changes.count == 1)
    }

    @Test func `reacquiring a name shows watchers a new owner, and stays owned`() throws {
        let connection = try bench.connect()
        var changes: [BusName.Ownership] = []
        let name = try BusName(Self.name, on: connection) { changes.append($0) }
        try bench.run { changes == [.owned] }
        let watcher = try bench.connect()
        var owners: [Bool] = []
        let watch = try watcher.watch(
            from: BusBench.driver, "member='NameOwnerChanged',arg0='\(Self.name)'"
        ) { message in
            _ = message.readString()
            _ = message.readString()
            owners.append(message.readString() != "")
        }
        // The bus has added the match once it has answered a later call.
        #expect(try bench.call("Light", on: watcher, to: "org.example.Nothing").error != nil)
        try name.reacquire()
        try bench.run { owners.count == 2 }
        #expect(owners == [false, true])
        #expect(changes == [.owned])
        withExtendedLifetime(watch) {}
    }

    @Test func `a loss after a release that the bus refused is reported`() throws {
        let bench = try BusBench(calls: "ReleaseName")
        let connection = try bench.connect()
        var changes: [BusName.Ownership] = []
        let name = try BusName(Self.name, on: connection) { changes.append($0) }
        try bench.run { changes == [.owned] }
        try name.reacquire()
        // The reply to this call follows that to the release.
        #expect(try bench.call("Light", on: connection, to: "org.example.Nothing").error != nil)
        let other = try bench.connect()
        try takeOver(other, bench)
        #expect(try bench.call("Light", on: connection, to: "org.example.Nothing").error != nil)
        #expect(changes == [.owned, .queued])
        withExtendedLifetime((name, other)) {}
    }

    @Test func `a loss and an acquisition that another client reports have no effect`() throws {
        let connection = try bench.connect()
        var changes: [BusName.Ownership] = []
        let name = try BusName(Self.name, on: connection) { changes.append($0) }
        try bench.run { changes == [.owned] }
        let other = try bench.own("org.example.Other", on: connection)
        let stranger = try bench.connect()
        func report(_ member: String) throws {
            let path = "/org/freedesktop/DBus"
            try bench.send(BusBench.driver, member, [Self.name], at: path, from: stranger, to: connection)
            // The reply follows the signal.
            #expect(try bench.call("Light", on: stranger, to: "org.example.Other").error != nil)
        }
        try report("NameLost")
        #expect(changes == [.owned])
        try takeOver(stranger, bench)
        try bench.run { changes.count > 1 }
        try report("NameAcquired")
        #expect(changes == [.owned, .queued])
        withExtendedLifetime((name, other)) {}
    }
}
