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

    @Test func `the rest of a reply written in part arrives before the next one`() throws {
        let sockets = try StreamSocket.pair()
        var server = ServerConnection()
        server.receive(#"{"method":"a.Watch","more":true}|"#)
        _ = server.nextCall()
        let long = EncodedMessage(reply: ["text": .string(String(repeating: "x", count: 60_000))], continues: true)
        var sent = 0
        while server.isCaughtUp {
            try server.send(long)
            try server.write(to: sockets.other)
            sent += 1
        }
        // The last one was written in part; the next one is queued behind it.
        try server.send(EncodedMessage(reply: ["n": 1]))
        sent += 1
        var client = ClientConnection()
        try client.call(Call("a.Watch", mode: .more))
        var received: [JSONObject] = []
        while received.count < sent {
            _ = try read { try client.read(from: sockets.one, using: $0) }
            while let reply = try client.nextReply() { received.append(try reply.result.get()) }
            try server.write(to: sockets.other)
        }
        #expect(received.last == ["n": 1])
        #expect(received.dropLast().allSatisfy { $0["text"] != nil })
    }

    private func read(_ step: (UnsafeMutableRawBufferPointer) throws -> Bool) rethrows -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4096)
        return try buffer.withUnsafeMutableBytes { try step($0) }
    }
}
