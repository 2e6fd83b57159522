// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import Sensors
import SystemdTestSupport
import TestSupport
import Testing

@testable import OrientationDaemon
@testable import Systemd

/// Property reads on a private bus, by a client without a claim, of an upright device.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SensorProxyBusTests {
    private let privateBus: PrivateBus
    private let bench: LoopBench
    private let service: SensorProxyBus
    private let client: BusConnection
    private let user = getuid()
    private static let limit = ClaimTable<BusCallID>.identifications

    init() throws { try self.init(denying: nil) }

    private init(denying member: String?) throws {
        privateBus = try PrivateBus(calls: member)
        bench = try LoopBench()
        let queue = EventQueue<Event>()
        service = try SensorProxyBus(
            loop: bench.loop, address: privateBus.address, queue: queue, log: Logger { _, _ in })
        client = try BusConnection(on: bench.loop, address: privateBus.address) {}
        var isOwned = false
        try bench.run {
            while let event = queue.popFirst() {
                if case .bus(.connected) = event { service.perform(.requestName) }
                if case .bus(.name(.owned)) = event { isOwned = true }
            }
            return isOwned
        }
        publish(holds: [:])
    }

    private func publish(holds shown: [UInt32: PanelEdge]) {
        var values = SensorProxyValues()
        values.apply(.decided(Attitude(orientation: .portrait, lastEdge: .portrait, timestamp: 1), sensor: "iio:0"))
        service.perform(.publish(values, shown: shown))
    }

    /// Calls a method of the properties, and adds the orientation or the error's name to the replies.
    private func call(
        _ member: String, _ arguments: [String], on other: BusConnection? = nil,
        _ replied: @escaping @MainActor (String) -> Void
    ) throws {
        let client = other ?? client
        let call = try client.newCall(
            to: SensorProxyBus.name, "/net/hadess/SensorProxy", "org.freedesktop.DBus.Properties", member)
        for argument in arguments { call.append(.string(argument)) }
        try client.call(call, timeout: 60) { message in
            if let error = message.error { return replied(error.name) }
            let all = member == "GetAll" ? message.readStringDictionary()["AccelerometerOrientation"] : nil
            replied(all ?? message.readVariantString() ?? "")
        }
    }

    private func reply(_ member: String, _ arguments: String...) throws -> String {
        var reply: String?
        try call(member, arguments) { reply = $0 }
        try bench.run { reply != nil }
        return reply ?? ""
    }

    private func get() throws -> String { try reply("Get", SensorProxyBus.name, "AccelerometerOrientation") }

    @Test func `reads return the held orientation to the user of the hold until it ends, and to no other`() throws {
        #expect(try get() == "normal")
        publish(holds: [user: .left])
        #expect(try get() == "left-up")
        #expect(try reply("GetAll", SensorProxyBus.name) == "left-up")
        #expect(try reply("GetAll", "") == "left-up")
        #expect(try reply("Get", SensorProxyBus.name, "AccelerometerTilt") == "undefined")
        publish(holds: [user + 1: .left])
        #expect(try get() == "normal")
        #expect(try reply("GetAll", SensorProxyBus.name) == "normal")
        publish(holds: [:])
        #expect(try get() == "normal")
    }

    @Test func `malformed reads during a hold have the errors of those without`() throws {
        let errors = {
            [
                try reply("Get"), try reply("Get", SensorProxyBus.name), try reply("Get", SensorProxyBus.name, "Size"),
                try reply("Get", "org.example", "AccelerometerOrientation"), try reply("GetAll"),
                try reply("GetAll", "org.example"), try reply("Fetch"),
            ]
        }
        let before = try errors()
        #expect(before.allSatisfy { $0.hasPrefix("org.freedesktop.DBus.Error.") })
        publish(holds: [user: .left])
        #expect(try errors() == before)
    }

    @Test func `without the user of the caller a read returns the orientation of the device`() throws {
        let denied = try Self(denying: "GetConnectionUnixUser")
        denied.publish(holds: [user: .left])
        #expect(try denied.get() == "normal")
    }

    @Test func `more reads at once than the limit are all answered, and later ones return the held orientation`() throws
    {
        publish(holds: [user: .left])
        var replies: [String] = []
        // The bus permits 128 pending calls per client.
        let clients = try (0..<3 * Self.limit / 100).map { _ in
            try BusConnection(on: bench.loop, address: privateBus.address) {}
        }
        for client in clients {
            for _ in 0..<100 {
                try call("Get", [SensorProxyBus.name, "AccelerometerOrientation"], on: client) { replies.append($0) }
            }
        }
        try bench.run { replies.count == 100 * clients.count }
        #expect(replies.count { $0 == "left-up" } >= Self.limit && Set(replies).isSubset(of: ["left-up", "normal"]))
        #expect(try get() == "left-up")
    }
}
