// SPDX-License-Identifier: Apache-2.0

import Displays
import OrientationModel
import OrientationRules
import Testing

@testable import Autorotate

/// Windows that a rotation moves.
@Suite struct CarriedWindowTests {
    @Test
    func `a window that a rotation moves to another output still counts; one that the user moves there does not`() {
        var bench = PolicyBench(outputs: [PolicyBench.panel, PolicyBench.monitor])
        bench.desktopFiles = ["film": [.landscapeLeft, .landscapeRight], "reader": [.portrait]]
        bench.start()
        bench.turnAndAccept(.portrait)
        bench.show("film", id: 1, output: "eDP-1")
        #expect(bench.orientation == .landscapeLeft && bench.effects.contains { $0 == .startTimer(.windows, after: 1) })
        bench.show("film", id: 1, output: "HDMI-A-1")
        #expect(bench.applied == nil && bench.orientation == .landscapeLeft)
        // It stays there.
        bench.handle(.timer(.windows))
        bench.show("film", id: 1, .maximized, output: "HDMI-A-1")
        bench.show("film", id: 1, output: "HDMI-A-1")
        #expect(bench.orientation == .landscapeLeft)
        bench.handle(.timer(.windows))
        // The user takes it back, and to the monitor again.
        bench.show("film", id: 1, output: "eDP-1")
        bench.show("film", id: 1, output: "HDMI-A-1")
        #expect(bench.orientation == .portrait)
        // Another window is in front.
        bench.show("film", id: 2, output: "eDP-1")
        bench.show("film", id: 2, output: "HDMI-A-1")
        #expect(bench.orientation == .landscapeLeft)
        bench.show("reader", id: 3, output: "HDMI-A-1")
        #expect(bench.orientation == .portrait)
        bench.show("film", id: 2, output: "HDMI-A-1")
        #expect(bench.orientation == .portrait)
    }
}
