// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import Sensors

/// The event queue, without a thread.
@Suite struct SensorExchangeTests {
    private let exchange: SensorExchange

    init() throws {
        exchange = try SensorExchange(name: "test", longestCall: 5)
    }

    private func post(_ light: Int) {
        exchange.post(.sensor(.light, run: light, .read(.light(Double(light), .lux))))
    }

    @Test func `a full queue drops the oldest event that a later one replaces, and keeps the only one of its kind`() {
        exchange.post(.sensor(.proximity, run: 0, .read(.proximity(isNear: true))))
        for value in 0..<100 { post(value) }
        let events = exchange.takeEvents(limit: 200).map(\.short)
        let kept = 100 - SensorExchange.capacity + 1..<100
        #expect(events == ["reading 1 0"] + kept.map { "reading \($0) \($0)" })
        #expect(exchange.droppedCount == Int64(101 - SensorExchange.capacity))
    }

    @Test func `a full queue keeps an event that no later one replaces`() {
        for run in 0...SensorExchange.capacity { exchange.post(.sensor(.light, run: run, .stopped)) }
        #expect(exchange.takeEvents(limit: 200).count == SensorExchange.capacity + 1)
        #expect(exchange.droppedCount == 0)
    }

    @Test func `a queued reading is replaced by a newer one of its kind only`() {
        let near = SensorEvent.sensor(.proximity, run: 1, .read(.proximity(isNear: true)))
        #expect(near.isReplaced(by: .sensor(.proximity, run: 2, .read(.proximity(isNear: false)))))
        #expect(!near.isReplaced(by: .sensor(.light, run: 2, .read(.light(1, .lux)))))
        #expect(!near.isReplaced(by: .sensor(.proximity, run: 1, .failed(sensor: "a", .failed("over")))))
    }
}
