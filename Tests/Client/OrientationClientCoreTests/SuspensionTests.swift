// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestServer
import TestSupport
import Testing
import Varlink

@testable import OrientationClientCore

@Suite(.timeLimit(.minutes(10))) struct SuspensionTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    @Test func `a connection that an error has ended tries again when it is resumed`() throws {
        let server = try PollServer.orientation(at: directory.socket) { _ in [EncodedMessage(error: .permissionDenied)]
        }
        defer { server.stop() }
        let connection = try OrientationConnection(.daemon(socketPath: directory.socket))
        #expect(connection.fails() == .refused(.permissionDenied))
        #expect(try connection.process().isEmpty)
        connection.resume()
        #expect(connection.fails() == .refused(.permissionDenied))
    }

    @Test func `a wake-up makes the descriptor readable once, also while suspended`() throws {
        let connection = try OrientationConnection(.daemon(socketPath: directory.socket))
        connection.suspend()
        connection.wakeUp(after: 0)
        #expect(isReadable(connection.fileDescriptor, within: 60_000))
        #expect(try connection.process().isEmpty)
        #expect(!isReadable(connection.fileDescriptor))
        connection.wakeUp(after: 1_000)
        connection.wakeUp(after: nil)
        #expect(!isReadable(connection.fileDescriptor))
    }
}
