// SPDX-License-Identifier: Apache-2.0

import Testing
import Varlink

@Suite struct SocketExchangeTests {
    @Test func `a call and its reply cross a socket`() throws {
        let sockets = try StreamSocket.pair()
        var client = ClientConnection()
        var server = ServerConnection()
        try client.call(Call("a.B", ["n": 1]))
        try client.write(to: sockets.one)
        #expect(try read { try server.read(from: sockets.other, using: $0) })
        #expect(try !read { try server.read(from: sockets.other, using: $0) })
        #expect(server.nextCall() == Call("a.B", ["n": 1]))
        try server.reply(["n": 2])
        try server.write(to: sockets.other)
        #expect(server.isCaughtUp)
        #expect(try read { try client.read(from: sockets.one, using: $0) })
        #expect(try client.nextReply()?.result == .success(["n": 2]))
        sockets.one.shutdownSending()
        #expect(try read { try server.read(from: sockets.other, using: $0) })
        #expect(server.ending == .finished)
    }

    @Test func `a peer that does not read leaves the rest unsent, and gets it when it does`() throws {
        let sockets = try StreamSocket.pair()
        var server = ServerConnection()
        server.receive(#"{"method":"a.Watch","more":true}|"#)
        _ = server.nextCall()
        let message = EncodedMessage(reply: ["text": .string(String(repeating: "x", count: 10_000))], continues: true)
        var sent = 0
        while server.isCaughtUp {
            try server.send(message)
            try server.write(to: sockets.other)
            sent += 1
        }
        var client = ClientConnection()
        try client.call(Call("a.Watch", mode: .more))
        var received = 0
        while received < sent {
            _ = try read { try client.read(from: sockets.one, using: $0) }
            while try client.nextReply() != nil { received += 1 }
            try server.write(to: sockets.other)
        }
        #expect(server.isCaughtUp)
    }

    @Test func `a connection that reads no more leaves the socket alone`() throws {
        let sockets = try StreamSocket.pair()
        _ = try [1].withUnsafeBytes { try sockets.one.send($0) }
        var server = ServerConnection()
        server.receiveEnd()
        #expect(server.readCapacity == 0)
        #expect(try !read { try server.read(from: sockets.other, using: $0) })
    }

    private func read(_ step: (UnsafeMutableRawBufferPointer) throws -> Bool) rethrows -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        return try buffer.withUnsafeMutableBytes { try step($0) }
    }
}
