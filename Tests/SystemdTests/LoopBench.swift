// SPDX-License-Identifier: Apache-2.0

import CSystemd

@testable import Systemd

/// An event loop that a test runs step by step.
final class LoopBench {
    let loop: EventLoop

    /// A condition that did not become true in time.
    struct Timeout: Error {}

    init() throws {
        loop = try EventLoop()
    }

    /// Dispatches events until `condition` is true.
    func run(until condition: () -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while !condition() {
            guard ContinuousClock.now < deadline else { throw Timeout() }
            try check(sd_event_run(loop.handle, 1_000_000), "run the event loop")
        }
    }

    /// Dispatches the events that are ready, without waiting; returns their number.
    @discardableResult
    func runReady() throws -> Int {
        var count = 0
        while true {
            let result = sd_event_run(loop.handle, 0)
            try check(result, "run the event loop")
            if result == 0 { return count }
            count += 1
        }
    }
}
