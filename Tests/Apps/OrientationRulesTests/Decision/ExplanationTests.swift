// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationRules

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
        #expect(flat.sentence.contains("no edge is up: the device is face up"))
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
