// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Varlink

/// A client that waits for each answer, for tests that talk to another process.
package struct BlockingClient: ~Copyable {
    private let socket: StreamSocket
    private var connection = ClientConnection()

    /// Nothing came for ten seconds.
    package struct Timeout: Error {}

    /// Connects.
    package init(to path: String) throws {
        socket = try StreamSocket.connect(to: path)
    }

    /// Calls, and waits for all replies; none to a oneway call.
    package mutating func call(_ call: Call) throws -> [JSONObject] {
        try connection.call(call)
        while connection.unsentBytes > 0 {
            let count = try connection.withUnsentBytes { try socket.send($0) }
            connection.didSend(count)
            if count == 0 { try wait(for: POLLOUT) }
        }
        var replies: [JSONObject] = []
        while connection.unansweredCalls > 0 {
            while let reply = try connection.nextReply() { replies.append(try reply.result.get()) }
            guard connection.unansweredCalls > 0 else { break }
            try wait(for: POLLIN)
            try receive()
        }
        return replies
    }

    private mutating func receive() throws {
        var buffer = [UInt8](repeating: 0, count: min(connection.readCapacity, 4096))
        switch try buffer.withUnsafeMutableBytes({ try socket.receive(into: $0) }) {
        case .bytes(let count): buffer[..<count].withUnsafeBytes { connection.receive($0) }
        case .end: connection.receiveEnd()
        case .nothing: break
        }
    }

    private func wait(for events: Int32) throws {
        var descriptor = pollfd(fd: socket.descriptor, events: Int16(events), revents: 0)
        guard poll(&descriptor, 1, 10_000) > 0 else { throw Timeout() }
    }
}
