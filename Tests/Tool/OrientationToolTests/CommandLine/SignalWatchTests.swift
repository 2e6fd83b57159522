// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import OrientationTool

@Suite(.timeLimit(.minutes(10))) struct SignalWatchTests {
    @MainActor @Test func `the end of a watch leaves a newer one of the same signal`() async {
        // By default this signal is ignored.
        var first: SignalWatch? = SignalWatch(SIGURG) { Issue.record("a replaced handler was called") }
        let (calls, continuation) = AsyncStream<Void>.makeStream()
        let second = SignalWatch(SIGURG) { continuation.yield() }
        #expect(first != nil)
        first = nil
        // To the process: Dispatch's threads block signals.
        kill(getpid(), SIGURG)
        var received = calls.makeAsyncIterator()
        #expect(await received.next() != nil)
        withExtendedLifetime(second) {}
    }

    @MainActor @Test func `a flood of one signal loses no other`() async {
        let (calls, continuation) = AsyncStream<Void>.makeStream()
        let flooded = SignalWatch(SIGUSR1) {}
        let watch = SignalWatch(SIGUSR2) { continuation.yield() }
        // More than a pipe holds, while the main queue is busy.
        for _ in 0..<70_000 { kill(getpid(), SIGUSR1) }
        kill(getpid(), SIGUSR2)
        var received = calls.makeAsyncIterator()
        #expect(await received.next() != nil)
        withExtendedLifetime((flooded, watch)) {}
    }
}
