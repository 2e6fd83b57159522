// SPDX-License-Identifier: Apache-2.0

import Glibc
import TestServer
import TestSupport
import Testing
import Varlink

/// Hostile clients of a service on a real socket, which must still serve other clients.
@Suite(.timeLimit(.minutes(10))) struct MisbehavingClientTests {
    private let directory: TemporaryDirectory
    private let server: PollServer

    init() throws {
        directory = try TemporaryDirectory()
        let interface = try InterfaceDescription(
            parsing: "interface a.b\nmethod Ping(n: int) -> (n: int)\nmethod Watch() -> (text: string)")
        let service = Service(
            Service.Identity(vendor: "V", product: "", version: "", url: ""), interfaces: [interface])
        server = try PollServer(at: directory.socket, service: service) { call in
            call.member == "Ping"
                ? [EncodedMessage(reply: call.parameters)] : [EncodedMessage(reply: ["text": ""], continues: true)]
        }
    }

    private func stillServes() throws {
        var client = try BlockingClient(to: directory.socket)
        #expect(try client.call(Call("a.b.Ping", ["n": 7])) == [["n": 7]])
    }

    /// Sends bytes, closes the sending side, and returns all replies until the service closes.
    private func answer(to bytes: [UInt8], each size: Int = .max) throws -> String {
        let socket = try StreamSocket.connect(to: directory.socket)
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(size))
            let count = try part.withUnsafeBytes { try socket.send($0) }
            rest = rest.dropFirst(count)
            if count == 0 { try wait(socket, for: POLLOUT) }
        }
        socket.shutdownSending()
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            switch try buffer.withUnsafeMutableBytes({ try socket.receive(into: $0) }) {
            case .bytes(let count): answer += buffer[..<count]
            case .nothing: try wait(socket, for: POLLIN)
            case .end: return String(decoding: answer.map { $0 == 0 ? UInt8(ascii: "|") : $0 }, as: UTF8.self)
            }
        }
    }

    private func wait(_ socket: borrowing StreamSocket, for events: Int32) throws {
        var descriptor = pollfd(fd: socket.descriptor, events: Int16(events), revents: 0)
        try #require(poll(&descriptor, 1, 60_000) == 1)
    }

    @Test func `calls sent byte by byte by a peer that closes its sending side are answered`() throws {
        let calls = wire(#"{"method":"a.b.Ping","parameters":{"n":1}}|{"method":"a.b.Ping","parameters":{"n":2}}|"#)
        #expect(try answer(to: calls, each: 1) == #"{"parameters":{"n":1}}|{"parameters":{"n":2}}|"#)
        try stillServes()
    }

    enum InvalidMessage: String, CaseIterable {
        case nuls, words, brackets, truncated, notUTF8

        var bytes: [UInt8] {
            switch self {
            case .nuls: [UInt8](repeating: 0, count: 50_000)
            case .words: wire("nonsense|")
            case .brackets: [UInt8](repeating: UInt8(ascii: "["), count: 70_000)
            case .truncated: wire(#"{"method":"a.b.Pi"#)
            case .notUTF8: [0xFF, 0xFE, 0]
            }
        }
    }

    @Test(arguments: InvalidMessage.allCases)
    func `an invalid message ends its connection only, without a reply`(message: InvalidMessage) throws {
        do {
            #expect(try answer(to: message.bytes) == "")
        } catch SocketError.peerGone {
            // The service closed before it had read everything.
        }
        try stillServes()
    }

    @Test func `pipelined calls are answered in order`() throws {
        let calls = (1...500).map { #"{"method":"a.b.Ping","parameters":{"n":\#($0)}}|"# }.joined()
        let answers = (1...500).map { #"{"parameters":{"n":\#($0)}}|"# }.joined()
        #expect(try answer(to: wire(calls)) == answers)
    }

    @Test func `the service works after thousands of short connections`() throws {
        let call = wire(#"{"method":"a.b.Watch","more":true}|"#)
        for round in 0..<2000 {
            do {
                let socket = try StreamSocket.connect(to: directory.socket)
                _ = try call[..<(round % (call.count + 1))].withUnsafeBytes { try socket.send($0) }
            } catch {
                // Not a pattern of `catch`, which crashes Swift 6.2 here.
                guard case .busy = error as? SocketError else { throw error }
                awaitAccepted()
            }
        }
        // The last connections may fill the backlog.
        awaitAccepted()
        try stillServes()
        while server.peerCount > 0 {}
    }

    /// Returns after the service has accepted all waiting connections.
    private func awaitAccepted() {
        _ = server.peerCount
    }

    @Test func `a subscriber that does not read delays no other client`() throws {
        let stalled = try StreamSocket.connect(to: directory.socket)
        _ = try wire(#"{"method":"a.b.Watch","more":true}|"#).withUnsafeBytes { try stalled.send($0) }
        var other = try BlockingClient(to: directory.socket)
        let message = EncodedMessage(reply: ["text": .string(String(repeating: "x", count: 50_000))], continues: true)
        for round in 0..<50 {
            server.broadcast(message)
            #expect(try other.call(Call("a.b.Ping", ["n": .integer(Int64(round))])) == [["n": .integer(Int64(round))]])
        }
        #expect(stalled.descriptor >= 0)
    }
}
