// SPDX-License-Identifier: Apache-2.0

import Foundation
import Posix
import Testing

@Suite struct DetachedThreadTests {
    @Test func `the thread has its name, and all signals are blocked in it`() throws {
        let finished = try WakeSignal()
        let facts = Facts()
        try DetachedThread.start("test thread") { [descriptor = finished.descriptor] in
            facts.name = SmallFile.line("/proc/thread-self/comm")
            pthread_sigmask(SIG_BLOCK, nil, &facts.signals)
            var one: UInt64 = 1
            _ = write(descriptor, &one, 8)
        }
        // The read orders the uses of `facts`, also for ThreadSanitizer, which does not know that poll(2) does.
        let isFinished = finished.wait(seconds: 600) && finished.clear()
        try #require(isFinished)
        #expect(facts.name == "test thread")
        #expect([SIGINT, SIGTERM, SIGHUP, SIGCHLD].allSatisfy { sigismember(&facts.signals, $0) == 1 })
    }

    @Test func `the mask of the caller stays`() throws {
        var before = sigset_t()
        var after = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &before)
        try DetachedThread.start("test thread") {}
        pthread_sigmask(SIG_BLOCK, nil, &after)
        #expect((1...31).allSatisfy { sigismember(&before, $0) == sigismember(&after, $0) })
    }
}

/// Unchecked: the signal orders all uses.
private final class Facts: @unchecked Sendable {
    var name: String?
    var signals = sigset_t()
}
