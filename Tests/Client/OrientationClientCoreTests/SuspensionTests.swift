// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestServer
import TestSupport
import Testing

@testable import OrientationClientCore

@Suite(.timeLimit(.minutes(10))) struct SuspensionTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func isReadable(_ connection: OrientationConnection, within milliseconds: Int32 = 0) -> Bool {
        var descriptor = pollfd(fd: connection.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, milliseconds) == 1
    }

    private func next(_ connection: OrientationConnection) throws -> [OrientationUpdate] {
        while isReadable(connection, within: Int32(stepTimeout * 1_000)) {
            let updates = try connection.process()
            if !updates.isEmpty { return updates }
        }
        throw TestFailure("no update in time")
    }

    @Test func `a suspended connection is closed and not readable, and returns the current state when it is resumed`()
        throws
    {
        let daemon = try StubDaemon(at: directory.socket, state: .number(1))
        let connection = try OrientationConnection(socketPath: directory.socket)
        let descriptor = connection.fileDescriptor
        for _ in 0..<3 {
            #expect(try next(connection) == [.state(.number(1))])
            connection.suspend()
            connection.suspend()
            #expect(connection.isSuspended && !isReadable(connection) && !connection.isTimerSet)
            #expect(try connection.process().isEmpty)
            #expect(eventually { daemon.peerCount == 0 })
            connection.resume()
            connection.resume()
        }
        #expect(!connection.isSuspended && connection.fileDescriptor == descriptor)
    }

    @Test func `a suspended connection does not reconnect`() throws {
        let connection = try OrientationConnection(socketPath: directory.socket)
        #expect(try connection.process().count == 1 && connection.isTimerSet)
        connection.suspend()
        #expect(!connection.isTimerSet && !isReadable(connection))
    }

    @Test func `a connection that an error has ended tries again when it is resumed`() throws {
        let connection = try OrientationConnection(socketPath: "/" + String(repeating: "x", count: 200))
        #expect(throws: OrientationServiceError.self) { try connection.process() }
        #expect(try connection.process().isEmpty)
        connection.resume()
        #expect(throws: OrientationServiceError.self) { try connection.process() }
    }

    @Test func `a wake-up makes the descriptor readable once, also while suspended`() throws {
        let connection = try OrientationConnection(socketPath: directory.socket)
        connection.suspend()
        connection.wakeUp(after: 0)
        #expect(isReadable(connection, within: 60_000))
        #expect(try connection.process().isEmpty)
        #expect(!isReadable(connection))
        connection.wakeUp(after: 1_000)
        connection.wakeUp(after: nil)
        #expect(!isReadable(connection))
    }
}
