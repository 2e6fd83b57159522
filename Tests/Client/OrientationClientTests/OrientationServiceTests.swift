// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire
import TestServer
import TestSupport
import Testing
import Varlink

@testable import OrientationClient
@testable import OrientationClientCore

@Suite(.timeLimit(.minutes(10))) struct OrientationServiceTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.socket }

    init() throws { directory = try TemporaryDirectory() }

    /// A client with this timeout.
    private func service(timeout: Duration = .seconds(60)) -> OrientationService {
        OrientationService(.daemon(socketPath: path), timeout: timeout)
    }

    /// Waits for a call on a listener that does not reply.
    private func accept(_ listener: borrowing ListeningSocket) async throws {
        while (try listener.accept()) == nil { await Task.yield() }
    }

    @Test func `calls return the reply or the error of the daemon`() async throws {
        let daemon = try StubDaemon(at: path, state: .number(3))
        let service = service()
        #expect(try await service.state() == .number(3))
        let info = try await service.call("org.varlink.service.GetInfo")
        #expect(info["vendor"] == "orientationd")
        await #expect(throws: OrientationServiceError.sensorUnavailable(reason: "none was found")) {
            try await service.sensors()
        }
        await #expect(throws: OrientationServiceError.refused(.methodNotFound("org.orientationd.Orientation.Turn"))) {
            try await service.call("org.orientationd.Orientation.Turn")
        }
        while daemon.peerCount > 0 { await Task.yield() }
    }

    @Test func `PermissionDenied is an error with the required permission`() async throws {
        let server = try PollServer(at: path, interfaces: [ControlInterface.description]) { _ in
            [EncodedMessage(error: .permissionDenied(ControlInterface.name, needs: "root"))]
        }
        let refusal = OrientationServiceError.permissionDenied(needs: "root")
        await #expect(throws: refusal) {
            try await service().call(ControlInterface.status)
        }
        #expect(refusal.description == "orientationd: permission denied: requires root")
        #expect(OrientationServiceError(ErrorReply.permissionDenied) == .refused(.permissionDenied))
        server.stop()
    }

    @Test func `a reply of another type is an error with the path`() async throws {
        let server = try PollServer.orientation(at: path) { _ in [EncodedMessage(reply: ["state": 7])] }
        await #expect(
            throws: OrientationServiceError.notUnderstood(reason: "state: expected an object, found an integer")
        ) {
            try await service().state()
        }
        server.stop()
    }

    @Test func `a call without a reply times out`() async throws {
        let listener = try ListeningSocket.bind(to: path, mode: 0o600)
        let service = service(timeout: .milliseconds(50))
        let timedOut = OrientationServiceError.timedOut(after: .milliseconds(50))
        await #expect(throws: timedOut) { try await service.state() }
        await #expect(throws: timedOut) { try await service.call(ControlInterface.status) }
        #expect(timedOut.description == "orientationd: timed out: no reply within 0.05 s")
        withExtendedLifetime(listener) {}
    }

    @Test func `a cancelled call ends`() async throws {
        let listener = try ListeningSocket.bind(to: path, mode: 0o600)
        let service = service()
        let task = Task { try await service.state() }
        try await accept(listener)
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
    }

    @Test func `replies returns each reply, then the error or the end`() async throws {
        let daemon = try StubDaemon(at: path, state: .number(1))
        let service = service()
        var replies = service.replies(to: OrientationInterface.monitor).makeAsyncIterator()
        #expect(try await replies.next() == ["state": .object(OrientationState.number(1).json)])
        daemon.publish(.number(2))
        #expect(try await replies.next() == ["state": .object(OrientationState.number(2).json)])
        daemon.disconnectAll()
        await #expect(throws: OrientationServiceError.notConnected(reason: "connection closed by the service")) {
            try await replies.next()
        }
        #expect(try await replies.next() == nil)

        var single = service.replies(to: OrientationInterface.listSensors).makeAsyncIterator()
        await #expect(throws: OrientationServiceError.sensorUnavailable(reason: "none was found")) {
            try await single.next()
        }
        #expect(try await single.next() == nil)
    }

    @Test func `replies are read only as they are taken`() async throws {
        let description = InterfaceDescription("interface a.b\nmethod Count() -> (n: int)")
        let server = try PollServer(at: path, interfaces: [description]) { _ in
            (1...1000).map { EncodedMessage(reply: ["n": .integer($0)], continues: $0 < 1000) }
        }
        var count: Int64 = 0
        for try await reply in service().replies(to: "a.b.Count") {
            count += 1
            #expect(reply == ["n": .integer(count)])
        }
        #expect(count == 1000)
        server.stop()
    }
}
