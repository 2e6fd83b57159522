// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import Autorotate
@testable import Displays

/// Rotations by hand between those of the device: the other outputs return to their places.
@Suite struct RotatedLayoutTests {
    private let layout = [PolicyBench.panel, PolicyBench.monitor]

    private func started() -> PolicyBench { PolicyBench.started(outputs: layout) }

    @Test(arguments: [false, true])
    func `a gap that a rotation by hand left is not kept, however often the device turns`(isRotatedFirst: Bool) {
        var bench = started()
        if isRotatedFirst { bench.turnAndAccept(.landscapeRight) }
        for _ in 1...3 {
            bench.setByHand(.rotated90)
            bench.turnAndAccept(.portraitUpsideDown)
            #expect(bench.outputs[1].position == LayoutPoint(x: 1080, y: 0))
            bench.turnAndAccept(.landscapeLeft)
            #expect(bench.outputs == layout)
        }
    }

    @Test(arguments: [OutputTransform.rotated180, .normal])
    func `the end restores the layout that a rotation by hand made overlap`(byHand transform: OutputTransform) {
        var bench = started()
        bench.turnAndAccept(.portrait)
        bench.setByHand(transform)
        bench.handle(.end)
        bench.accept()
        #expect(bench.outputs == layout)
        #expect(bench.effects.last == .exit)
    }

    @Test func `other outputs move when the device is turned to the transform that was set by hand`() {
        var bench = started()
        bench.turnAndAccept(.portrait)
        bench.setByHand(.rotated180)
        bench.turn(.landscapeRight)
        #expect(bench.applied?[1].position == LayoutPoint(x: 1920, y: 0))
        bench.accept()
        #expect(bench.reports == [])
        bench.start()
        #expect(bench.applied == nil)
    }

    @Test func `a server that keeps other positions than the requested ones is not asked again`() {
        var bench = started()
        bench.turnAndAccept(.portrait)
        bench.setByHand(.rotated180)
        bench.turn(.landscapeRight)
        bench.handle(.display(.outputs(bench.outputs)))
        bench.handle(.display(.applied))
        #expect(bench.applied == nil)
    }

    @Test func `a layout that the user sets together with a rotation is the new start`() {
        var bench = started()
        bench.turnAndAccept(.portrait)
        bench.outputs[1].position = LayoutPoint(x: 1920, y: 300)
        bench.setByHand(.rotated180)
        bench.turnAndAccept(.portraitUpsideDown)
        #expect(bench.outputs[1].position == LayoutPoint(x: 1080, y: 300))
        bench.turnAndAccept(.landscapeLeft)
        #expect(bench.outputs[1].position == LayoutPoint(x: 1920, y: 300))
    }
}
