// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

@testable import Autorotate

/// How the display follows the device, and the explanation without apps.
@Suite struct DeviceExplanationTests {
    @Test("the first orientation of the device is explained, also if --orientations excludes it")
    func excludedPose() {
        var settings = Settings()
        settings.orientations = [.portraitUpsideDown]
        var bench = PolicyBench(settings)
        bench.start()
        bench.turn(.portrait)
        #expect(bench.applied == nil)
        #expect(
            bench.sentence.hasPrefix(
                "The display stays in landscapeRight because the orientation of the device became known"))
    }

    @Test("the explanation says that the daemon is not connected, until it is")
    func lostDaemon() {
        var bench = PolicyBench()
        bench.start()
        bench.turnAndAccept(.portrait)
        bench.handle(.daemonLost(reason: "closed"))
        #expect(bench.sentence.hasSuffix("; orientationd is not connected."))
        bench.turnAndAccept(.landscapeLeft)
        #expect(!bench.sentence.contains("connected"))
    }

    @Test("a new edge of the delay is not used before the delay ends, although another window comes to the front")
    func delay() {
        var settings = Settings()
        settings.delay = 2
        var bench = PolicyBench(settings)
        bench.start()
        bench.turnAndAccept(.portrait)
        bench.turn(.landscapeLeft)
        bench.show("editor")
        #expect(bench.applied == nil && bench.orientation == .portrait)
        bench.handle(.timer(.delay))
        bench.accept()
        #expect(bench.orientation == .landscapeRight)
    }
}
