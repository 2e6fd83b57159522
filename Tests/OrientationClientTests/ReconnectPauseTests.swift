// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import OrientationClient

@Suite struct ReconnectPauseTests {
    @Test func `pauses grow to less than half a second, and begin anew after a success`() {
        var pause = ReconnectPause()
        let pauses = (0..<8).map { _ in pause.grow(luck: 0) }
        #expect(pauses == [50, 100, 200, 400, 400, 400, 400, 400])
        pause.reset()
        #expect(pause.grow(luck: 0) == 50)
    }

    @Test func `luck takes up to a quarter off each pause`() {
        var pause = ReconnectPause()
        #expect((0..<4).map { _ in pause.grow(luck: 1) } == [38, 75, 150, 300])
        #expect(pause.grow(luck: 0.5) == 350)
    }

    @Test(arguments: [0, 0.5, 1])
    func `a daemon that was gone for less than fifty seconds is found within a second`(luck: Double) {
        var pause = ReconnectPause()
        var total = 0
        while total < 50_000 {
            let next = pause.grow(luck: luck)
            #expect(next <= 800)
            total += next
        }
    }

    @Test func `a daemon that is not there at all is looked for every ten seconds at last`() {
        var pause = ReconnectPause()
        let pauses = (0..<2000).map { _ in pause.grow(luck: 0) }
        #expect(pauses.max() == 10_000)
        #expect(pauses.suffix(100).allSatisfy { $0 == 10_000 })
    }
}
