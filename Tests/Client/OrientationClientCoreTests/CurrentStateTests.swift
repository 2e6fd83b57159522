// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrientationModel
import OrientationWire
import TestServer
import TestSupport
import Testing
import Varlink

@testable import OrientationClientCore

@Suite(.timeLimit(.minutes(10))) struct CurrentStateTests {
    private let directory: TemporaryDirectory
    private var path: String { directory.socket }

    init() throws { directory = try TemporaryDirectory() }

    private func current(_ timeout: Duration = .seconds(60)) throws -> OrientationState {
        let connection = try OrientationConnection(.daemon(socketPath: path))
        var wait = ReadingWait(timeout, forReading: timeout)
        while true {
            if let state = try connection.next(&wait) { return state }
            guard becomesReadable(connection.fileDescriptor) else { throw TestFailure("no state in time") }
        }
    }

    @Test func `the current state is returned, and the connection is closed`() throws {
        let daemon = try StubDaemon(at: path, state: .number(3))
        #expect(try OrientationConnection.current(socketPath: path, timeout: .seconds(60)) == .number(3))
        #expect(try OrientationConnection.current(socketPath: path, timeout: .seconds(Int64.max)) == .number(3))
        #expect(eventually { daemon.peerCount == 0 })
    }

    @Test func `the first reading of a sensor that starts is awaited, and its failure ends the wait`() throws {
        let starting = OrientationState(lastEdge: .landscapeLeft, sequence: 4, instance: "one", reason: "starting")
        var failed = OrientationState(sequence: 5, instance: "one", reason: "no sensor")
        failed.hasSensorFailed = true
        for following in [OrientationState.number(5), failed] {
            let daemon = try StubDaemon(at: path, state: starting, followedBy: following)
            #expect(try current() == following)
            withExtendedLifetime(daemon) {}
        }
    }

    @Test func `without a reading in time, the state without one is returned`() throws {
        let starting = OrientationState(lastEdge: .landscapeLeft, sequence: 4, instance: "one", reason: "starting")
        let daemon = try StubDaemon(at: path, state: starting)
        // Long enough for the reply of a local service.
        while true {
            do {
                #expect(try current(.milliseconds(50)) == starting)
                break
            } catch OrientationServiceError.timedOut {}
        }
        withExtendedLifetime(daemon) {}
    }

    @Test func `a hanging daemon is an error after the timeout`() throws {
        let listener = try RawService(at: path)
        let timedOut = OrientationServiceError.timedOut(after: .milliseconds(20))
        #expect(throws: timedOut) { try current(.milliseconds(20)) }
        #expect(throws: OrientationServiceError.timedOut(after: .zero)) { try current(.zero) }
        withExtendedLifetime(listener) {}
    }
}
