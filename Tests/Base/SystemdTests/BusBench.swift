// SPDX-License-Identifier: Apache-2.0

import CSystemd
import SystemdTestSupport
import TestSupport

@testable import Systemd

/// A private bus, with connections that share one event loop.
final class BusBench {
    let bus: PrivateBus
    private let bench: LoopBench
    var loop: EventLoop { bench.loop }

    static let path = "/org/example/lamp"
    static let interface = "org.example.Lamp"
    static let name = "org.example.Lamp"

    init(denying name: String? = nil, calls member: String? = nil) throws {
        bus = try PrivateBus(denying: name, calls: member)
        bench = try LoopBench()
    }

    /// Connects to the bus.
    func connect(lost: @escaping @MainActor () -> Void = {}) throws(SystemError) -> BusConnection {
        try BusConnection(on: loop, address: bus.address, lost: lost)
    }

    /// Dispatches events until `condition` is true.
    func run(until condition: () -> Bool) throws { try bench.run(until: condition) }

    /// Dispatches the events that are ready, without waiting.
    func runReady() throws { try bench.runReady() }

    /// Requests a name and waits until it is owned.
    func own(_ name: String = BusBench.name, on connection: BusConnection) throws -> BusName {
        var isOwned = false
        let result = try BusName(name, on: connection) { if $0 == .owned { isOwned = true } }
        try run { isOwned }
        return result
    }

    /// The sender of the bus's own signals.
    static let driver = "org.freedesktop.DBus"

    /// Sends a signal with strings from one connection to another alone.
    func send(
        _ interface: String, _ member: String, _ arguments: [String] = [], at path: String, from sender: BusConnection,
        to receiver: BusConnection
    ) throws {
        let signal = try BusMessage("send") { sd_bus_message_new_signal(sender.handle, $0, path, interface, member) }
        for argument in arguments { signal.append(.string(argument)) }
        try check(sd_bus_send_to(sender.handle, signal.handle, receiver.uniqueName, nil), "send")
    }

    /// A copy of a reply.
    struct Reply: Equatable {
        var error: String?
        var text: String?
    }

    /// Calls a method of the example interface and waits for the reply.
    func call(
        _ member: String, on connection: BusConnection, to destination: String = BusBench.name,
        interface: String = BusBench.interface, arguments: [String] = [], timeout: Double = 60
    ) throws -> Reply {
        let call = try connection.newCall(to: destination, Self.path, interface, member)
        for argument in arguments { call.append(.string(argument)) }
        var result: Reply?
        try connection.call(call, timeout: timeout) { message in
            result = Reply(error: message.error?.name, text: message.error?.text ?? message.readVariantString())
        }
        try run { result != nil }
        return result ?? Reply()
    }

    /// Reads a property of the example interface.
    func property(_ name: String, on connection: BusConnection) throws -> Reply {
        try call(
            "Get", on: connection, interface: "org.freedesktop.DBus.Properties", arguments: [Self.interface, name])
    }
}
