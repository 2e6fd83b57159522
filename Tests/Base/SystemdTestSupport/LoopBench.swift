// SPDX-License-Identifier: Apache-2.0

internal import CSystemd
internal import Foundation
package import Systemd

/// An event loop that a test runs step by step.
package final class LoopBench {
    package let loop: EventLoop

    /// A condition that did not become true in time.
    package struct Timeout: Error {}

    package init() throws {
        loop = try EventLoop()
    }

    /// Dispatches events until `condition` is true.
    package func run(until condition: () -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while !condition() {
            guard ContinuousClock.now < deadline else { throw Timeout() }
            try step(timeout: 1_000_000)
        }
    }

    /// Dispatches the events that are ready, without waiting; returns their number.
    @discardableResult
    package func runReady() throws -> Int {
        var count = 0
        while true {
            guard try step(timeout: 0) else { return count }
            count += 1
        }
    }

    /// Waits for an event, at most this many microseconds, and dispatches it; returns whether there was one.
    @discardableResult
    private func step(timeout: UInt64) throws(SystemError) -> Bool {
        let result = sd_event_run(loop.handle, timeout)
        if result < 0 { throw SystemError(operation: "run the event loop", code: -result) }
        return result > 0
    }
}

extension EventLoop {
    /// The number of running timers, also those of the epoll instances that the loop watches: each is a wake-up to come.
    package var runningTimers: Int { Self.runningTimers(of: sd_event_get_fd(handle)) }

    /// Reads the kernel's description of an epoll instance or a timer.
    private static func runningTimers(of descriptor: Int32) -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/fdinfo/\(descriptor)", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").reduce(0) { count, line in
            let words = line.split(separator: " ", omittingEmptySubsequences: true)
            switch words.first {
            case "it_value:" where !line.hasSuffix("(0, 0)"): return count + 1
            case "tfd:": return count + (Int32(words[1]).map(runningTimers) ?? 0)
            default: return count
            }
        }
    }
}
