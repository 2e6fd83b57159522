// SPDX-License-Identifier: Apache-2.0

import Glibc
package import Varlink

/// A client that waits for each reply.
package struct BlockingClient: ~Copyable {
    private let socket: StreamSocket
    private var connection: ClientConnection

    /// The socket was not ready within a minute.
    package struct Timeout: Error {}

    /// Connects.
    package init(to path: String) throws {
        // In this order: Swift 6.2 crashes on a field that is assigned before an error.
        socket = try StreamSocket.connect(to: path)
        connection = ClientConnection()
    }

    /// Sends a call and returns all of its replies; an empty array for a oneway call.
    package mutating func call(_ call: Call) throws -> [JSONObject] {
        try connection.call(call)
        try connection.write(to: socket)
        while connection.unsentBytes > 0 {
            try wait(for: POLLOUT)
            try connection.write(to: socket)
        }
        var replies: [JSONObject] = []
        while connection.pendingCalls > 0 {
            while let reply = try connection.nextReply() { replies.append(try reply.result.get()) }
            guard connection.pendingCalls > 0 else { break }
            try wait(for: POLLIN)
            try receive()
        }
        return replies
    }

    private mutating func receive() throws {
        var buffer = [UInt8](repeating: 0, count: 4096)
        _ = try buffer.withUnsafeMutableBytes { try connection.read(from: socket, using: $0) }
    }

    private func wait(for events: Int32) throws {
        var descriptor = pollfd(fd: socket.descriptor, events: Int16(events), revents: 0)
        guard poll(&descriptor, 1, 60_000) > 0 else { throw Timeout() }
    }
}
