// SPDX-License-Identifier: Apache-2.0

import SeededRandomness
import Testing

@testable import Systemd

@Suite struct EventQueueTests {
    @Test func `events appended and removed in any mixture keep their order`() {
        let queue = EventQueue<Int>()
        var expected: [Int] = []
        var generator = SeededGenerator(seed: 3)
        for number in 0..<1000 {
            if Bool.random(using: &generator) {
                queue.append(number)
                expected.append(number)
            } else {
                #expect(queue.popFirst() == (expected.isEmpty ? nil : expected.removeFirst()))
            }
            #expect(queue.isEmpty == expected.isEmpty)
        }
    }

    @Test func `a removed event is not kept`() {
        final class Content {}
        let queue = EventQueue<Content>()
        weak var content: Content?
        do {
            let new = Content()
            content = new
            queue.append(new)
            queue.append(Content())
        }
        #expect(content != nil)
        _ = queue.popFirst()
        #expect(content == nil && !queue.isEmpty)
    }
}
