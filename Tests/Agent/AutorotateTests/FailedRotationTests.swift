// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationRules
import Testing

@testable import Autorotate
@testable import Displays

/// Rotations for apps that the display server refuses.
@Suite struct FailedRotationTests {
    /// A panel held in portrait. `film` declares landscapeLeft, whose transform the server has refused until the policy gave
    /// it up.
    private func givenUp() -> PolicyBench {
        var bench = PolicyBench()
        bench.desktopFiles = ["film": [.landscapeLeft], "reader": [.portrait]]
        bench.start()
        bench.turnAndAccept(.portrait)
        let window = FrontWindow(id: 1, appID: "film", state: .fullscreen)
        bench.handle(.display(.frontWindow(window)))
        bench.handle(.app(AppDeclaration(id: "film", orientations: [.landscapeLeft]), window: window))
        for _ in 0..<AutorotatePolicy.maximumAttempts {
            bench.handle(.display(.failed("refused")))
            bench.handle(.timer(.retry))
        }
        return bench
    }

    @Test func `the explanation is the failure while the app is in front, and not that of another app`() {
        var bench = givenUp()
        #expect(bench.sentence == "The display keeps its orientation: eDP-1: cannot rotate to 180°: refused.")
        #expect(bench.orientation == .portrait)
        bench.show("reader", id: 2)
        #expect(!bench.sentence.contains("refused") && bench.orientation == .portrait)
        bench.show("film", id: 1)
        #expect(bench.sentence.hasSuffix("refused.") && bench.orientation == .portrait)
    }

    @Test
    func `a switch between windows, or a hold, does not retry a rotation that was given up; a turn of the device does`()
    {
        var bench = givenUp()
        bench.show("reader", id: 2)
        bench.show("film", id: 1)
        #expect(bench.applied == nil && bench.reports == [])
        bench.hold(OrientationHold(id: 1, supported: .landscapeLeft))
        bench.handle(.timer(.retry))
        #expect(bench.applied == nil && bench.transform == .rotated90)
        bench.hold()
        bench.show("wide", id: 3)
        bench.hold(OrientationHold(id: 2, supported: .landscapeRight))
        #expect(bench.transform == .normal, "other transforms are applied")
        bench.hold()
        bench.show("film", id: 1)
        #expect(bench.applied == nil)
        bench.turnAndAccept(.portraitUpsideDown)
        #expect(bench.transform == .rotated180 && !bench.sentence.contains("refused"))
    }

    @Test
    func `after a change of the outputs a rotation that was given up is applied, and no longer explained by it`() {
        var bench = givenUp()
        bench.outputs.append(PolicyBench.monitor)
        bench.start()
        bench.accept()
        #expect(bench.orientation == .landscapeLeft && bench.transform == .rotated180)
        #expect(!bench.sentence.contains("refused"))
    }

    @Test
    func `a refused rotation is explained by the refusal from the first attempt on, and giving up is reported`() {
        var bench = PolicyBench.started()
        bench.turn(.portrait)
        #expect(bench.sentence.hasPrefix("The display turns"))
        bench.handle(.display(.failed("refused")))
        #expect(
            bench.sentence
                == "The display keeps its orientation: eDP-1: cannot rotate to 90° counter-clockwise: refused; retrying."
        )
        #expect(bench.policy.explanation.rotation == 0 && bench.policy.explanation.failure != nil)
        for _ in 1..<AutorotatePolicy.maximumAttempts {
            bench.handle(.timer(.retry))
            bench.handle(.display(.failed("refused")))
        }
        #expect(bench.reports == [.gaveUp("eDP-1", .rotated90)] && !bench.sentence.contains("retrying"))
        bench.turnAndAccept(.portraitUpsideDown)
        #expect(bench.policy.explanation.failure == nil)
    }

    @Test func `a window that is moved to another output after its rotation was given up does not count there`() {
        var bench = givenUp()
        bench.show("film", id: 1, output: "HDMI-A-1")
        #expect(bench.orientation == .portrait && !bench.sentence.contains("film"))
    }

    @Test func `a rotation that takes effect after it was given up is not explained by the failure`() {
        var bench = givenUp()
        bench.outputs[0].transform = .rotated180
        bench.start()
        #expect(bench.orientation == .landscapeLeft && !bench.sentence.contains("refused"))
    }
}
