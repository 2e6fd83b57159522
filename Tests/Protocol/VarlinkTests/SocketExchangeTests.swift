// SPDX-License-Identifier: Apache-2.0

import Testing
import Varlink

@Suite struct SocketExchangeTests {
    @Test func `a call and its reply cross a socket`() throws {
        let sockets = try SocketPair()
        var server = ServerConnection()
        _ = try wire(#"{"method":"a.B","parameters":{"n":1}}|"#).withUnsafeBytes { try sockets.one.send($0) }
        #expect(try read(&server, from: sockets.other))
        #expect(try !read(&server, from: sockets.other))
        #expect(server.nextCall() == Call("a.B", ["n": 1]))
        try server.reply(["n": 2])
        try server.write(to: sockets.other)
        #expect(server.isCaughtUp)
        #expect(try available(from: sockets.one) == wire(#"{"parameters":{"n":2}}|"#))
        sockets.one.shutdownSending()
        #expect(try read(&server, from: sockets.other))
        #expect(server.ending == .finished)
    }

    @Test func `the rest of a reply written in part arrives before the next one`() throws {
        let sockets = try SocketPair()
        var server = ServerConnection()
        server.receive(#"{"method":"a.Watch","more":true}|"#)
        _ = server.nextCall()
        let long = EncodedMessage(reply: ["text": .string(String(repeating: "x", count: 60_000))], continues: true)
        var sent: [UInt8] = []
        while server.isCaughtUp {
            try server.send(long)
            try server.write(to: sockets.other)
            sent += long.bytes
        }
        // The last one was written in part; the next one is queued behind it.
        let last = EncodedMessage(reply: ["n": 1])
        try server.send(last)
        sent += last.bytes
        var received: [UInt8] = []
        while received.count < sent.count {
            received += try available(from: sockets.one)
            try server.write(to: sockets.other)
        }
        #expect(received == sent)
    }

    private func read(_ server: inout ServerConnection, from socket: borrowing StreamSocket) throws -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        return try buffer.withUnsafeMutableBytes { try server.read(from: socket, using: $0) }
    }

    /// Reads the available bytes.
    private func available(from socket: borrowing StreamSocket) throws -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case .bytes(let count) = try buffer.withUnsafeMutableBytes({ try socket.receive(into: $0) }) {
            all += buffer[..<count]
        }
        return all
    }
}
