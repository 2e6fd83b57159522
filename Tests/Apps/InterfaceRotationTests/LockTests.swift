// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

@MainActor @Suite(.onBothShapes) struct LockTests {
    @Test func `R20: an app that starts under the lock, before the daemon reports it, is shown at the locked edge`()
        throws
    {
        let locked = state(.portrait, lockedTo: .landscapeLeft)
        for (mask, expected) in [
            (InterfaceOrientationMask.all, InterfaceOrientation.landscapeRight), (.portrait, .portrait),
        ] {
            let stage = Stage(isAnimated: true)
            try stage.launch(stage.page("Root", mask))
            let changes = ChangeLog(stage.device)
            stage.device.update(locked)
            #expect(stage.orientation == expected && !stage.window.isRotating && changes.lines.isEmpty)
            // Only at the first edge: a lock that is turned on later turns nothing.
            stage.device.lock(to: .portraitUpsideDown)
            #expect(stage.orientation == expected)
        }
        let late = Stage(manifest: .portraitFirst, isAnimated: true)
        try late.window.trySetRootViewController(late.page("Root"))
        try late.window.tryMakeKeyAndVisible()
        late.clock.run()
        late.device.update(locked)
        #expect(late.window.isRotating && late.window.explain()?.edgeSource == "the user's lock")
    }

    @Test func `R20: a lock without an edge of its own holds the device's edge, not that of an override`() throws {
        let (stage, _) = try Stage.showing()
        stage.device.overrideOrientation(.landscapeLeft)
        for orientation in [DeviceOrientation.portrait, .portraitUpsideDown] {
            stage.device.update(
                OrientationState(
                    orientation: orientation, lastEdge: Edge(orientation), natural: Stage.shape.natural, isLocked: true,
                    sequence: 1, instance: "a"))
            #expect(stage.device.orientation == .portrait)
        }
        stage.turn(.faceUp)
        try stage.window.rootViewController?.tryPresent(stage.page("Film", [.portrait, .landscapeLeft]))
        #expect(stage.orientation == .portrait)
    }

    @Test func `R28: .legacy queries every child in raw order, and one refusal suffices`() throws {
        let stage = Stage(.legacy)
        let seen = LegacyPage("Seen", .all, log: stage.log)
        let unseen = LegacyPage("Unseen", [.portrait, .landscapeLeft], log: stage.log)
        let tabs = TabBarController(viewControllers: [seen, NavigationController(rootViewController: unseen)])
        try stage.show(tabs)
        (seen.logsQuestions, unseen.logsQuestions) = (true, true)
        #expect(stage.turn(.landscapeLeft) == .portrait)
        #expect(stage.window.explain()?.sentence.contains("and Unseen does not allow landscapeRight") == true)
        #expect(
            stage.log.take().filter { $0.hasPrefix("Unseen") }
                == ["portrait", "portraitUpsideDown", "landscapeRight", "landscapeLeft"].map { "Unseen.\($0)?" })
        #expect(stage.turn(.landscapeRight) == .landscapeLeft)
        unseen.mask = []
        #expect(stage.turn(.portrait) == .landscapeLeft && stage.errors.isEmpty)
    }

    @Test func `R28: a navigation controller queries its top page only, a tab bar controller every tab`() throws {
        let stage = Stage(.legacy)
        let list = LegacyPage("List", .portrait, log: stage.log)
        let photo = LegacyPage("Photo", .all, log: stage.log)
        let navigation = NavigationController(rootViewController: list)
        let tab = LegacyPage("Tab", .all, log: stage.log)
        let tabs = TabBarController(viewControllers: [navigation, tab])
        try stage.show(tabs)
        try navigation.tryPushViewController(photo)
        list.logsQuestions = true
        #expect(stage.turn(.landscapeLeft) == .landscapeRight && !stage.log.take().contains("List.portrait?"))
        // An update has no effect on a page that is not queried, but it has on an invisible tab.
        photo.mask = .portrait
        list.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .landscapeRight)
        photo.mask = .all
        tab.update(mask: .portrait)
        #expect(stage.orientation == .portrait)
        tab.update(mask: .all)
        #expect(stage.orientation == .landscapeRight)
        navigation.popViewController()
        #expect(stage.orientation == .portrait)
    }

    @Test func `R28: a controller without children allows portrait on a phone, everything on a pad`() throws {
        for (idiom, after) in [(UserInterfaceIdiom.phone, InterfaceOrientation.portrait), (.pad, .landscapeRight)] {
            let (stage, _) = try Stage.showing(
                ruleSet: .legacy, idiom: idiom, manifest: OrientationManifest([.portrait]))
            #expect(stage.turn(.landscapeLeft) == after)
        }
        let both = LegacyPage("Both", .landscape, log: Log())
        #expect(InterfaceOrientationMask.mask(fromLegacy: both) == .landscape)
    }

    @Test func `R27: attemptRotationToDeviceOrientation queries again in every rule set`() throws {
        for ruleSet in RuleSet.allCases {
            let stage = Stage(ruleSet)
            let root = LegacyPage("Root", .portrait, log: stage.log)
            try stage.show(root)
            stage.turn(.landscapeLeft)
            root.mask = .all
            stage.application.attemptRotationToDeviceOrientation()
            #expect(stage.orientation == .landscapeRight)
        }
    }
}

/// Records a device's notifications.
@MainActor final class ChangeLog {
    var lines: [String] = []

    init(_ device: Device) {
        device.orientationDidChange.addObserver(self) { changes, change in
            changes.lines.append("\(change.old) → \(change.new)")
        }
    }
}
