// SPDX-License-Identifier: Apache-2.0

import TestServer
import Testing
import Varlink

@testable import VarlinkServer

private nonisolated final class Box {
    private let client: RawClient
    init(_ client: consuming RawClient) { self.client = client }
}

/// What clients can make the daemon hold, and that each limit is reached.
@Suite(.timeLimit(.minutes(10))) struct ClientTableTests {
    private nonisolated static let ping = #"{"method":"a.b.Ping","parameters":{"n":1}}|"#
    private nonisolated static let pong = #"{"parameters":{"n":1}}"#

    @Test func `a client above a limit receives its name, and a client that leaves makes room`() throws {
        let bench = try TableBench { $0.connections = 2 }
        let found = try bench.serve { path -> [String?] in
            var one = try RawClient(to: path)
            try one.send(Self.ping)
            var found = [try one.message()]
            do {
                var two = try RawClient(to: path)
                try two.send(Self.ping)
                found.append(try two.message())
                var three = try RawClient(to: path)
                found += [try three.message(), try three.message()]
            }
            // The second is disconnected in the end.
            while true {
                var next = try RawClient(to: path)
                try? next.send(Self.ping)
                let answer = try next.message()
                guard answer != Self.pong else { return found + [answer] }
            }
        }
        let refusal =
            #"{"error":"a.b.LimitReached","parameters":{"limit":"connections","maximum":2}}"#
        #expect(found == [Self.pong, Self.pong, refusal, nil, Self.pong])
    }

    @Test func `an ended connection counts until its client has read the replies`() throws {
        let bench = try TableBench { $0.connections = 2 }
        let text = String(repeating: "x", count: 4_000)
        bench.answer = { [.reply($1, EncodedMessage(reply: ["text": .string($0.member == "Fill" ? text : "")]))] }
        let found = try bench.serve { path -> [String?] in
            // The last message is no call, and ends the connection.
            var ended = try RawClient(to: path)
            try ended.send(#"{"method":"a.b.Fill"}|{"method":"a.b.Fill"}|[]|"#)
            try ended.waitForHangUp()
            var second = try RawClient(to: path)
            try second.send(Self.ping)
            var found = [try second.message()]
            var third = try RawClient(to: path)
            found.append(try third.message().map { String($0.prefix(50)) })
            for _ in 0..<2 { found.append(try ended.message().map { String($0.suffix(5)) }) }
            found.append(try ended.message())
            while true {
                var next = try RawClient(to: path)
                try? next.send(Self.ping)
                let answer = try next.message()
                if answer == found[0] { return found }
            }
        }
        let answer = #"{"parameters":{"text":""}}"#
        #expect(
            found == [
                answer, #"{"error":"a.b.LimitReached","parameters":{"limit":"#, #"xx"}}"#, #"xx"}}"#, nil,
            ])
    }

    @Test func `a refused client that writes before it reads gets the refusal`() throws {
        let bench = try TableBench { $0.connections = 1 }
        let found = try bench.serve { path -> String? in
            var first = try RawClient(to: path)
            try first.send(Self.ping)
            _ = try first.message()
            var refused = try RawClient(to: path)
            try refused.waitForData()
            try refused.send(Self.ping)
            return try refused.message()
        }
        #expect(found?.contains("LimitReached") == true)
    }

    @Test func `beyond the limit of unread refusals clients are refused without a message`() throws {
        let bench = try TableBench { $0.connections = 1 }
        let found = try bench.serve { path -> [Bool] in
            var first = try RawClient(to: path)
            try first.send(Self.ping)
            _ = try first.message()
            do {
                var unread: [Box] = []
                for _ in 0..<ConnectionLimiter.refusalsPerUser {
                    let client = try RawClient(to: path)
                    try client.waitForData()
                    unread.append(Box(client))
                }
                var silent = try RawClient(to: path)
                guard try silent.message() == nil else { return [] }
            }
            // They have disconnected: there is room, sooner or later.
            while true {
                var next = try RawClient(to: path)
                if let message = try next.message() { return [message.contains("LimitReached")] }
            }
        }
        #expect(found == [true])
    }

    @Test func `while calls wait no more is read, and each has its answer in the end`() throws {
        let bench = try TableBench { $0.waitingCalls = 4 }
        var waiting: ClientID?
        bench.answer = { call, client in
            switch call.member {
            case "Wait":
                waiting = client
                return []
            case "Go":
                guard let first = waiting else { return [] }
                return [
                    .reply(client, EncodedMessage(reply: [:])), .reply(first, EncodedMessage(reply: ["n": 0])),
                ]
            default: return [.reply(client, EncodedMessage(reply: call.parameters))]
            }
        }
        let found = try bench.serve { path -> (Int, Int) in
            var client = try RawClient(to: path)
            try client.send(#"{"method":"a.b.Wait"}|"#)
            let taken = try client.flood(Self.ping, most: 10_000_000)
            var other = try RawClient(to: path)
            try other.send(#"{"method":"a.b.Go"}|"#)
            _ = try other.message()
            client.socket.shutdownSending()
            var answers = 0
            while try client.message() != nil { answers += 1 }
            return (taken, answers)
        }
        #expect(found.0 < 1_000_000)
        #expect(found.1 == 1 + found.0 / Self.ping.utf8.count)
    }

    @Test func `a client that does not read its replies is not read until it does`() throws {
        let bench = try TableBench { $0.unsentBytes = 10_000 }
        let found = try bench.serve { path -> (Int, Int) in
            var client = try RawClient(to: path)
            let taken = try client.flood(Self.ping, most: 100_000_000)
            client.socket.shutdownSending()
            var answers = 0
            while try client.message() != nil { answers += 1 }
            return (taken, answers)
        }
        #expect(found.0 < 10_000_000)
        #expect(found.1 == found.0 / Self.ping.utf8.count)
    }

    @Test func `pipelined calls with long replies are all answered without further input`() throws {
        let bench = try TableBench()
        let text = String(repeating: "x", count: 4_000)
        bench.answer = { [.reply($1, EncodedMessage(reply: ["text": .string(text)]))] }
        let answers = try bench.serve { path -> Int in
            var client = try RawClient(to: path)
            try client.send(String(repeating: Self.ping, count: 1_000))
            for _ in 0..<1_000 where try client.message() == nil { return -1 }
            return 1_000
        }
        #expect(answers == 1_000)
    }

    @Test func `a client that reads nothing for too long is disconnected, and others are not`() throws {
        let bench = try TableBench { $0.stallTimeout = 0.05 }
        let text = String(repeating: "x", count: 60_000)
        bench.answer = {
            [.reply($1, EncodedMessage(reply: $0.member == "Fill" ? ["text": .string(text)] : [:]))]
        }
        let found = try bench.serve { path -> [Bool] in
            var idle = try RawClient(to: path)
            try idle.send(Self.ping)
            _ = try idle.message()
            var stalled = try RawClient(to: path)
            try stalled.send(String(repeating: #"{"method":"a.b.Fill"}|"#, count: 16))
            try stalled.waitForHangUp()
            var answers = 0
            while try stalled.message() != nil { answers += 1 }
            try idle.send(Self.ping)
            return [answers < 16, try idle.message() != nil]
        }
        #expect(found == [true, true])
        #expect(bench.departures >= 1)
    }

    @Test func `a client that closes with calls in its socket leaves after its calls, and once`() throws {
        let bench = try TableBench()
        var lists = 0
        bench.answer = { call, client in
            if call.member == "List" { lists += 1 }
            return [.reply(client, EncodedMessage(reply: [:], continues: call.mode == .more))]
        }
        try bench.serve { path in
            for _ in 0..<20 {
                let client = try RawClient(to: path)
                try client.send(
                    #"{"method":"a.b.List","oneway":true}|"# + String(repeating: Self.ping, count: 14)
                        + #"{"method":"a.b.Monitor","more":true}|"#)
            }
            // Accepted after all of them, and served after they have left.
            var last = try RawClient(to: path)
            for _ in 0..<2 {
                try last.send(Self.ping)
                _ = try last.message()
            }
        }
        #expect(lists == 20)
        #expect(bench.departures == 20 || bench.departures == 21)
    }

    @Test func `a reply to a client that has left is dropped`() throws {
        let bench = try TableBench()
        var left: ClientID?
        bench.answer = { call, client in
            guard call.member == "Again" else {
                left = client
                return [.reply(client, EncodedMessage(reply: [:]))]
            }
            let stale = left.map { [Effect.reply($0, EncodedMessage(reply: ["stale": true]))] } ?? []
            return stale + [.reply(client, EncodedMessage(reply: call.parameters))]
        }
        let found = try bench.serve { path -> String? in
            do {
                var first = try RawClient(to: path)
                try first.send(Self.ping)
                _ = try first.message()
            }
            var second = try RawClient(to: path)
            try second.send(#"{"method":"a.b.Again","parameters":{"n":1}}|"#)
            return try second.message()
        }
        #expect(found == Self.pong)
    }
}
