// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

@MainActor @Suite(.onBothShapes) struct LockTests {
    @Test func `R20: under the user's lock the app reads the locked orientation and nothing is posted`() throws {
        let (stage, _) = try Stage.showing()
        let changes = ChangeLog(stage.device)
        stage.device.lock()
        stage.turn(.landscapeLeft, .faceUp, .portraitUpsideDown)
        #expect(stage.device.orientation == .portrait && stage.device.edge == .portrait)
        #expect(changes.lines.isEmpty && stage.orientation == .portrait)
        stage.device.unlock()
        #expect(changes.lines == ["portrait → portraitUpsideDown"])
        #expect(stage.orientation == .portraitUpsideDown)
    }

    @Test func `R20: the lock keeps the orientation that is set with it`() throws {
        let (stage, root) = try Stage.showing()
        stage.device.lock(to: .landscapeRight)
        #expect(stage.device.orientation == .landscapeRight && stage.orientation == .portrait)
        // Changes of the hierarchy under the lock use the locked edge.
        let film = stage.page("Film", .landscape)
        try root.present(film)
        #expect(stage.orientation == .landscapeLeft)
        try film.dismiss()
        #expect(stage.orientation == .landscapeLeft)
        try stage.window.requestGeometryUpdate(interfaceOrientations: .portrait)
        #expect(stage.orientation == .portrait)
    }

    @Test func `R20: the daemon's states turn the lock on and off`() throws {
        let (stage, _) = try Stage.showing()
        stage.device.update(state(.portrait, lockedTo: .portrait))
        stage.device.update(state(.landscapeLeft, lockedTo: .portrait))
        #expect(stage.orientation == .portrait && stage.device.orientation == .portrait)
        stage.device.update(state(.landscapeLeft))
        #expect(stage.orientation == .landscapeRight)
    }

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
        try late.window.setRootViewController(late.page("Root"))
        try late.window.makeKeyAndVisible()
        late.clock.run()
        late.device.update(locked)
        #expect(late.window.isRotating && late.window.explain()?.edgeSource == "the user's lock")
    }

    @Test func `R20: the app's own lock stops turns, and the device is followed when it is turned off`() throws {
        let (stage, root) = try Stage.showing()
        root.prefersLock = true
        #expect(!stage.window.isInterfaceOrientationLocked)
        root.setNeedsUpdateOfPrefersInterfaceOrientationLocked()
        #expect(stage.window.isInterfaceOrientationLocked)
        stage.turn(.landscapeLeft)
        root.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .portrait)
        #expect(stage.window.explain()?.locks == ["the app's own lock"])
        root.update(prefersLock: false)
        #expect(stage.orientation == .landscapeRight)
    }

    @Test func `R20: the app's own lock holds only while its controller is uncovered and its window is key`() throws {
        let stage = Stage()
        let root = stage.page("Root")
        root.prefersLock = true
        try stage.show(root)
        #expect(stage.window.isInterfaceOrientationLocked)
        let sheet = stage.page("Sheet")
        sheet.modalPresentationStyle = .pageSheet
        try root.present(sheet)
        #expect(!stage.window.isInterfaceOrientationLocked)
        #expect(stage.turn(.landscapeLeft) == .landscapeRight)
        try sheet.dismiss()
        #expect(stage.window.isInterfaceOrientationLocked)
        let film = stage.page("Film")
        try root.present(film)
        #expect(!stage.window.isInterfaceOrientationLocked)
        try film.dismiss()
        let other = try stage.addWindow(showing: stage.page("Other"))
        #expect(!stage.window.isInterfaceOrientationLocked)
        other.isHidden = true
        #expect(stage.window.isInterfaceOrientationLocked)
    }

    @Test(arguments: [RuleSet.autorotating, .legacy])
    func `R27: the older rule sets lack the app's own lock and requests only`(ruleSet: RuleSet) throws {
        let stage = Stage(ruleSet)
        let root = stage.page("Root")
        root.prefersLock = true
        try stage.show(root)
        root.setNeedsUpdateOfPrefersInterfaceOrientationLocked()
        #expect(!stage.window.isInterfaceOrientationLocked)
        #expect(stage.turn(.landscapeLeft) == .landscapeRight)
        let error = UnavailableError.self
        #expect(throws: error) { try stage.window.requestGeometryUpdate(interfaceOrientations: .portrait) }
        stage.device.lock()
        #expect(stage.turn(.portrait) == .landscapeRight)
    }

    @Test func `R26: an override is posted, holds until the device turns, and respects the lock`() throws {
        let (stage, _) = try Stage.showing()
        let changes = ChangeLog(stage.device)
        stage.device.overrideOrientation(.landscapeLeft)
        stage.device.overrideOrientation(.landscapeLeft)
        stage.turn(.faceUp, .portrait, .unknown)
        #expect(changes.lines == ["portrait → landscapeLeft"])
        #expect(stage.orientation == .landscapeRight)
        #expect(stage.window.explain()?.edgeSource == "an override")
        stage.turn(.portraitUpsideDown)
        #expect(changes.lines.last == "landscapeLeft → portraitUpsideDown")
        #expect(stage.orientation == .portraitUpsideDown)
        stage.device.lock()
        stage.device.overrideOrientation(.landscapeRight)
        #expect(stage.orientation == .portraitUpsideDown && changes.lines.count == 2)
    }

    @Test func `R26: the same override again has an effect only after a reset, which posts nothing`() throws {
        let (stage, _) = try Stage.showing()
        let changes = ChangeLog(stage.device)
        stage.device.overrideOrientation(.landscapeLeft)
        try stage.window.requestGeometryUpdate(interfaceOrientations: .portrait)
        stage.device.overrideOrientation(.landscapeLeft)
        #expect(stage.orientation == .portrait)
        stage.device.overrideOrientation(.unknown)
        #expect(changes.lines.count == 1)
        stage.device.overrideOrientation(.landscapeLeft)
        #expect(stage.orientation == .landscapeRight)
        #expect(changes.lines.count == 2)
    }

    @Test func `R28: .legacy queries every child in raw order, and one refusal suffices`() throws {
        let stage = Stage(.legacy)
        let seen = LegacyPage("Seen", .all, log: stage.log)
        let unseen = LegacyPage("Unseen", [.portrait, .landscapeLeft], log: stage.log)
        let tabs = try TabBarController(viewControllers: [seen, NavigationController(rootViewController: unseen)])
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
        let navigation = try NavigationController(rootViewController: list)
        let tab = LegacyPage("Tab", .all, log: stage.log)
        let tabs = try TabBarController(viewControllers: [navigation, tab])
        try stage.show(tabs)
        try navigation.pushViewController(photo)
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

    @Test func `R20: the device is followed when the app's own lock is turned off under a sheet`() throws {
        let stage = Stage(manifest: .portraitFirst)
        let root = stage.page("Root")
        root.prefersLock = true
        try stage.show(root)
        #expect(stage.turn(.landscapeLeft) == .portrait)
        let sheet = stage.page("Sheet")
        sheet.modalPresentationStyle = .formSheet
        try root.present(sheet)
        root.update(prefersLock: false)
        #expect(stage.orientation == .landscapeRight)
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
