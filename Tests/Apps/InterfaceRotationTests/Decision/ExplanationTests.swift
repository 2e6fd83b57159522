// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import InterfaceRotation

@Suite struct ExplanationTests {
    @Test func `R43: each queried source is listed in query order`() {
        var c = OrientationCircumstances(.deviceTurned, current: .portrait, device: .landscapeLeft)
        c.windowMaskSource = "the manifest"
        c.controllerAnswers = [.init("Tabs", .all), .init("Page", .portrait)]
        c.controllerMask = .portrait
        let explanation = OrientationDecision.decide(c).explanation
        #expect(
            explanation.queried.map(\.source) == [
                "the user's lock", "the app's own lock", "the device", "the manifest", "Tabs", "Page",
            ])
        #expect(explanation.queried.last?.answer == "portrait")
        #expect(explanation.notQueried.map(\.source) == ["shouldAutorotate"])
        #expect(explanation.edge == .landscapeLeft && explanation.edgeSource == "a reading")
        #expect(explanation.result == .portrait)
        #expect(
            explanation.sentence
                == "The interface stays in portrait because the device was turned and Page does not allow "
                + "landscapeRight.")
    }

    @Test func `R43: a source that was not queried is listed with the reason`() {
        var c = OrientationCircumstances(.deviceTurned, current: .portrait, device: .landscapeLeft)
        c.ruleSet = .autorotating
        c.shouldAutorotate = false
        let explanation = OrientationDecision.decide(c).explanation
        #expect(explanation.queried.last?.description == "shouldAutorotate: false")
        #expect(explanation.notQueried.first?.description.contains("shouldAutorotate is false") == true)
        c.device = .faceUp
        let flat = OrientationDecision.decide(c).explanation
        #expect(flat.queried.map(\.source) == ["the user's lock"])
        #expect(flat.sentence.contains("no edge is up: the device is faceUp"))
    }

    @Test func `R43: the sentence names the source of the edge`() {
        func sentence(_ change: (inout OrientationCircumstances) -> Void) -> String {
            var c = OrientationCircumstances(.dismissed, current: .portrait, device: .landscapeLeft)
            change(&c)
            return OrientationDecision.decide(c).sentence
        }
        #expect(sentence { _ in }.hasSuffix("and the device is held that way."))
        #expect(
            sentence { $0.userLock = .on(at: .landscapeLeft) }.hasSuffix("and the user's lock holds that edge."))
        #expect(sentence { $0.source = .override }.hasSuffix("and a program overrides the device orientation."))
        let flat = sentence {
            $0.device = .faceUp
            $0.lastEdge = .landscapeLeft
            $0.source = .override
        }
        #expect(
            flat.hasSuffix(
                "turns to landscapeRight because a view controller was dismissed and the device was last held that "
                    + "way."))
    }

    @MainActor @Test(.onBothShapes) func `R43: a window without a root has no explanation and no lock`() throws {
        let stage = Stage(manifest: .portraitFirst)
        let root = stage.page("Root")
        root.prefersLock = true
        try stage.show(root)
        #expect(stage.window.explain() != nil && stage.window.isInterfaceOrientationLocked)
        try stage.window.setRootViewController(nil)
        #expect(stage.window.explain() == nil && !stage.window.isInterfaceOrientationLocked)
        stage.turn(.landscapeLeft)
        #expect(stage.window.explain() == nil && stage.orientation == .portrait)
    }

    @MainActor @Test(.onBothShapes) func `R43: the user's lock explains why the interface does not turn`() throws {
        let (stage, _) = try Stage.showing()
        stage.turn(.landscapeLeft)
        stage.device.lock()
        stage.turn(.portrait)
        let locked = try #require(stage.window.explain())
        #expect(
            locked.sentence
                == "The interface stays in landscapeRight because the rotation lock was turned on and the device is "
                + "not followed until the lock is turned off.")
        #expect(locked.locks == ["the user's lock"] && locked.edge == .landscapeLeft)
        #expect(locked.cause == .lockTurnedOn && locked.result == .landscapeRight)
        #expect(locked.queried.map(\.description) == ["the user's lock: on", "the app's own lock: off"])
        #expect(locked.notQueried.first?.answer == "the user's lock is on, so the device is not followed")
        // Changes of the hierarchy under the lock have their own explanation.
        try stage.window.requestGeometryUpdate(interfaceOrientations: .portrait)
        #expect(stage.window.explain()?.cause == .requested(.portrait))
        stage.device.unlock()
        #expect(stage.window.explain()?.cause == .lockTurnedOff)
    }

    @MainActor @Test(.onBothShapes) func `R43: a lock that moves to another edge is explained with that edge`() throws {
        let (stage, root) = try Stage.showing()
        stage.device.lock()
        try root.present(stage.page("Film"))
        #expect(stage.window.explain()?.edge == .portrait && stage.window.explain()?.cause == .presented)
        stage.device.lock(to: .landscapeLeft)
        let moved = try #require(stage.window.explain())
        #expect(moved.edge == .landscapeLeft && moved.edgeSource == "the user's lock")
        #expect(moved.cause == .lockTurnedOn && moved.result == .portrait && moved.locks == ["the user's lock"])
    }

    @MainActor @Test(.onBothShapes) func `R43: a lock that was turned off without a decision is not listed`() throws {
        for isSuspended in [true, false] {
            let (stage, _) = try Stage.showing()
            stage.device.beginGeneratingDeviceOrientationNotifications()
            stage.device.lock()
            try stage.window.requestGeometryUpdate(interfaceOrientations: .landscapeLeft)
            if isSuspended { stage.application.suspend() } else { stage.window.isHidden = true }
            stage.device.unlock()
            stage.turn(.portraitUpsideDown)
            let explanation = try #require(stage.window.explain())
            #expect(explanation.locks.isEmpty && explanation.queried.map(\.answer) == ["off", "off"])
            #expect(explanation.edge == .portraitUpsideDown && explanation.edgeSource == "a reading")
            #expect(
                explanation.sentence
                    == "The interface stays in landscapeLeft because the rotation lock was turned off and the device is "
                    + "not followed until the window is visible and at rest.")
            #expect(
                explanation.notQueried.first?.answer == "no decision was made since the user's lock was turned off")
            if isSuspended { stage.application.resume() } else { try stage.window.makeKeyAndVisible() }
            #expect(stage.window.explain()?.cause == .windowMadeKey && stage.orientation == .portraitUpsideDown)
        }
    }

    @MainActor @Test(.onBothShapes) func `R43: a lock that is turned off during a turn is not listed`() throws {
        let (stage, root) = try Stage.showing(isAnimated: true)
        stage.device.lock()
        try root.present(stage.page("Film", .landscape))
        #expect(stage.window.isRotating)
        stage.device.unlock()
        let explanation = try #require(stage.window.explain())
        #expect(explanation.locks.isEmpty && explanation.result == stage.orientation)
        stage.clock.run()
        #expect(stage.window.explain()?.cause == .lockTurnedOff)
    }

    @Test func `R43: locks and the source of the edge are listed`() {
        var c = OrientationCircumstances(.deviceTurned, current: .portrait, device: .landscapeLeft)
        c.userLock = .on(at: .portrait)
        c.isLockedByApp = true
        let locked = OrientationDecision.decide(c).explanation
        #expect(locked.locks == ["the user's lock", "the app's own lock"])
        #expect(locked.edgeSource == "the user's lock" && locked.edge == .portrait)
        c.userLock = .off
        c.source = .override
        #expect(OrientationDecision.decide(c).explanation.edgeSource == "an override")
        c.device = .faceUp
        #expect(OrientationDecision.decide(c).explanation.edgeSource.hasPrefix("none"))
    }

    @Test func `R16: an error message names the remedy`() throws {
        var c = OrientationCircumstances(.presented, current: .portrait, device: .portrait)
        c.windowMask = .portrait
        c.windowMaskSource = "the manifest"
        c.controllerMask = .landscape
        c.controller = "Film"
        let error = try #require(OrientationDecision.decide(c).error as? InvalidInterfaceOrientationError)
        #expect(
            error.deviceMask == .all && error.windowMask == .portrait && error.controllerMask == .landscape)
        #expect(
            "\(error)".hasSuffix(
                "let Film support one of portrait, or widen the manifest to one of "
                    + "landscapeRight, landscapeLeft"))
        c.deviceMask = .portrait
        c.windowMask = .all
        // An app cannot widen the device's mask.
        #expect("\(try #require(OrientationDecision.decide(c).error))".hasSuffix("let Film support one of portrait"))
        c.deviceMask = .all
        c.controllerMask = []
        #expect("\(try #require(OrientationDecision.decide(c).error))".contains("have a common orientation"))
        c.windowMask = []
        c.controllerMask = .all
        #expect("\(try #require(OrientationDecision.decide(c).error))".contains("name at least one"))
        c.windowMask = .landscape
        c.deviceMask = .portrait
        #expect(
            "\(try #require(OrientationDecision.decide(c).error))".contains(
                "let the manifest allow one of portrait"))
    }
}
