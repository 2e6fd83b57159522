// SPDX-License-Identifier: Apache-2.0

import Foundation
import Systemd
import SystemdTestSupport
import Testing

@testable import VarlinkServer

@Suite struct IdleMemoryTests {
    private final class Released {
        var parts: [IdleMemory.Part] = []
    }

    private let bench: LoopBench
    private let released = Released()
    private let memory: IdleMemory

    init() throws {
        bench = try LoopBench()
        memory = try IdleMemory(loop: bench.loop, delay: 0.05) { [released] in released.parts.append($0) }
    }

    /// Notes an event every 10 ms for a number of delays.
    private func use(delays: Int) throws {
        let clock = ContinuousClock()
        let end = clock.now + .milliseconds(50 * delays)
        var tick: EventSource?
        tick = try bench.loop.timer { [memory] in
            memory.noteUse()
            tick?.fire(after: 0.01)
        }
        tick?.fire(after: 0)
        try bench.run { clock.now >= end }
        tick = nil
    }

    @Test func `after a pause freed memory and code are released, once`() throws {
        memory.noteUse()
        try bench.run { !released.parts.isEmpty }
        #expect(released.parts == [.freed, .code])
        try bench.runReady()
        #expect(released.parts == [.freed, .code])
    }

    @Test func `while events continue nothing is released`() throws {
        try use(delays: 12)
        #expect(released.parts.isEmpty)
        try bench.run { !released.parts.isEmpty }
        #expect(released.parts == [.freed, .code])
    }

    @Test func `after many disconnections freed memory is released once, although events continue`() throws {
        for remaining in (0..<IdleMemory.connections).reversed() { memory.noteDisconnection(remaining: remaining) }
        try use(delays: 5)
        #expect(released.parts == [.freed])
    }

    @Test func `the stack that deeper calls have used is released, and the frames above stay`() throws {
        let kept: [4_096 of UInt8] = .init { UInt8(truncatingIfNeeded: $0) }
        #expect(useStack(frames: 100) == 100)
        let before = try Self.stackSize()
        IdleMemory.release(.freed)
        let after = try Self.stackSize()
        #expect(before - after >= 300)
        #expect(kept.indices.allSatisfy { kept[$0] == UInt8(truncatingIfNeeded: $0) })
    }

    /// Uses at least 4 KiB of the stack per frame; returns the number of frames.
    @inline(never) private func useStack(frames: Int) -> Int {
        let frame: [4_096 of UInt8] = .init { UInt8(truncatingIfNeeded: $0 + frames) }
        return frames == 0
            ? 0 : useStack(frames: frames - 1) + (frame[frames] == UInt8(truncatingIfNeeded: 2 * frames) ? 1 : 0)
    }

    /// The memory of this thread's stack, in KiB.
    private static func stackSize() throws -> Int {
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
        let lines = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
        var here = 0
        let address = withUnsafePointer(to: &here) { UInt(bitPattern: $0) }
        let start = try #require(
            lines.firstIndex { line in
                let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
                return ends.count == 2 && (ends[0]..<ends[1]).contains(address)
            })
        let line = try #require(lines[start...].first { $0.hasPrefix("Anonymous:") })
        return try #require(Int(line.filter(\.isNumber)))
    }

    @Test func `a few disconnections release nothing while events continue`() throws {
        for _ in 0..<1_000 {
            memory.noteDisconnection(remaining: 10)
        }
        try use(delays: 5)
        #expect(released.parts.isEmpty)
    }

    @Test func `disconnections that continue do not delay the release of freed memory`() throws {
        var tick: EventSource?
        tick = try bench.loop.timer { [memory] in
            for remaining in (0..<IdleMemory.connections).reversed() { memory.noteDisconnection(remaining: remaining) }
            memory.noteUse()
            tick?.fire(after: 0.01)
        }
        tick?.fire(after: 0)
        try bench.run { !released.parts.isEmpty }
        tick = nil
        #expect(released.parts == [.freed])
    }

    @Test func `an event soon after a release doubles the delay, up to 32 times the shortest one`() {
        var delay = ReleaseDelay(shortest: 2)
        delay.noteUse(at: 0)
        #expect(delay.seconds == 2)
        let delays = (1...6).map { release in
            delay.noteRelease(at: Double(release) * 1_000)
            delay.noteUse(at: Double(release) * 1_000 + 19)
            return delay.seconds
        }
        #expect(delays == [4, 8, 16, 32, 64, 64])
    }

    @Test func `events without a pause double the delay until the next release, up to 4 times the shortest one`() {
        var delay = ReleaseDelay(shortest: 2)
        let delays = (1...4).map { _ in
            delay.noteContinuedUse()
            return delay.seconds
        }
        #expect(delays == [4, 8, 8, 8])
        delay.noteRelease(at: 0)
        delay.noteUse(at: 100)
        #expect(delay.seconds == 2)
        // A longer one stays.
        for _ in 1...3 {
            delay.noteRelease(at: 100)
            delay.noteUse(at: 101)
        }
        delay.noteContinuedUse()
        #expect(delay.seconds == 16)
    }

    @Test func `after a pause of ten delays, or a reset, the delay is the shortest one`() {
        var delay = ReleaseDelay(shortest: 2)
        delay.noteRelease(at: 0)
        delay.noteUse(at: 19)
        #expect(delay.seconds == 4)
        delay.noteRelease(at: 100)
        delay.noteUse(at: 140)
        #expect(delay.seconds == 2)
        delay.noteRelease(at: 200)
        delay.noteUse(at: 201)
        delay.reset()
        #expect(delay.seconds == 2)
    }
}
