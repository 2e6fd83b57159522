// SPDX-License-Identifier: Apache-2.0

import Displays
import InterfaceRotation
import OrientationModel
import Testing

@testable import Autorotate

/// An output that is mirrored for a while, and what happens to apps and the device meanwhile.
@Suite struct MirroredOutputTests {
    /// A policy with a mirrored output; the device is upright.
    private func bench() -> PolicyBench {
        var bench = PolicyBench.started()
        bench.turnAndAccept(.portrait)
        bench.setByHand(.flipped)
        return bench
    }

    @Test("a hold that begins while the output is mirrored applies when it no longer is")
    func hold() {
        var bench = bench()
        bench.hold(Hold(id: 1, supported: .landscapeRight))
        #expect(bench.transform == .flipped)
        bench.setByHand(.rotated90)
        bench.accept()
        #expect(bench.transform == .normal && bench.orientation == .landscapeRight)
    }

    @Test("the device is not followed past a hold when the output is no longer mirrored")
    func turnedDuringHold() {
        var bench = bench()
        bench.hold(Hold(id: 1, supported: .landscapeRight))
        bench.turnAndAccept(.portraitUpsideDown)
        bench.setByHand(.rotated270)
        bench.accept()
        #expect(bench.orientation == .landscapeRight)
    }

    @Test("the sentence names the orientation that the display has after it was mirrored")
    func sentence() {
        var bench = bench()
        bench.turnAndAccept(.landscapeLeft)
        bench.setByHand(.normal)
        bench.accept()
        #expect(bench.orientation == .landscapeRight)
        #expect(bench.sentence.contains("in landscapeRight because the outputs changed"))
    }
}
