// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationRules
import Testing

@testable import Autorotate
@testable import Displays

/// The sentence names what changed.
@Suite struct SessionCauseTests {
    private var bench = PolicyBench.withApps()

    /// The words between "because" and "and".
    private func cause(_ bench: PolicyBench) -> String? {
        bench.sentence.split(separator: " because ").last?.split(separator: " and ").first.map(String.init)
    }

    @Test mutating func `the device: the first state, a turn, and tablet mode`() {
        #expect(cause(bench) == "the orientation of the device became known")
        bench.turnAndAccept(.landscapeLeft)
        #expect(cause(bench) == "the device was turned")
        bench.turnAndAccept(.landscapeLeft, tabletMode: false)
        bench.turnAndAccept(.portrait, tabletMode: true)
        #expect(cause(bench) == "tablet mode began")
    }

    @Test func `an unknown orientation is the only cause, and the first known one after it is no turn`() {
        var bench = PolicyBench.started()
        bench.turnAndAccept(.unknown)
        let unknown = "The display stays in landscape-primary because the orientation of the device is unknown."
        #expect(bench.sentence == unknown)
        bench.turnAndAccept(.landscapeLeft)
        #expect(cause(bench) == "the orientation of the device became known")
        bench.turnAndAccept(.unknown)
        #expect(bench.sentence == unknown)
        bench.turnAndAccept(.landscapeLeft)
        #expect(cause(bench) == "the orientation of the device became known")
        bench.turnAndAccept(.portrait)
        #expect(cause(bench) == "the device was turned")
    }

    @Test mutating func `the rotation lock: turned on, in force while the device is turned, moved, and turned off`() {
        bench.turn(.portrait, lock: .portrait)
        #expect(cause(bench) == "the rotation lock was turned on")
        bench.turn(.landscapeLeft, lock: .portrait)
        #expect(cause(bench) == "the rotation lock is on")
        bench.turn(.landscapeLeft, lock: .portraitUpsideDown)
        #expect(cause(bench) == "the locked edge changed")
        bench.accept()
        bench.turnAndAccept(.landscapeLeft)
        #expect(cause(bench) == "the rotation lock was turned off")
    }

    @Test mutating func `a window: it comes to the front, leaves full screen, enters it, and none follows`() {
        bench.show("film", id: 1)
        #expect(cause(bench) == "film came to the front")
        bench.show("film", id: 1, .normal)
        #expect(cause(bench) == "film left full screen")
        bench.show("film", id: 1)
        #expect(cause(bench) == "film entered full screen")
        bench.show(nil, id: 2)
        #expect(cause(bench) == "a window without an app ID came to the front")
        bench.show("film", id: 2)
        #expect(cause(bench) == "the window in front is now one of film")
        bench.showNothing()
        #expect(cause(bench) == "no window is in front on this display")
        bench.show("a\nb", id: 3)
        #expect(cause(bench) == "a·b came to the front")
    }

    @Test func `a maximized window that counts`() {
        var bench = PolicyBench.withApps(Settings(appsWhen: .maximized))
        bench.show("film", .normal)
        bench.show("film", .maximized)
        #expect(cause(bench) == "film was maximized" && bench.orientation == .landscapeLeft)
        bench.show("film", .normal)
        #expect(cause(bench) == "film is no longer maximized" && bench.orientation == .portrait)
    }

    @Test mutating func `a desktop file that changed`() {
        bench.show("film")
        bench.desktopFiles["film"] = [.portrait]
        bench.show("film")
        #expect(cause(bench) == "film.desktop changed" && bench.orientation == .portrait)
    }

    @Test mutating func `a hold: it begins, changes, ends beside another, and the last one ends`() {
        bench.hold(OrientationHold(id: 1, supported: .landscape))
        #expect(cause(bench) == "a hold began")
        bench.hold(OrientationHold(id: 1, supported: .landscapeLeft))
        #expect(cause(bench) == "a hold changed")
        bench.hold(OrientationHold(id: 3, supported: .landscape))
        #expect(cause(bench) == "a hold changed")
        bench.hold(OrientationHold(id: 1, supported: .landscapeLeft))
        bench.hold(OrientationHold(id: 1, supported: .landscapeLeft), OrientationHold(id: 2, supported: .landscape))
        #expect(cause(bench) == "a hold began")
        bench.hold(OrientationHold(id: 2, supported: .landscape))
        #expect(cause(bench) == "a hold ended")
        bench.hold()
        #expect(cause(bench) == "a hold ended" && bench.orientation == .portrait)
    }

    @Test mutating func `a hold that applies because its app comes to the front is not the cause`() {
        bench.hold(OrientationHold(id: 1, appID: "notes", supported: .landscape, preferred: .landscapeLeft))
        bench.show("reader", id: 1)
        #expect(cause(bench) == "reader came to the front")
        bench.show("notes", id: 2)
        #expect(
            bench.sentence.hasPrefix("The display is in landscape-secondary because notes came to the front and"))
    }

    @Test func `the sentence says that the display turns while it does, and where it is afterwards`() {
        var bench = PolicyBench.started()
        bench.turn(.portrait)
        #expect(bench.sentence.hasPrefix("The display turns to portrait-primary because the orientation"))
        bench.accept()
        #expect(bench.sentence.hasPrefix("The display is in portrait-primary because the orientation"))
    }

    @Test mutating func `changed outputs are the cause only of a rotation`() {
        bench.show("film")
        let sentence = bench.sentence
        bench.outputs.append(PolicyBench.monitor)
        bench.start()
        #expect(bench.applied == nil && bench.sentence == sentence)
    }

    @Test func `a window whose desktop file is not read yet changes nothing, whatever else happens`() {
        var bench = PolicyBench.withApps(held: .landscapeLeft)
        bench.show("film", id: 1)
        let reader = FrontWindow(id: 2, appID: "reader", state: .fullscreen)
        bench.handle(.display(.frontWindow(reader)))
        bench.hold(OrientationHold(id: 1, supported: .all))
        bench.turnAndAccept(.portrait)
        #expect(bench.orientation == .landscapeRight && bench.policy.explanation.window?.appID == "film")
        bench.handle(.app(AppDeclaration(id: "reader", orientations: [.portrait]), window: reader))
        bench.accept()
        #expect(bench.orientation == .portrait && cause(bench) == "reader came to the front")
    }
}
