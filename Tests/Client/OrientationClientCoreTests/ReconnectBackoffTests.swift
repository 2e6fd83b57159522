// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationClientCore

@Suite struct ReconnectBackoffTests {
    /// The next delays, in milliseconds.
    private func delays(_ count: Int, of backoff: inout ReconnectBackoff, jitter: Double = 0) -> [Double] {
        (0..<count).map { _ in (backoff.next(jitter: jitter) * 10_000).rounded() / 10 }
    }

    @Test func `jitter shortens each delay by up to a quarter`() {
        var backoff = ReconnectBackoff()
        #expect(delays(4, of: &backoff, jitter: 1) == [37.5, 75, 150, 300])
        #expect(delays(1, of: &backoff, jitter: 0.5) == [350])
    }

    @Test(arguments: [0, 0.5, 1])
    func `after an outage of less than 50 s the next attempt follows within a second`(jitter: Double) {
        var backoff = ReconnectBackoff()
        var outage = 0.0
        while outage < 50 {
            let delay = backoff.next(jitter: jitter)
            #expect(delay <= 0.8)
            outage += delay
        }
    }

    @Test func `after a long outage the delay is 10 s`() {
        var backoff = ReconnectBackoff()
        let delays = delays(2000, of: &backoff)
        #expect(delays.max() == 10_000)
        #expect(delays.suffix(100).allSatisfy { $0 == 10_000 })
    }
}
