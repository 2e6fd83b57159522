// SPDX-License-Identifier: Apache-2.0

import Foundation
import Systemd
import SystemdTestSupport
import Testing

@testable import Displays

/// X servers whose replies are invalid, incomplete or late.
@Suite(.serialized, .timeLimit(.minutes(10))) struct X11HostileServerTests {
    /// Changes one kind of reply.
    nonisolated struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reply: FakeXServer.Reply
        let edit: @Sendable (inout [UInt8]) -> Void
        /// The error at the start; nil if the server can be used.
        let error: String?

        init(
            _ testDescription: String, _ reply: FakeXServer.Reply,
            error: String? = "a reply is shorter than its counts",
            edit: @escaping @Sendable (inout [UInt8]) -> Void
        ) {
            self.testDescription = testDescription
            self.reply = reply
            self.error = error
            self.edit = edit
        }

        /// Sets a number of two bytes to 65,535.
        static func greatest(_ name: String, _ reply: FakeXServer.Reply, at offset: Int) -> Change {
            Change("65,535 \(name)", reply) { $0.replaceSubrange(offset..<(offset + 2), with: [255, 255]) }
        }

        static let all: [Change] = [
            Change("unchanged", .setup, error: nil) { _ in },
            Change("a vendor beyond the end", .setup, error: "it has no screen") { $0[25] = 255 },
            Change("255 formats", .setup, error: "it has no screen") { $0[29] = 255 },
            greatest("CRTCs", .resources, at: 16), greatest("outputs", .resources, at: 18),
            greatest("modes", .resources, at: 20), greatest("outputs of a CRTC", .controller, at: 28),
            greatest("CRTCs of an output", .output, at: 26), greatest("clones of an output", .output, at: 32),
            greatest("bytes of a name", .output, at: 34),
            Change("an output without the end of its structure", .output) {
                $0 = Array($0[..<32])
                $0.replaceSubrange(4..<8, with: [0, 0, 0, 0])
            },
            Change("a name of 300 bytes", .output, error: "the name of an output has 300 bytes") {
                $0 = Array($0[..<44]) + [UInt8](repeating: 65, count: 300)
                $0.replaceSubrange(4..<8, with: [78, 0, 0, 0])
                $0.replaceSubrange(34..<36, with: [44, 1])
            },
            greatest("items of a property", .property(format: 32), at: 16),
            greatest("bytes of a class", .property(format: 8), at: 16),
            greatest("numbers of a matrix", .deviceProperty, at: 16),
            // The list of devices ends with the reply.
            Change("65,535 devices", .devices, error: nil) { $0.replaceSubrange(8..<10, with: [255, 255]) },
            Change("65,535 classes", .devices, error: nil) { $0.replaceSubrange(38..<40, with: [255, 255]) },
            Change("65,535 bytes of a device's name", .devices, error: nil) {
                $0.replaceSubrange(40..<42, with: [255, 255])
            },
            Change("events of RANDR with the greatest number, and an event", .queryExtension, error: nil) {
                $0[10] = 255
                $0 += [127, 0] + $0[2..<4] + [UInt8](repeating: 0, count: 28)
            },
        ]
    }

    private let loop: LoopBench
    private let messages = LoggedMessages()

    init() throws {
        loop = try LoopBench()
    }

    private func open(
        _ server: FakeXServer, timeout: Double = 60, receive: @escaping (DisplayEvent) -> Void = { _ in }
    ) throws -> X11Server {
        let session = DisplaySession(
            environment: [:], loop: loop.loop, log: messages.logger, reportsFrontWindow: true)
        return try X11Server(server.display, session, receive, timeout: timeout)
    }

    @Test(arguments: Change.all) func `no count of a reply is trusted`(_ change: Change) throws {
        let server = try FakeXServer { if $0 == change.reply { change.edit(&$1) } }
        var events: [DisplayEvent] = []
        var failure: DisplayServerError?
        do {
            let opened = try open(server) { events.append($0) }
            try withExtendedLifetime(opened) { try loop.run { events.count > 1 } }
        } catch let error as DisplayServerError {
            failure = error
        }
        #expect(failure?.description == change.error.map { "X server \(server.display): \($0)" })
        if change.error == nil {
            #expect(
                events.contains { if case .outputs(let outputs) = $0 { outputs[0].name == "screen" } else { false } })
        }
        #expect(server.isClosedByClient())
    }

    @Test func `outputs that a refused configuration has changed are sent before the failure`() throws {
        let refusals = Counter()
        let server = try FakeXServer { kind, reply in
            switch kind {
            case .configuration:
                _ = refusals.next()
                reply[1] = 3
            // The CRTC is off.
            case .controller where refusals.count > 0: reply.replaceSubrange(20..<24, with: [0, 0, 0, 0])
            default: break
            }
        }
        var events: [DisplayEvent] = []
        let opened = try open(server) { events.append($0) }
        try loop.run { events.count > 1 }
        events = []
        let former = Output(name: "screen", mode: PixelSize(width: 640, height: 400))
        opened.apply(Layout.rotating("screen", to: .rotated90, in: [former]))
        let failed = DisplayEvent.failed("the driver cannot set the mode")
        try loop.run { events.contains(failed) }
        #expect(events == [.outputs([Output(name: "screen", isEnabled: false)]), failed])
    }

    @Test func `a server that sends half of a reply is not waited for, and its connection is closed`() throws {
        let server = try FakeXServer { if $0 == .resources { $1 = Array($1[..<40]) } }
        let error = #expect(throws: DisplayServerError.self) { _ = try open(server, timeout: 0.01) }
        #expect(
            error?.description == "X server \(server.display): cannot connect: timed out after 0.01 s; it hangs, or "
                + "another program has grabbed it")
        #expect(server.isClosedByClient())
    }

    @Test func `a server that accepts the connection after the timeout is disconnected`() throws {
        let isLate = DispatchSemaphore(value: 0)
        let server = try FakeXServer { kind, _ in if kind == .setup { isLate.wait() } }
        #expect(throws: DisplayServerError.self) { _ = try open(server, timeout: 0.01) }
        isLate.signal()
        #expect(server.isClosedByClient())
    }

    @Test func `the loop runs while a reply is incomplete`() throws {
        let count = Counter()
        let server = try FakeXServer {
            if $0 == .resources, count.next() > 1 { $1 = Array($1[..<40]) }
        }
        var events: [DisplayEvent] = []
        var opened: X11Server? = try open(server) { events.append($0) }
        try loop.run { events.count > 1 }
        events = []
        opened?.apply([])
        var isDispatched = false
        let timer = try loop.loop.timer { isDispatched = true }
        timer.fire(after: 0)
        try loop.run { isDispatched }
        #expect(events == [])
        opened = nil
        #expect(server.isClosedByClient())
    }
}

/// Counts on the server's thread only.
private nonisolated final class Counter: @unchecked Sendable {
    private(set) var count = 0
    func next() -> Int {
        count += 1
        return count
    }
}
