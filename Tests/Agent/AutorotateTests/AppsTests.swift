// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationRules
import Testing

@testable import Autorotate
@testable import Displays

/// Two apps take turns in front of a wide panel: `film` declares landscape, `reader` portrait. The rules have the numbers of
/// orientation-autorotate(1).
@Suite struct AppsTests {
    private var bench = PolicyBench.withApps()

    // MARK: Declared orientations

    @Test
    func `R15, R21: an app in front turns the display to what it declares, and leaving it returns to the device`() {
        var bench = PolicyBench.withApps()
        #expect(bench.orientation == .portrait)
        bench.show("film", id: 1)
        #expect(bench.orientation == .landscapeLeft && bench.transform == .rotated180)
        #expect(
            bench.sentence
                == "The display is in landscape-secondary because film came to the front and it comes first in film.desktop "
                + "among what is allowed.")
        bench.turnAndAccept(.landscapeLeft)
        #expect(bench.orientation == .landscapeRight)
        bench.turnAndAccept(.portrait)
        #expect(bench.orientation == .landscapeRight)
        #expect(
            bench.sentence
                == "The display stays in landscape-primary because the device was turned and film.desktop does not "
                + "allow portrait-primary.")
        bench.show("reader", id: 2)
        #expect(bench.orientation == .portrait)
        bench.show("film", id: 1)
        #expect(bench.orientation == .landscapeRight, "the orientation in which it was last shown")
        bench.showNothing()
        #expect(bench.orientation == .portrait)
        #expect(
            bench.sentence
                == "The display is in portrait-primary because no window is in front on this display and the device is "
                + "held that way."
        )
    }

    @Test(arguments: [
        (Settings.AppsWhen.fullscreen, [false, false, true]), (.maximized, [false, true, true]),
        (.focused, [true, true, true]), (.never, [false, false, false]),
    ])
    func `only windows that are large enough count`(condition: Settings.AppsWhen, turns: [Bool]) {
        for (state, isTurned) in zip([FrontWindow.State.normal, .maximized, .fullscreen], turns) {
            var bench = PolicyBench.withApps(Settings(appsWhen: condition))
            bench.show("film", state)
            #expect((bench.orientation == .landscapeLeft) == isTurned)
        }
    }

    @Test mutating func `a window that leaves full screen, has no app ID, or is on another output does not count`() {
        bench.show("film")
        bench.show("film", .normal)
        #expect(bench.orientation == .portrait)
        bench.handle(.timer(.windows))
        bench.show("film", output: "HDMI-A-1")
        #expect(bench.orientation == .portrait && bench.policy.explanation.window == nil)
        bench.show("film", output: "eDP-1")
        #expect(bench.orientation == .landscapeLeft)
        bench.show(nil)
        #expect(bench.orientation == .portrait)
    }

    // MARK: Holds

    @Test func `R15: device, desktop file and all holds are intersected`() {
        var bench = PolicyBench.withApps(held: .landscapeLeft)
        bench.show("film")
        #expect(bench.orientation == .landscapeRight)
        bench.hold(
            OrientationHold(id: 1, appID: "film", supported: [.landscapeLeft, .portrait]),
            OrientationHold(id: 2, supported: .all))
        #expect(bench.orientation == .landscapeLeft)
        #expect(bench.policy.explanation.allowed == .landscapeLeft && bench.policy.explanation.holds == [1, 2])
        var limited = PolicyBench.withApps(Settings(orientations: [.landscapeLeft, .portrait]))
        limited.show("film")
        #expect(limited.orientation == .landscapeRight, "--orientations does not permit the other landscape")
    }

    @Test(arguments: [
        (1, false, "hold 1"), (3, false, "the set of 3 other holds"), (1, true, "film.desktop with hold 1"),
        (3, true, "film.desktop with 3 other holds"),
    ])
    mutating func `the sentence counts holds that exclude the edge`(count: Int, isDeclared: Bool, source: String) {
        if isDeclared { bench.show("film") }
        bench.turnAndAccept(.landscapeLeft)
        bench.handle(.holds((1...count + 1).map { OrientationHold(id: $0, supported: $0 > count ? .all : .landscape) }))
        bench.accept()
        bench.turnAndAccept(.portrait)
        #expect(bench.sentence.hasSuffix("\(source) does not allow portrait-primary."))
    }

    @Test mutating func `R16: holds without a common orientation are reported with the remedy`() {
        let top = OrientationHold(id: 3, supported: .all)
        let common = "have no orientation in common; end"
        bench.hold(OrientationHold(id: 1, supported: .landscape), OrientationHold(id: 2, supported: .portrait), top)
        #expect(bench.sentence == "The display stays in portrait-primary: the 2 other holds \(common) one of them.")
        #expect(bench.policy.explanation.allowed.isEmpty && !bench.policy.explanation.answers.isEmpty)
        bench.show("reader")
        bench.hold(OrientationHold(id: 1, supported: .landscape, process: 71), top)
        #expect(
            bench.sentence
                == "The display stays in portrait-primary: reader.desktop and hold 1 (process 71) \(common) the hold.")
        bench.hold(OrientationHold(id: 1, supported: .landscape), OrientationHold(id: 2, supported: .landscape), top)
        #expect(
            bench.sentence
                == "The display stays in portrait-primary: reader.desktop and the 2 other holds \(common) a hold.")
    }

    @Test mutating func `R16: of two holds without a common orientation one must end, with names and processes`() {
        let landscape = OrientationHold(id: 1, appID: "foot", supported: .landscape, process: 4051)
        let top = OrientationHold(id: 2, appID: "foot", supported: .portrait, process: 4089)
        bench.show("foot")
        bench.hold(landscape, top)
        #expect(
            bench.sentence.hasSuffix(
                "(process 4089) supports portrait-primary; end the hold of foot (process 4089) or the hold of "
                    + "foot (process 4051)."))
        bench.hold(landscape, OrientationHold(id: 3, supported: .landscape), top)
        #expect(bench.sentence.hasSuffix("; end the hold of foot (process 4089) or 2 other holds."))
    }

    @Test mutating func `why a window in front declares nothing that applies`() {
        func undeclared(_ declaration: AppDeclaration?, _ state: FrontWindow.State = .fullscreen) -> String? {
            let window = FrontWindow(id: 9, appID: "shop", state: state)
            bench.handle(.display(.frontWindow(window)))
            bench.handle(.app(declaration, window: window))
            bench.accept()
            return bench.policy.explanation.undeclared
        }
        #expect(undeclared(nil) == "no desktop file found")
        #expect(
            undeclared(AppDeclaration(id: "shop"))
                == "the desktop file has no line X-SupportedInterfaceOrientations")
        #expect(undeclared(AppDeclaration(id: "shop", failure: "invalid value 'x'")) == "invalid value 'x'")
        let declaration = AppDeclaration(id: "shop", orientations: [.portrait])
        #expect(undeclared(declaration, .normal) == "the window is not in full screen (--apps-when fullscreen)")
        #expect(undeclared(declaration) == nil)
        bench.showNothing()
        #expect(bench.policy.explanation.undeclared == nil)
    }

    @Test
    mutating func `R16: without a common orientation the display keeps its own, and the sentence names the sources`() {
        bench.show("reader")
        bench.hold(OrientationHold(id: 1, appID: "reader", supported: .landscape))
        #expect(bench.applied == nil && bench.orientation == .portrait)
        #expect(
            bench.sentence
                == "The display stays in portrait-primary: no common interface orientation: the device supports any, "
                + "reader.desktop allows portrait-primary, the hold of reader supports landscape; let the hold of "
                + "reader support one of portrait-primary, or widen reader.desktop to one of landscape.")
        bench.turnAndAccept(.landscapeLeft)
        #expect(bench.orientation == .portrait)
        bench.hold()
        #expect(bench.orientation == .portrait)
        bench.showNothing()
        #expect(bench.orientation == .landscapeRight)
    }

    @Test func `an app that --orientations excludes keeps the display, and the sentence names the option`() {
        var limited = PolicyBench.withApps(Settings(orientations: [.portrait]))
        limited.show("film")
        #expect(limited.orientation == .portrait)
        #expect(
            limited.sentence
                == "The display stays in portrait-primary: no common interface orientation: --orientations "
                + "portrait-primary allows portrait-primary, film.desktop allows landscape, the app in front supports any; "
                + "let film.desktop allow one of portrait-primary, or change --orientations portrait-primary.")
    }

    @Test
    mutating func `R24: the preferred orientation is used when the hold applies for the first time, and not again`() {
        bench.show("film", id: 1)
        #expect(bench.orientation == .landscapeLeft)
        let hold = OrientationHold(id: 5, appID: "film", supported: .all, preferred: .landscapeRight)
        bench.hold(hold)
        #expect(bench.orientation == .landscapeRight)
        #expect(
            bench.sentence
                == "The display is in landscape-primary because a hold began and the hold of film prefers it.")
        bench.turnAndAccept(.landscapeRight)
        #expect(bench.orientation == .landscapeLeft, "the device is followed")
        bench.show("reader", id: 2)
        bench.show("film", id: 1)
        #expect(bench.orientation == .landscapeLeft)
        bench.show("reader", id: 2)
        bench.hold(hold, OrientationHold(id: 6, appID: "film", supported: .all, preferred: .landscapeRight))
        #expect(bench.orientation == .portrait, "its app is not in front")
        bench.show("film", id: 1)
        #expect(bench.orientation == .landscapeRight)
    }

    @Test
    mutating func `R20: a locked hold keeps the orientation while the device is turned; its end follows the device`() {
        bench.show("film")
        let hold = OrientationHold(id: 1, appID: "film", supported: .all, isLocked: true)
        bench.hold(hold)
        bench.turnAndAccept(.landscapeLeft)
        #expect(bench.orientation == .landscapeLeft)
        #expect(bench.sentence.hasSuffix("the app's own lock is on."))
        bench.show("reader", id: 2)
        #expect(bench.orientation == .portrait)
        bench.show("film", id: 1)
        #expect(bench.orientation == .landscapeLeft, "as it was shown last, not as the device is held")
        bench.turnAndAccept(.portrait)
        bench.showNothing()
        #expect(bench.orientation == .portrait)
        bench.show("film", id: 1)
        bench.turnAndAccept(.landscapeRight)
        bench.hold()
        #expect(bench.orientation == .landscapeLeft)
    }

    @Test
    func `R20: the rotation lock keeps the device's edge; an app that does not allow it still turns the display`() {
        var bench = PolicyBench.withApps()
        bench.turn(.portrait, lock: .portrait)
        #expect(
            bench.sentence.hasPrefix("The display stays in portrait-primary because the rotation lock was turned on"))
        bench.turn(.landscapeLeft, lock: .portrait)
        #expect(bench.applied == nil)
        bench.show("film")
        #expect(bench.orientation == .landscapeLeft)
        bench.showNothing()
        #expect(bench.orientation == .portrait)
        bench.turnAndAccept(.landscapeLeft)
        #expect(bench.orientation == .landscapeRight)
        bench.turn(.landscapeLeft, lock: .portraitUpsideDown)
        bench.accept()
        #expect(bench.orientation == .portraitUpsideDown)
    }

    @Test
    func `R21: when a hold ends, what was in front returns to the device, without an edge to its former orientation`() {
        var bench = PolicyBench.started()
        bench.turn(.unknown)
        bench.show("player", .normal)
        bench.hold(OrientationHold(id: 1, appID: "PLAYER", supported: .portrait))
        #expect(bench.orientation == .portrait)
        bench.hold()
        #expect(bench.orientation == .landscapeRight && bench.transform == .normal)
        #expect(bench.sentence.hasPrefix("The display is in landscape-primary because a hold ended"))
    }

    @Test
    func `a hold without an app ID applies to every window; with one, only to its own, unless the front is not known`()
    {
        var bench = PolicyBench.withApps()
        bench.show("editor", .normal)
        bench.hold(OrientationHold(id: 1, appID: "film", supported: .landscape))
        #expect(bench.orientation == .portrait)
        bench.hold(OrientationHold(id: 2, supported: .landscape))
        #expect(bench.orientation == .landscapeRight)
        bench.hold()
        bench.handle(.display(.frontWindowUnsupported("no protocol.")))
        #expect(bench.reports == [.appsUnknown("no protocol.")])
        bench.hold(OrientationHold(id: 3, appID: "film", supported: .landscape))
        #expect(bench.orientation == .landscapeRight)
        #expect(bench.policy.explanation.appsUnknown == "no protocol.")
    }

    // MARK: Beside other rules

    @Test mutating func `R23: a rotation by hand holds while an app allows it, until the device is turned`() {
        bench.setByHand(.normal)
        #expect(bench.sentence.contains("set to 0° by another program"))
        bench.show("film")
        #expect(bench.applied == nil && bench.orientation == .landscapeRight)
        bench.show("reader", id: 2)
        #expect(bench.orientation == .portrait)
        bench.showNothing()
        #expect(bench.orientation == .landscapeRight)
        bench.turnAndAccept(.portraitUpsideDown)
        #expect(bench.orientation == .portraitUpsideDown)
    }

    @Test
    func `apps have no effect in laptop mode, with --when never and where the desktop rotates; the sentence says so`() {
        var laptop = PolicyBench()
        laptop.desktopFiles = ["reader": [.portrait]]
        laptop.start()
        laptop.turn(.landscapeLeft, tabletMode: false)
        laptop.show("reader")
        #expect(laptop.applied == nil && laptop.sentence.hasPrefix(PolicyBench.notInTabletMode))
        laptop.turnAndAccept(.landscapeLeft, tabletMode: true)
        #expect(laptop.orientation == .portrait)
        var never = PolicyBench.started(Settings(when: .never))
        never.hold(OrientationHold(id: 1, supported: .portrait))
        #expect(never.applied == nil && never.sentence.hasSuffix("--when never."))
    }

    @Test func `without a daemon a hold still turns the display, and the device is followed once it is known`() {
        var bench = PolicyBench.started()
        bench.hold(OrientationHold(id: 1, supported: .portrait))
        #expect(bench.applied == nil, "the daemon may reply")
        bench.handle(.daemonLost(reason: "gone"))
        bench.accept()
        #expect(bench.orientation == .portrait)
        bench.hold()
        #expect(bench.orientation == .landscapeRight)
        bench.turnAndAccept(.portraitUpsideDown)
        #expect(bench.orientation == .portraitUpsideDown)
    }
}
