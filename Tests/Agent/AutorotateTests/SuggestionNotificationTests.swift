// SPDX-License-Identifier: Apache-2.0

import CSystemd
import SystemdTestSupport
import TestSupport
import Testing

@testable import Autorotate
@testable import Systemd

/// The notification of `--suggest` at a server on a private bus.
@Suite struct SuggestionNotificationTests {
    private final class Bench {
        let bus: PrivateBus
        let loop: LoopBench
        var events: [AutorotatePolicy.Event] = []
        var notification: SuggestionNotification?

        init(denying member: String? = nil) throws {
            bus = try PrivateBus(calls: member)
            loop = try LoopBench()
            notification = SuggestionNotification(
                environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "DBUS_SYSTEM_BUS_ADDRESS": bus.address],
                on: loop.loop
            ) { [unowned self] event in
                events.append(event)
            }
        }

        func server() throws -> NotificationServer { try NotificationServer(bus, loop) }

        /// Shows the notification, and waits for the reply.
        func show() throws {
            notification?.show()
            try loop.run { notification?.isPending == false }
        }

        /// Shows it twice: the subscription to the signals is in effect before the second call.
        func showTwice(_ server: NotificationServer) throws {
            try show()
            try show()
            #expect(server.calls == ["Notify 0", "Notify 1"])
        }
    }

    @Test func `one notification is shown, replaced, accepted and withdrawn`() throws {
        let bench = try Bench()
        let server = try bench.server()
        try bench.showTwice(server)
        server.signal("ActionInvoked", 2)
        server.signal("ActionInvoked", 1)
        try bench.loop.run { !bench.events.isEmpty }
        #expect(bench.events == [.suggestionAnswered(isAccepted: true)])
        bench.notification?.withdraw()
        bench.notification?.withdraw()
        try bench.loop.run { server.calls.last == "CloseNotification 1" }
        #expect(server.calls == ["Notify 0", "Notify 1", "CloseNotification 1"])
        // At the end of the agent.
        try bench.show()
        bench.notification?.withdraw()
        bench.notification = nil
        try bench.loop.run { server.calls.count == 5 }
        #expect(server.calls.last == "CloseNotification 1")
    }

    @Test func `one is withdrawn when logind locks a session, not when another client says so`() throws {
        let bench = try Bench()
        let server = try bench.server()
        let logind = try NotificationServer(bench.bus, bench.loop, "org.freedesktop.login1")
        try bench.showTwice(server)
        server.lock(to: server.client)
        try bench.loop.run {
            if bench.events.isEmpty { logind.lock() }
            return server.calls.last == "CloseNotification 1"
        }
        #expect(bench.events == [.suggestionAnswered(isAccepted: false)])
    }

    @Test func `one that is withdrawn before the server replies is closed`() throws {
        let bench = try Bench()
        let server = try bench.server()
        bench.notification?.show()
        bench.notification?.withdraw()
        try bench.loop.run { server.calls == ["Notify 0", "CloseNotification 1"] }
    }

    @Test func `signals of another sender have no effect`() throws {
        let bench = try Bench()
        let server = try bench.server()
        try bench.showTwice(server)
        let stranger = try bench.server()
        for member in ["ActionInvoked", "NotificationClosed"] {
            stranger.signal(member, 1, to: server.client)
            stranger.signal(member, 1)
        }
        server.signal("NotificationClosed", 1)
        try bench.loop.run { !bench.events.isEmpty }
        #expect(bench.events == [.suggestionAnswered(isAccepted: false)])
    }

    @Test func `one whose signals the bus refuses is closed, and fails`() throws {
        let bench = try Bench(denying: "AddMatch")
        let server = try bench.server()
        bench.notification?.show()
        try bench.loop.run { server.calls == ["Notify 0", "CloseNotification 1"] }
        let reason = "subscribe on the bus: org.freedesktop.DBus.Error.AccessDenied"
        #expect(bench.events == [.suggestionFailed(reason)])
    }

    @Test func `the end of the bus is an answer`() throws {
        let bench = try Bench()
        let server = try bench.server()
        try bench.showTwice(server)
        bench.bus.stop()
        try bench.loop.run { !bench.events.isEmpty }
        #expect(bench.events == [.suggestionAnswered(isAccepted: false)])
    }

    @Test func `without a server or a bus it fails, and the successor of a server is asked again`() throws {
        let bench = try Bench()
        try bench.show()
        guard case .suggestionFailed(let reason)? = bench.events.first else { throw TestFailure("no failure") }
        #expect(reason.hasPrefix("org.freedesktop.Notifications: org.freedesktop.DBus.Error."))
        var first: NotificationServer? = try bench.server()
        if let first { try bench.showTwice(first) }
        first = nil
        let second = try bench.server()
        try bench.show()
        try bench.loop.run { second.calls == ["Notify 0"] }
        #expect(bench.events.count == 1)
    }
}

/// A server of `org.freedesktop.Notifications` that numbers notifications from 1.
private final class NotificationServer {
    static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    private(set) var calls: [String] = []
    /// The unique name of the last caller.
    private(set) var client = ""
    nonisolated(unsafe) private var bus: OpaquePointer?
    nonisolated(unsafe) private var filter: OpaquePointer?

    init(_ bus: PrivateBus, _ loop: LoopBench, _ name: String = NotificationServer.name) throws {
        try check(sd_bus_new(&self.bus), "test")
        try check(sd_bus_set_address(self.bus, bus.address), "test")
        try check(sd_bus_set_bus_client(self.bus, 1), "test")
        try check(sd_bus_start(self.bus), "test")
        try check(sd_bus_attach_event(self.bus, loop.loop.handle, 0), "test")
        let userdata = Unmanaged.passUnretained(self).toOpaque()
        try check(
            sd_bus_add_filter(
                self.bus, &filter,
                { message, userdata, _ in
                    guard let message, let userdata,
                        sd_bus_message_is_method_call(message, NotificationServer.name, nil) > 0
                    else { return 0 }
                    Unmanaged<NotificationServer>.fromOpaque(userdata).takeUnretainedValue().answer(message)
                    return 1
                }, userdata), "test")
        // A second one is queued.
        try check(sd_bus_request_name(self.bus, name, 4), "test")
    }

    deinit {
        sd_bus_slot_unref(filter)
        sd_bus_flush_close_unref(bus)
    }

    private func answer(_ message: OpaquePointer) {
        client = String(cString: sd_bus_message_get_sender(message))
        let member = String(cString: sd_bus_message_get_member(message))
        var number: UInt32 = 0
        if member == "Notify" { sd_bus_message_skip(message, "s") }
        sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &number)
        calls.append("\(member) \(number)")
        var reply: OpaquePointer?
        sd_bus_message_new_method_return(message, &reply)
        var id: UInt32 = 1
        if member == "Notify" { sd_bus_message_append_basic(reply, CChar(UInt8(ascii: "u")), &id) }
        sd_bus_send(bus, reply, nil)
        sd_bus_message_unref(reply)
    }

    /// Sends a signal about a notification, to all or to one client.
    func signal(_ member: String, _ id: UInt32, to client: String? = nil) {
        var signal: OpaquePointer?
        sd_bus_message_new_signal(bus, &signal, Self.path, Self.name, member)
        var id = id
        sd_bus_message_append_basic(signal, CChar(UInt8(ascii: "u")), &id)
        sd_bus_message_append_basic(signal, CChar(UInt8(ascii: "s")), "default")
        if let client { sd_bus_send_to(bus, signal, client, nil) } else { sd_bus_send(bus, signal, nil) }
        sd_bus_message_unref(signal)
    }

    /// Sends the signal of logind that locks a session, to all or to one client.
    func lock(to client: String? = nil) {
        var signal: OpaquePointer?
        let path = "/org/freedesktop/login1/session/_31"
        sd_bus_message_new_signal(bus, &signal, path, "org.freedesktop.login1.Session", "Lock")
        if let client { sd_bus_send_to(bus, signal, client, nil) } else { sd_bus_send(bus, signal, nil) }
        sd_bus_message_unref(signal)
    }
}
