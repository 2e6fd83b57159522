// SPDX-License-Identifier: Apache-2.0

import Dispatch
import TestServer
import Testing
import Varlink

@testable import VarlinkServer

/// A client on the thread of the clients.
private nonisolated final class Subscriber {
    private var client: RawClient

    /// Connects and subscribes.
    init(to path: String) throws {
        client = try RawClient(to: path)
        try client.send(#"{"method":"a.b.Watch","more":true}|"#)
        _ = try client.message()
    }

    /// Returns the numbers of the changes up to this one.
    func numbers(upTo last: Int) throws -> [Int] {
        var found: [Int] = []
        while found.last != last, let message = try client.message() {
            found.append(Int(message.prefix { $0 != "," }.filter(\.isNumber)) ?? -1)
        }
        return found
    }
}

/// Changes for many subscribers: some read them, others do not, or have left.
@Suite(.timeLimit(.minutes(10))) struct BroadcastTests {
    private nonisolated static let subscribers = 20

    /// Answers `Watch`, sends a change for each `Change` to all subscribers, and the newest one to those that missed it. The
    /// first change waits for `hasLeft`.
    private func makeBench(_ hasLeft: DispatchSemaphore) throws -> TableBench {
        let bench = try TableBench()
        var clients: [ClientID] = []
        var number = 0
        // A full socket has room for few of them.
        let text = String(repeating: "x", count: 30_000)
        func newest() -> EncodedMessage {
            EncodedMessage(reply: ["n": .integer(Int64(number)), "text": .string(text)], continues: true)
        }
        bench.answer = { call, client in
            guard call.member == "Watch" else {
                number += 1
                if number == 1 { hasLeft.wait() }
                return [
                    .broadcast(newest(), sequence: number, to: clients),
                    .reply(client, EncodedMessage(reply: [:])),
                ]
            }
            clients.append(client)
            return [.reply(client, EncodedMessage(reply: [:], continues: true))]
        }
        bench.answerCaughtUp = { client, sequence in
            sequence == number ? [] : [.reply(client, newest(), sequence: number)]
        }
        return bench
    }

    @Test func `a subscriber that does not read, and one that has left, do not affect the others`() throws {
        let hasLeft = DispatchSemaphore(value: 0)
        let bench = try makeBench(hasLeft)
        let changes = 40
        let found = try bench.serve { path -> (readers: [[Int]], late: [Int]) in
            let readers = try (0..<Self.subscribers).map { _ in try Subscriber(to: path) }
            let late = try Subscriber(to: path)
            var control = try RawClient(to: path)
            // It leaves just before the first change is sent, so that its socket fails.
            var leaving: Subscriber? = try Subscriber(to: path)
            var numbers = readers.map { _ in [Int]() }
            for change in 1...changes {
                try control.send(#"{"method":"a.b.Change"}|"#)
                withExtendedLifetime(leaving) {}
                leaving = nil
                if change == 1 { hasLeft.signal() }
                for (index, reader) in readers.enumerated() { numbers[index] += try reader.numbers(upTo: change) }
                _ = try control.message()
            }
            return (numbers, try late.numbers(upTo: changes))
        }
        #expect(found.readers.allSatisfy { $0 == Array(1...changes) })
        // It received those for which its socket had room, and the newest one.
        #expect(found.late == Array(1..<found.late.count) + [changes])
        #expect((3..<changes).contains(found.late.count))
        #expect(bench.late.count == 1)
        #expect(bench.departures >= 1)
    }
}
