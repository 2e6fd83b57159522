// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Testing

@testable import Sensing

@Suite struct NewestValueTests {
    @Test func `before the first write the initial value is read`() {
        #expect(NewestValue(7).read() == 7)
    }

    @Test func `the last of several values is read, any number of times`() {
        let newest = NewestValue(0)
        for value in 1...5 { newest.write(value) }
        #expect(newest.read() == 5)
        #expect(newest.read() == 5)
        newest.write(6)
        #expect(newest.read() == 6)
    }

    @Test func `another thread reads each value whole, and never an older one than before`() {
        struct Pair: Sendable {
            var first = 0
            var second = 0
        }
        let newest = NewestValue(Pair())
        let last = 200_000
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            if index == 0 {
                for value in 1...last { newest.write(Pair(first: value, second: -value)) }
            } else {
                var former = 0
                while former < last {
                    let pair = newest.read()
                    guard pair.first == -pair.second, pair.first >= former else {
                        Issue.record("\(pair) after \(former)")
                        return
                    }
                    former = pair.first
                }
            }
        }
        #expect(newest.read().first == last)
    }
}
