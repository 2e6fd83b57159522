// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationClient

@Suite struct ReconnectPauseTests {
    @Test func `pauses grow to less than half a second, and begin anew after a success`() {
        var pause = ReconnectPause()
        var generator = SystemRandomNumberGenerator()
        let pauses = (0..<8).map { _ in pause.grow(using: &generator) }
        for (pause, longest) in zip(pauses, [50, 100, 200, 400, 400, 400, 400, 400]) {
            #expect((longest * 3 / 4...longest).contains(pause))
        }
        pause.reset()
        #expect(pause.grow(using: &generator) <= 50)
    }

    @Test func `a daemon that was gone for less than fifty seconds is found within a second`() {
        var pause = ReconnectPause()
        var generator = SystemRandomNumberGenerator()
        var total = 0
        while total < 50_000 {
            let next = pause.grow(using: &generator)
            #expect(next <= 800)
            total += next
        }
    }

    @Test func `a daemon that is not there at all is looked for every ten seconds at last`() {
        var pause = ReconnectPause()
        var generator = SystemRandomNumberGenerator()
        let pauses = (0..<2000).map { _ in pause.grow(using: &generator) }
        #expect(pauses.allSatisfy { $0 <= 10_000 })
        #expect(pauses.suffix(100).allSatisfy { $0 >= 7500 })
    }
}
