// SPDX-License-Identifier: Apache-2.0

import Systemd
import Testing

@Suite struct EventQueueTests {
    @Test func `events are removed in their order, also those that are appended meanwhile`() {
        let queue = EventQueue<Int>()
        #expect(queue.isEmpty && queue.popFirst() == nil)
        for number in 1...3 { queue.append(number) }
        #expect(queue.popFirst() == 1)
        queue.append(4)
        #expect([queue.popFirst(), queue.popFirst(), queue.popFirst()] == [2, 3, 4])
        #expect(queue.isEmpty && queue.popFirst() == nil)
        queue.append(5)
        #expect(!queue.isEmpty && queue.popFirst() == 5)
    }
}
