// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationDaemon

@Suite struct TiltRenewalTests {
    private var renewal = TiltRenewal()

    @Test mutating func `the first tilt is published at once, the next after a second, and only the newest of them`() {
        #expect(renewal.update(.vertical, at: 100) == .vertical)
        #expect(renewal.wait(at: 100) == nil)
        #expect(renewal.update(.tiltedUp, at: 100.25) == .vertical)
        #expect(renewal.wait(at: 100.25) == 0.75)
        #expect(renewal.update(.tiltedDown, at: 100.75) == .vertical)
        #expect(renewal.renew(at: 101) == .tiltedDown)
        #expect(renewal.wait(at: 101) == nil)
    }

    @Test mutating func `a face is published at once, since it is an orientation`() {
        _ = renewal.update(.vertical, at: 100)
        #expect(renewal.update(.faceUp, at: 100.25) == .faceUp)
        #expect(renewal.update(.tiltedUp, at: 100.5) == .faceUp)
        #expect(renewal.wait(at: 100.5) == 0.75)
    }

    @Test mutating func `a tilt that returns before it was published needs no timer`() {
        _ = renewal.update(.vertical, at: 100)
        _ = renewal.update(.tiltedUp, at: 100.25)
        #expect(renewal.update(.vertical, at: 100.5) == .vertical)
        #expect(renewal.wait(at: 100.5) == nil)
    }

    @Test mutating func `a tilt that dithers shows at most one change a second`() {
        var changes = 0
        var last: TiltBand?
        for number in 0..<1_000 {
            let seen = renewal.update(number % 2 == 0 ? .vertical : .tiltedUp, at: 100 + Double(number) / 100)
            if seen != last { changes += 1 }
            last = seen
        }
        #expect(changes <= 10)
    }
}
