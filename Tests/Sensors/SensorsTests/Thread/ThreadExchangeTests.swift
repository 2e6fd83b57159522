// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Sensors

/// The event queue, without a thread.
@Suite struct ThreadExchangeTests {
    private typealias Exchange = ThreadExchange<NoCommand, Reading>

    private let exchange: Exchange

    init() throws {
        exchange = try Exchange(name: "test", longestCall: 5)
    }

    @Test func `a full queue drops the oldest event that a later one replaces, and keeps the only one of its kind`() {
        exchange.post(Reading(kind: "proximity", value: 1))
        for value in 0..<100 { exchange.post(Reading(kind: "light", value: value)) }
        let events = exchange.takeEvents(limit: 200)
        #expect(events.count == Exchange.capacity)
        #expect(events.first == Reading(kind: "proximity", value: 1))
        #expect(events.dropFirst().map(\.value) == Array(100 - Exchange.capacity + 1..<100))
        #expect(exchange.droppedCount == Int64(101 - Exchange.capacity))
    }

    @Test func `a full queue keeps an event that no later one replaces`() {
        for value in 0..<Exchange.capacity { exchange.post(Reading(kind: "\(value)", value: value)) }
        exchange.post(Reading(kind: "last", value: 0))
        #expect(exchange.takeEvents(limit: 200).count == Exchange.capacity + 1)
        #expect(exchange.droppedCount == 0)
    }
}

private struct Reading: ThreadEvent, Equatable {
    let kind: String
    let value: Int

    func isReplaced(by newer: Reading) -> Bool { kind == newer.kind }
}

private struct NoCommand: ThreadCommand {
    func isReplaced(by newer: NoCommand) -> Bool { true }
}
