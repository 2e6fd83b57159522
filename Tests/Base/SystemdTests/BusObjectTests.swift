// SPDX-License-Identifier: Apache-2.0

import SystemdTestSupport
import TestSupport
import Testing

@testable import Systemd

@Suite(.serialized, .timeLimit(.minutes(10))) struct BusObjectTests {
    private let bench: BusBench
    private let service: BusConnection
    private let client: BusConnection
    private let name: BusName

    init() throws {
        bench = try BusBench()
        service = try bench.connect()
        client = try bench.connect()
        name = try bench.own(on: service)
        // Waits until the client has authenticated: libsystemd ends the connection after 90 s, and other tests may run before
        // this one.
        _ = try bench.own("org.example.Client", on: client)
    }

    /// Exports the methods Light and Dim, and the property Colour.
    private func export(
        colour: @escaping @MainActor () -> BusValue? = { .string("red") },
        isDeferred: @escaping @MainActor (BusCall) -> Bool = { _ in false },
        answer: @escaping @MainActor (BusCall) -> Void
    ) throws {
        let interface = BusInterface(
            name: BusBench.interface, methods: ["Light", "Dim"], properties: [("Colour", .string(""))], answer: answer,
            isDeferred: isDeferred
        ) { $0 == "Colour" ? colour() : nil }
        try service.export(interface, at: BusBench.path)
    }

    @Test func `a method call is answered, and names the method and the caller`() throws {
        var calls: [(member: String, sender: String)] = []
        try export { call in
            calls.append((call.member, call.sender))
            call.reply()
        }
        #expect(try bench.call("Light", on: client) == BusBench.Reply())
        #expect(try bench.call("Dim", on: client) == BusBench.Reply())
        #expect(calls.map(\.member) == ["Light", "Dim"])
        #expect(calls.allSatisfy { $0.sender.hasPrefix(":") && $0.sender == calls.first?.sender })
    }

    @Test func `a call may be answered after its callback has returned`() throws {
        var kept: BusCall?
        try export { kept = $0 }
        let timer = try bench.loop.timer { kept?.reply() }
        var isAnswered = false
        try client.call(
            try client.newCall(to: BusBench.name, BusBench.path, BusBench.interface, "Light"), timeout: 60
        ) { message in
            #expect(message.error == nil)
            isAnswered = true
        }
        try bench.run { kept != nil }
        #expect(!isAnswered)
        timer.fire(after: 0)
        try bench.run { isAnswered }
    }

    @Test func `a call without a reply times out`() throws {
        var kept: BusCall?
        try export { kept = $0 }
        let reply = try bench.call("Light", on: client, timeout: 0.02)
        #expect(reply.error == "org.freedesktop.DBus.Error.NoReply" || reply.error == "System.Error.ETIMEDOUT")
        // Too late: the caller no longer expects it.
        try bench.run { kept != nil }
        kept?.reply()
        try bench.runReady()
    }

    @Test func `a reply to a caller that has disconnected has no effect`() throws {
        var kept: BusCall?
        try export { kept = $0 }
        var leaving: BusConnection? = try bench.connect()
        let call = try leaving?.newCall(to: BusBench.name, BusBench.path, BusBench.interface, "Light")
        if let call {
            try leaving?.call(call, timeout: 60) { _ in Issue.record("a released connection received a reply") }
        }
        try bench.run { kept != nil }
        leaving = nil
        kept?.reply()
        // The service still answers.
        #expect(try bench.property("Colour", on: client).text == "red")
    }

    @Test func `a property has its current value, and is an error without one`() throws {
        let lamp = Lamp()
        try export(colour: { lamp.colour }) { $0.reply() }
        #expect(try bench.property("Colour", on: client) == BusBench.Reply(text: "red"))
        lamp.colour = .string("green")
        #expect(try bench.property("Colour", on: client) == BusBench.Reply(text: "green"))
        lamp.colour = nil
        #expect(try bench.property("Colour", on: client).error != nil)
        #expect(try bench.property("Size", on: client).error == "org.freedesktop.DBus.Error.UnknownProperty")
    }

    @Test func `a deferred property read is answered after other calls, with the value of that time`() throws {
        let lamp = Lamp()
        var kept: BusCall?
        @MainActor func isDeferred(_ call: BusCall) -> Bool {
            guard kept == nil, call.member == "Get" else { return false }
            kept = call
            return true
        }
        try export(colour: { lamp.colour }, isDeferred: isDeferred) { $0.reply() }
        let read = try client.newCall(to: BusBench.name, BusBench.path, Self.properties, "Get")
        for argument in [BusBench.interface, "Colour"] { read.append(.string(argument)) }
        var text: String?
        try client.call(read, timeout: 60) { text = $0.readVariantString() }
        #expect(try bench.call("Light", on: client) == BusBench.Reply())
        #expect(text == nil)
        lamp.colour = .string("green")
        kept?.dispatch()
        try bench.run { text != nil }
        #expect(text == "green")
    }

    @Test func `reads of a property are Get of it, and GetAll of its interface or of all`() throws {
        var reads: [Bool] = []
        @MainActor func isDeferred(_ call: BusCall) -> Bool {
            reads.append(call.reads("Colour", of: BusBench.interface))
            return false
        }
        try export(isDeferred: isDeferred) { $0.reply() }
        let (lamp, other) = (BusBench.interface, "org.example.Other")
        let calls: [(member: String, arguments: [String], isRead: Bool)] = [
            ("Get", [lamp, "Colour"], true), ("GetAll", [lamp], true), ("GetAll", [""], true),
            ("Get", [lamp, "Size"], false), ("Get", [other, "Colour"], false), ("GetAll", [other], false),
            ("Get", [lamp], false), ("Get", [lamp, "Colour", ""], false), ("GetAll", [], false),
        ]
        for call in calls {
            _ = try bench.call(call.member, on: client, interface: Self.properties, arguments: call.arguments)
        }
        _ = try bench.call("Get", on: client, arguments: [lamp, "Colour"])
        #expect(reads == calls.map(\.isRead) + [false])
    }

    private static let properties = "org.freedesktop.DBus.Properties"

    @Test func `PropertiesChanged reaches the addressed client only, with the values`() throws {
        var caller = ""
        try export { call in
            caller = call.sender
            call.reply()
        }
        let other = try bench.connect()
        var received: [[String: String]] = []
        let rule = "interface='org.freedesktop.DBus.Properties',path='\(BusBench.path)'"
        let sender = service.uniqueName
        let watch = try client.watch(from: sender, rule) { message in
            #expect(message.member == "PropertiesChanged")
            #expect(message.readString() == BusBench.interface)
            received.append(message.readStringDictionary())
        }
        let otherWatch = try other.watch(from: sender, rule) { _ in Issue.record("another client received the signal") }
        #expect(try bench.call("Light", on: client) == BusBench.Reply())
        try service.sendPropertiesChanged(
            of: BusBench.interface, at: BusBench.path, [("Colour", .string("green"))], to: caller)
        try bench.run { !received.isEmpty }
        // The reply follows every signal that the bus sent to this client before it.
        #expect(try bench.call("Light", on: other) == BusBench.Reply())
        #expect(received == [["Colour": "green"]])
        withExtendedLifetime((watch, otherWatch)) {}
    }

    @Test func `a subscription receives the signals of its sender only, also those addressed to the connection`() throws
    {
        let stranger = try bench.connect()
        let properties = "org.freedesktop.DBus.Properties"
        var received: [String] = []
        let watch = try client.watch(from: service.uniqueName, "interface='\(properties)'") { message in
            received.append(message.readString() ?? "")
        }
        let driverWatch = try client.watch(from: BusBench.driver, "member='NameOwnerChanged',arg0='org.example.Other'")
        {
            received.append($0.member ?? "")
        }
        try export { $0.reply() }
        for (interface, member) in [(properties, "PropertiesChanged"), (BusBench.driver, "NameOwnerChanged")] {
            try bench.send(
                interface, member, ["org.example.Other", "", ":1.1"], at: BusBench.path, from: stranger, to: client)
        }
        // The reply follows the signals.
        #expect(try bench.call("Light", on: stranger, to: "org.example.Client").error != nil)
        #expect(received == [])
        try service.sendPropertiesChanged(of: BusBench.interface, at: BusBench.path, [], to: client.uniqueName)
        try bench.run { !received.isEmpty }
        let other = try bench.own("org.example.Other", on: stranger)
        try bench.run { received.count > 1 }
        #expect(received == [BusBench.interface, "NameOwnerChanged"])
        withExtendedLifetime((watch, driverWatch, other)) {}
    }

    @Test func `a call with a long path or string is not answered, and a later call is`() throws {
        try export { $0.reply() }
        let (lamp, long) = (BusBench.interface, String(repeating: "x", count: BusConnection.longestText))
        let calls: [(path: String, interface: String, member: String, arguments: [String])] = [
            ("/" + long, lamp, "Light", []), (BusBench.path, Self.properties, "GetAll", [long + "x"]),
            (BusBench.path, Self.properties, "Get", [long + "x", "Colour"]),
            (BusBench.path, Self.properties, "Get", [lamp, long + "x"]),
        ]
        for (path, interface, member, arguments) in calls {
            let call = try client.newCall(to: BusBench.name, path, interface, member)
            for argument in arguments { call.append(.string(argument)) }
            try client.call(call, timeout: 60) { _ in Issue.record("\(member) \(arguments.count) was answered") }
        }
        #expect(try bench.call("Light", on: client) == BusBench.Reply())
        let error = try bench.call("GetAll", on: client, interface: Self.properties, arguments: [long]).error
        #expect(error == "org.freedesktop.DBus.Error.UnknownInterface")
    }

    @Test func `a full queue accepts methods and deferred calls only, and a queue that the bus does not read no call`()
        throws
    {
        var deferred: BusCall?
        try export(isDeferred: { call in
            deferred = call
            return true
        }) { $0.reply() }
        let read = try client.newCall(to: BusBench.name, BusBench.path, Self.properties, "Get")
        for argument in [BusBench.interface, "Colour"] { read.append(.string(argument)) }
        try client.call(read, timeout: 60) { _ in }
        try bench.run { deferred != nil }
        let kept = BusMessage(sharing: try #require(deferred).id)
        let method = try client.newCall(to: BusBench.name, BusBench.path, BusBench.interface, "Light")
        let unknown = try client.newCall(to: BusBench.name, BusBench.path, BusBench.interface, "Explode")
        func dropped() -> [Bool] {
            [service.drops(method), service.drops(kept), service.drops(read), service.drops(unknown)]
        }
        bench.bus.freeze(true)
        defer { bench.bus.freeze(false) }
        #expect(dropped() == [false, false, false, false])
        while service.hasRoom {
            try service.sendPropertiesChanged(of: BusBench.interface, at: BusBench.path, [], to: ":1.1")
        }
        #expect(dropped() == [false, false, true, true])
        for _ in 0..<BusConnection.longestQueue {
            try service.sendPropertiesChanged(of: BusBench.interface, at: BusBench.path, [], to: ":1.1")
        }
        #expect(dropped() == [true, true, true, true])
    }

    @Test func `a released subscription receives nothing`() throws {
        var caller = ""
        try export { call in
            caller = call.sender
            call.reply()
        }
        var count = 0
        var watch: BusSlot?
        watch = try client.watch(from: service.uniqueName, "interface='org.freedesktop.DBus.Properties'") { _ in
            count += 1
            // Released in its own handler.
            watch = nil
        }
        #expect(try bench.call("Light", on: client) == BusBench.Reply())
        for _ in 0..<3 {
            try service.sendPropertiesChanged(
                of: BusBench.interface, at: BusBench.path, [("Colour", .string("green"))], to: caller)
        }
        try bench.run { count > 0 }
        #expect(try bench.call("Light", on: client) == BusBench.Reply())
        #expect(count == 1)
        #expect(watch == nil)
    }
}

/// An object with a property.
private final class Lamp {
    var colour: BusValue? = .string("red")
}
