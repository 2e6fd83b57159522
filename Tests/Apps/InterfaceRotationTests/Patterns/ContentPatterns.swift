// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// The patterns of content: P1 to P4, P11.
@MainActor @Suite(.onBothShapes) struct ContentPatterns {
    @Test(arguments: RuleSet.allCases)
    func `P1: a root controller with its own mask`(ruleSet: RuleSet) throws {
        let stage = Stage(ruleSet)
        try stage.show(LegacyPage("Root", [.portrait, .landscapeLeft], log: stage.log))
        #expect(stage.turn(.landscapeLeft) == .portrait)
        #expect(stage.turn(.landscapeRight) == .landscapeLeft)
        #expect(stage.turn(.portraitUpsideDown, .faceUp) == .landscapeLeft)
        #expect(stage.turn(.portrait) == .portrait)
    }

    @Test(arguments: [RuleSet.modern, .autorotating])
    func `P2: the same inside navigation in a tab bar`(ruleSet: RuleSet) throws {
        let stage = Stage(ruleSet)
        let upright = stage.page("Upright", .portrait)
        let free = stage.page("Free")
        let navigation = NavigationController(rootViewController: upright)
        let tabs = TabBarController(viewControllers: [navigation, free])
        (navigation.defersOrientationToContent, tabs.defersOrientationToContent) = (true, true)
        try stage.show(tabs)
        #expect(stage.turn(.landscapeLeft) == .portrait)
        try tabs.trySelect(1)
        #expect(stage.orientation == .landscapeRight)
        try tabs.trySelect(0)
        #expect(stage.orientation == .portrait)
    }

    /// Returns a portrait app whose delegate returns the root's mask.
    private func portraitApp(_ ruleSet: RuleSet) throws -> (Stage, Page) {
        let (stage, root) = try Stage.showing("Root", .portrait, ruleSet: ruleSet)
        stage.delegate = Delegate { $0?.rootViewController?.supportedInterfaceOrientations ?? .all }
        return (stage, root)
    }

    @Test(arguments: [RuleSet.modern, .autorotating])
    func `P3a: a landscape-only controller is refused, nothing is presented`(ruleSet: RuleSet) throws {
        let (stage, root) = try portraitApp(ruleSet)
        let film = stage.page("Film", .landscape)
        film.autorotates = false
        #expect(throws: InvalidInterfaceOrientationError.self) { try root.tryPresent(film) }
        #expect(root.presentedViewController == nil && stage.orientation == .portrait)
    }

    @Test(arguments: [RuleSet.modern, .autorotating])
    func `P3b: with the default mask its preference has no effect, and explain() names the reason`(ruleSet: RuleSet)
        throws
    {
        let (stage, root) = try portraitApp(ruleSet)
        let film = stage.page("Film", preferring: .landscapeRight)
        film.autorotates = false
        try root.tryPresent(film)
        #expect(root.presentedViewController === film && stage.orientation == .portrait)
        #expect(
            stage.window.explain()?.sentence.hasSuffix(
                "; Film prefers landscapeRight, which the application's delegate does not allow.") == true)
    }

    @Test(arguments: [RuleSet.modern, .autorotating])
    func `P3c: a delegate that widens from before present until before dismiss turns and returns`(
        ruleSet: RuleSet
    ) throws {
        let (stage, root) = try portraitApp(ruleSet)
        let film = stage.page("Film", preferring: .landscapeRight)
        film.autorotates = false
        stage.delegate?.mask = { _ in .allButUpsideDown }
        try root.tryPresent(film)
        #expect(stage.orientation == .landscapeRight)
        stage.delegate?.mask = { $0?.rootViewController?.supportedInterfaceOrientations ?? .all }
        film.dismiss()
        #expect(stage.orientation == .portrait && stage.errors.isEmpty)
    }

    @Test func `P4: a landscape page from a portrait page and back, by deferring`() throws {
        let stage = Stage()
        let navigation = NavigationController(rootViewController: stage.page("First", .portrait))
        navigation.defersOrientationToContent = true
        try visit(stage.page("Wide", .landscape), with: navigation, on: stage)
    }

    @Test(arguments: RuleSet.allCases)
    func `P4: a navigation subclass that returns the mask of its top page turns for a landscape page`(
        ruleSet: RuleSet
    ) throws {
        let stage = Stage(ruleSet)
        let navigation = ByClass(rootViewController: LegacyPage("First", .portrait, log: stage.log))
        try visit(LegacyPage("Wide", .landscape, log: stage.log), with: navigation, on: stage)
    }

    @Test func `P4: the same by the application's delegate alone`() throws {
        let stage = Stage()
        let navigation = NavigationController(rootViewController: stage.page("First"))
        stage.delegate = Delegate { _ in navigation.topViewController?.title == "Wide" ? .landscape : .portrait }
        try visit(stage.page("Wide"), with: navigation, on: stage)
    }

    /// Pushes and pops in portrait, and then with the device in landscape.
    private func visit(_ page: Page, with navigation: NavigationController, on stage: Stage) throws {
        try stage.show(navigation)
        #expect(stage.orientation == .portrait)
        try navigation.tryPushViewController(page)
        #expect(stage.orientation == .landscapeRight)
        navigation.popViewController()
        #expect(stage.orientation == .portrait)
        #expect(stage.turn(.landscapeRight) == .portrait)
        try navigation.tryPushViewController(page)
        #expect(stage.orientation == .landscapeLeft)
        #expect(stage.turn(.landscapeLeft) == .landscapeRight)
        navigation.popViewController()
        #expect(stage.orientation == .portrait)
    }
}
