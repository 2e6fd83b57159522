// SPDX-License-Identifier: Apache-2.0

import Posix
import Testing

@Suite struct ExponentialBackoffTests {
    @Test func `delays double up to the maximum and start over after a reset`() {
        var backoff = ExponentialBackoff(initial: 0.25, maximum: 1.5)
        #expect((0..<5).map { _ in backoff.next() } == [0.25, 0.5, 1, 1.5, 1.5])
        backoff.reset()
        #expect(backoff.next() == 0.25)
    }

    @Test func `a changed maximum applies to the next delay`() {
        var backoff = ExponentialBackoff(initial: 1, maximum: 1)
        #expect((0..<2).map { _ in backoff.next() } == [1, 1])
        backoff.maximum = 3
        #expect((0..<3).map { _ in backoff.next() } == [2, 3, 3])
        backoff.maximum = 2
        #expect(backoff.next() == 2)
    }
}
