// SPDX-License-Identifier: Apache-2.0

import Testing
import VarlinkServer

@testable import OrientationDaemon

@Suite struct ListingQueueTests {
    private var queue = ListingQueue<String>()

    @Test mutating func `the first call starts a scan at once, and is answered when it ends`() {
        #expect(queue.add("a", id: 1, at: 10) == .scan)
        let (answered, next) = queue.finish(at: 10.2)
        #expect(answered == ["a"])
        #expect(next == .nothing)
    }

    @Test mutating func `calls during a scan share the next one, a second after the first`() {
        _ = queue.add("a", id: 1, at: 10)
        #expect(queue.add("b", id: 2, at: 10.125) == .nothing)
        #expect(queue.add("c", id: 3, at: 10.25) == .nothing)
        var (answered, next) = queue.finish(at: 10.5)
        #expect(answered == ["a"])
        #expect(next == .wait(0.5))
        #expect(queue.add("d", id: 4, at: 10.75) == .nothing)
        #expect(queue.timerFired(at: 11) == .scan)
        (answered, next) = queue.finish(at: 11.25)
        #expect(answered == ["b", "c", "d"])
        #expect(next == .nothing)
    }

    @Test mutating func `a flood of calls causes one scan per second`() {
        var scans = 0
        var due: Double?
        for number in 0..<100_000 {
            let now = 10 + Double(number) / 10_000
            var steps = [queue.add("x", id: number, at: now)]
            if let time = due, now >= time {
                due = nil
                steps.append(queue.timerFired(at: now))
            }
            while let step = steps.popLast() {
                switch step {
                case .scan:
                    scans += 1
                    steps.append(queue.finish(at: now).next)
                case .wait(let seconds): due = now + seconds
                case .nothing: break
                }
            }
        }
        #expect((9...10).contains(scans))
    }

    @Test mutating func `a client that has left is not answered, and a timer without clients starts no scan`() {
        _ = queue.add("a", id: 1, at: 10)
        _ = queue.add("b", id: 2, at: 10.5)
        queue.remove(1)
        #expect(queue.finish(at: 10.5).answered == [])
        queue.remove(2)
        #expect(queue.timerFired(at: 11) == .nothing)
        #expect(queue.add("c", id: 3, at: 12) == .scan)
    }

    @Test mutating func `a timer that fires early is set again`() {
        _ = queue.add("a", id: 1, at: 10)
        _ = queue.finish(at: 10)
        #expect(queue.add("b", id: 2, at: 10.25) == .wait(0.75))
        #expect(queue.timerFired(at: 10.75) == .wait(0.25))
        #expect(queue.timerFired(at: 11) == .scan)
    }
}
