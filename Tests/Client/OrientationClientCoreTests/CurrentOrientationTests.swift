// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import OrientationWire
import TestServer
import TestSupport
import Testing
import Varlink

@testable import OrientationClientCore

@Suite(.timeLimit(.minutes(10))) struct CurrentOrientationTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.socket }

    init() throws { directory = try TemporaryDirectory() }

    private func current(_ timeout: Duration = .seconds(60)) throws(OrientationServiceError) -> OrientationState {
        try OrientationConnection.current(socketPath: path, timeout: timeout)
    }

    @Test func `the current state is returned, and the connections are closed`() throws {
        let daemon = try StubDaemon(at: path, state: .number(3))
        #expect(try current() == .number(3))
        #expect(try current(.seconds(Int64.max)) == .number(3))
        #expect(eventually { daemon.peerCount == 0 })
    }

    @Test func `without a reading in time, the state without one is returned`() throws {
        let starting = OrientationState(lastEdge: .landscapeLeft, sequence: 4, instance: "one", reason: "starting")
        let server = try PollServer.orientation(at: path) { call in
            call.mode == .more ? [EncodedMessage(reply: starting, continues: true)] : []
        }
        defer { server.stop() }
        // Long enough for the reply of a local service.
        while true {
            do {
                #expect(try current(.milliseconds(50)) == starting)
                break
            } catch {
                // Not a pattern of `catch`, which crashes Swift 6.2 here.
                guard case OrientationServiceError.timedOut = error else { throw error }
            }
        }
    }

    @Test func `an absent daemon is an error`() {
        let reason = "cannot connect to \(path): no service is listening"
        #expect(throws: OrientationServiceError.notConnected(reason: reason)) { try current() }
    }

    @Test func `a refusing daemon is an error`() throws {
        let refusal = ErrorReply.permissionDenied("org.orientationd.Orientation", needs: "root")
        let server = try PollServer.orientation(at: path) { _ in [EncodedMessage(error: refusal)] }
        defer { server.stop() }
        #expect(throws: OrientationServiceError.permissionDenied(needs: "root")) { try current() }
    }

    @Test func `a daemon with an invalid reply is an error`() throws {
        let service = try HostileService(at: path, reply: ["state": 7])
        let mismatch = "state: expected an object, found an integer"
        #expect(throws: OrientationServiceError.notUnderstood(reason: mismatch)) { try current() }
        withExtendedLifetime(service) {}
    }

    @Test func `a hanging daemon is an error after the timeout`() throws {
        let listener = try RawService(at: path)
        let timedOut = OrientationServiceError.timedOut(after: .milliseconds(20))
        #expect(throws: timedOut) { try current(.milliseconds(20)) }
        #expect(throws: OrientationServiceError.timedOut(after: .zero)) { try current(.zero) }
        withExtendedLifetime(listener) {}
    }

    @Test func `a daemon with a full backlog is an error after the timeout`() throws {
        let listener = try RawService(at: path, backlog: 0)
        var others: [SocketOwner] = []
        while let socket = try? StreamSocket.connect(to: path) { others.append(SocketOwner(socket)) }
        let busy = "cannot connect to \(path): too many connections are waiting; try again"
        #expect(throws: OrientationServiceError.notConnected(reason: busy)) { try current(.milliseconds(20)) }
        withExtendedLifetime(others) {}
        withExtendedLifetime(listener) {}
    }
}
