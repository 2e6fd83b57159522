// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import Sensors

/// The event queue of a thread that does not run.
@Suite struct SensorQueueTests {
    private let thread: SensorThread

    init() throws {
        thread = try SensorThread(.ambient([]))
    }

    private func post(_ light: Int) {
        thread.post(.sensor(.light, run: light, .read(.light(Double(light), .lux))))
    }

    @Test func `a full queue drops the oldest event that a later one replaces, and keeps the only one of its kind`() {
        thread.post(.sensor(.proximity, run: 0, .read(.proximity(isNear: true))))
        for value in 0..<100 { post(value) }
        let events = thread.takeEvents(limit: 200).map(\.short)
        let kept = 100 - SensorThread.capacity + 1..<100
        #expect(events == ["reading 1 0"] + kept.map { "reading \($0) \($0)" })
        #expect(thread.droppedCount == Int64(101 - SensorThread.capacity))
    }

    @Test func `a full queue keeps an event that no later one replaces`() {
        for run in 0...SensorThread.capacity { thread.post(.sensor(.light, run: run, .stopped)) }
        #expect(thread.takeEvents(limit: 200).count == SensorThread.capacity + 1)
        #expect(thread.droppedCount == 0)
    }

    @Test func `a queued reading is replaced by a newer one of its kind only`() {
        let near = SensorEvent.sensor(.proximity, run: 1, .read(.proximity(isNear: true)))
        #expect(near.isReplaced(by: .sensor(.proximity, run: 2, .read(.proximity(isNear: false)))))
        #expect(!near.isReplaced(by: .sensor(.light, run: 2, .read(.light(1, .lux)))))
        #expect(!near.isReplaced(by: .sensor(.proximity, run: 1, .failed(sensor: "a", .failed("over")))))
    }
}
