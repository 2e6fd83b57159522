// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import Posix
import Systemd
import Testing

@Suite(.timeLimit(.minutes(10))) struct DescriptorGroupTests {
    private let loop: EventLoop

    init() throws {
        loop = try EventLoop()
    }

    /// Runs a few more iterations of the loop, in which all that is ready would be handled.
    private func runTurns(_ count: Int = 3) throws {
        let signal = Signal()
        signal.raise()
        var left = count
        let source = try loop.watch(signal.descriptor, for: .read) { [loop] _ in
            left -= 1
            if left == 0 { loop.exit(status: 0) }
        }
        _ = try loop.run()
        withExtendedLifetime(source) {}
    }

    // Few, for the other tests of this process: Foundation starts no program with more than 1300 open descriptors.
    @Test(arguments: [1, 20, 32, 33, 150, 199])
    func `a source of the loop waits for one batch of many ready descriptors`(position: Int) throws {
        let ready = Signal()
        ready.raise()
        let copies = try ready.copies(200)
        let late = Signal()
        var handled = 0
        var waited: Int?
        let group = try DescriptorGroup(on: loop) { [loop] _, _ in
            handled += 1
            if handled == position { late.raise() }
            // Without a source there would be no end.
            if handled == 10_000 { loop.exit(status: 1) }
        }
        let source = try loop.watch(late.descriptor, for: .read) { [loop] _ in
            waited = handled - position
            loop.exit(status: 0)
        }
        for copy in copies { try group.add(copy.descriptor, for: .read, tag: 0) }
        #expect(try loop.run() == 0)
        #expect(try #require(waited) <= 64)
        withExtendedLifetime((source, group)) {}
    }

    @Test func `a timer that is started after a long wait is not early`() throws {
        let late = Signal()
        // The end of the wait: the handler may run later than the loop reads the clock.
        var ended = MonotonicClock.now()
        var waited = 0.0
        let timer = try loop.timer { [loop] in
            waited = MonotonicClock.now() - ended
            loop.exit(status: 0)
        }
        let group = try DescriptorGroup(on: loop) { _, _ in
            _ = read(late.descriptor, &ended, MemoryLayout<Double>.size)
            timer.fire(after: 0.1)
        }
        try group.add(late.descriptor, for: .read, tag: 0)
        let writing = late.writing
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.2) {
            var now = MonotonicClock.now()
            _ = write(writing, &now, MemoryLayout<Double>.size)
        }
        #expect(try loop.run() == 0)
        #expect(waited >= 0.099)
        withExtendedLifetime((group, late)) {}
    }

    @Test func `descriptors that stay ready are handled in turn`() throws {
        let ready = Signal()
        ready.raise()
        let copies = try ready.copies(200)
        var counts = Array(repeating: 0, count: copies.count)
        var handled = 0
        let group = try DescriptorGroup(on: loop) { [loop] tag, readiness in
            #expect(readiness == .read)
            counts[tag] += 1
            handled += 1
            if handled == 3 * copies.count { loop.exit(status: 0) }
        }
        for (tag, copy) in copies.enumerated() { try group.add(copy.descriptor, for: .read, tag: tag) }
        _ = try loop.run()
        // The last batch may go on beyond the last.
        #expect(counts.allSatisfy { $0 == 3 || $0 == 4 })
        withExtendedLifetime(group) {}
    }

    @Test func `a descriptor that is removed by an earlier event of its batch is not reported`() throws {
        let ready = Signal()
        ready.raise()
        var copies = try ready.copies(20)
        var reported: [Int] = []
        var group: DescriptorGroup?
        group = try DescriptorGroup(on: loop) { tag, _ in
            reported.append(tag)
            for copy in copies { group?.remove(copy.descriptor) }
            copies = []
        }
        for (tag, copy) in copies.enumerated() { try group?.add(copy.descriptor, for: .read, tag: tag) }
        try runTurns()
        #expect(reported.count == 1)
        group = nil
    }

    @Test func `a descriptor that has the number of a removed one in the same batch gets no event of that`() throws {
        let ready = Signal()
        ready.raise()
        let copies = try ready.copies(20)
        let idle = Signal()
        var reported: [Int] = []
        var group: DescriptorGroup?
        group = try DescriptorGroup(on: loop) { tag, _ in
            reported.append(tag)
            guard reported.count == 1 else { return }
            for (other, copy) in copies.enumerated() {
                group?.remove(copy.descriptor)
                #expect(dup2(idle.descriptor, copy.descriptor) == copy.descriptor)
                try? group?.add(copy.descriptor, for: .read, tag: 100 + other)
            }
        }
        for (tag, copy) in copies.enumerated() { try group?.add(copy.descriptor, for: .read, tag: tag) }
        try runTurns()
        #expect(reported.count == 1)
        withExtendedLifetime((copies, idle)) {}
        group = nil
    }

    @Test func `a removed descriptor is not reported, though a copy of it lives on`() throws {
        let ready = Signal()
        var copies = try ready.copies(2)
        let kept = copies.removeLast()
        let group = try DescriptorGroup(on: loop) { _, _ in Issue.record("reported") }
        try group.add(copies[0].descriptor, for: .read, tag: 0)
        group.remove(copies[0].descriptor)
        copies = []
        ready.raise()
        try runTurns()
        withExtendedLifetime((group, kept)) {}
    }

    @Test func `a descriptor is reported for its interest, and for a hangup without interest`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[0]) }
        var reports: [(Int, Readiness)] = []
        var group: DescriptorGroup?
        group = try DescriptorGroup(on: loop) { [loop] tag, readiness in
            reports.append((tag, readiness))
            switch reports.count {
            case 1: group?.setInterest([.read, .write], of: ends[0])
            case 2:
                group?.setInterest([], of: ends[0])
                close(ends[1])
            default: loop.exit(status: 0)
            }
        }
        try group?.add(ends[0], for: .read, tag: 7)
        #expect(write(ends[1], "x", 1) == 1)
        _ = try loop.run()
        #expect(reports.map(\.0) == [7, 7, 7])
        #expect(reports[0].1 == .read)
        #expect(reports[1].1 == [.read, .write])
        #expect(reports[2].1.isHungUp)
        group = nil
    }
}

/// A pipe that is readable once raised.
private final class Signal {
    let descriptor: Int32
    let writing: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0)
        descriptor = ends[0]
        writing = ends[1]
    }

    isolated deinit {
        close(descriptor)
        close(writing)
    }

    func raise() { precondition(write(writing, "x", 1) == 1) }

    func copies(_ count: Int) throws -> [Copy] {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        if limit.rlim_cur < 4_096 {
            limit.rlim_cur = min(4_096, limit.rlim_max)
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return try (0..<count).map { _ in
            let copy = dup(descriptor)
            try #require(copy >= 0)
            return Copy(copy)
        }
    }

    /// A descriptor of the same pipe.
    final class Copy {
        let descriptor: Int32

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        isolated deinit { close(descriptor) }
    }
}
