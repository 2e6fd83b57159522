// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import SystemdTestSupport
import TestSupport
import Testing

@testable import OrientationDaemon
@testable import Sensors
@testable import Systemd

/// Property reads on a private bus, by a client without a claim, of an upright device.
@Suite(.serialized, .timeLimit(.minutes(10))) struct SensorProxyBusTests {
    private let privateBus: PrivateBus
    private let bench: LoopBench
    private let service: SensorProxyBus
    private let client: BusConnection
    private let user = getuid()
    private let queue = EventQueue<Event>()

    init() throws { try self.init(denying: nil) }

    private init(denying member: String?) throws {
        privateBus = try PrivateBus(calls: member)
        bench = try LoopBench()
        service = try SensorProxyBus(
            loop: bench.loop, address: privateBus.address, queue: queue, log: Logger { _, _ in })
        client = try BusConnection(on: bench.loop, address: privateBus.address) {}
        var isOwned = false
        try bench.run { [queue, service] in
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
        values.apply(
            .decided(ClassifiedSample(orientation: .portrait, lastEdge: .portrait, timestamp: 1), sensor: "iio:0"))
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

    @Test func `the reads of many clients wait for their users, and those of one over its limit for none`() throws {
        publish(holds: [user: .left])
        var replies: [String] = []
        let clients = try (0..<100).map { _ in try BusConnection(on: bench.loop, address: privateBus.address) {} }
        for client in clients {
            try call("Get", [SensorProxyBus.name, "AccelerometerOrientation"], on: client) { replies.append($0) }
        }
        try bench.run { replies.count == clients.count }
        #expect(Set(replies) == ["left-up"])
        replies = []
        let other = try BusConnection(on: bench.loop, address: privateBus.address) {}
        for _ in 0..<50 {
            try call("Get", [SensorProxyBus.name, "AccelerometerOrientation"], on: other) { replies.append($0) }
        }
        try bench.run { replies.count == 50 }
        #expect(replies.count { $0 == "left-up" } >= SensorProxyBus.readsPerClient)
        #expect(Set(replies).isSubset(of: ["left-up", "normal"]))
        #expect(try get() == "left-up")
    }

    @Test func `while the bus reads nothing the newest values wait for each claimant, and the connection stays`() throws
    {
        _ = try get()
        var received: [[String: String]] = []
        var owner = ""
        try client.call(
            try client.newCall(to: SensorProxyBus.name, "/net/hadess/SensorProxy", "org.freedesktop.DBus.Peer", "Ping"),
            timeout: 60
        ) { owner = $0.sender ?? "" }
        try bench.run { !owner.isEmpty }
        let watch = try client.watch(from: owner, "interface='org.freedesktop.DBus.Properties'") { message in
            _ = message.readString()
            received.append(message.readStringDictionary())
        }
        // The bus has the subscription once it replies to a later call.
        _ = try get()
        let claimants = [SensorKind.accelerometer, .light].map { Claimant(client: client.uniqueName, sensor: $0) }
        privateBus.freeze(true)
        // The kernel holds 8 MB besides.
        let count = 20_000
        for number in 0..<count {
            for claimant in claimants {
                service.perform(
                    .signal(claimant, [("AccelerometerOrientation", .string("\(claimant.sensor) \(number)"))]))
            }
            if number == count - 2 {
                service.perform(.signal(claimants[0], [("AccelerometerTilt", .string("vertical"))]))
            }
        }
        privateBus.freeze(false)
        func newest(_ sensor: SensorKind, _ name: String) -> String? {
            received.last { $0[name]?.hasPrefix("\(sensor)") ?? false }?[name]
        }
        try bench.run {
            service.sendChanges()
            return claimants.allSatisfy {
                newest($0.sensor, "AccelerometerOrientation") == "\($0.sensor) \(count - 1)"
            }
        }
        #expect(received.count < count)
        #expect(received.contains { $0["AccelerometerTilt"] == "vertical" && $0.count == 2 })
        #expect(try get() == "normal")
        #expect(queue.isEmpty, "the connection has ended")
        withExtendedLifetime(watch) {}
    }

    @Test func `the bus names the user of a claim's client, or the claim is refused`() throws {
        let denied = try Self(denying: "GetConnectionUnixUser")
        for (bench, isDenied) in [(self, false), (denied, true)] {
            let claimants = [SensorKind.accelerometer, .light].map {
                Claimant(client: bench.client.uniqueName, sensor: $0)
            }
            for claimant in claimants { bench.service.perform(.claim(.identify(claimant))) }
            var found: [SensorProxyBus.User] = []
            try bench.bench.run {
                while let event = bench.queue.popFirst() {
                    if case .bus(.identified(_, let user)) = event { found.append(user) }
                }
                return found.count == 2
            }
            for user in found {
                switch user {
                case .failure(.denied(let reason)): #expect(isDenied && reason.contains("does not name the user"))
                default: #expect(!isDenied && user == .success(bench.user))
                }
            }
        }
    }
}
