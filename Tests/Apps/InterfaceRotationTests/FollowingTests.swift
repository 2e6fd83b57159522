// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

@MainActor @Suite(.onBothShapes) struct FollowingTests {
    private let stage = Stage()

    @Test func `R16: a refused change of children moves none of them`() throws {
        let root = stage.page("Root")
        let navigation = NavigationController(rootViewController: root)
        try stage.show(navigation)
        let (page, child) = (stage.page("Page"), stage.page("Child"))
        stage.delegate = Delegate { _ in [] }
        #expect(throws: InvalidInterfaceOrientationError.self) { try navigation.trySetViewControllers([page]) }
        #expect(throws: InvalidInterfaceOrientationError.self) { try root.tryAddChild(child) }
        #expect(!root.isMovingToParent && !page.isMovingFromParent && !child.isMovingFromParent)
    }

    @Test func `R16: a presentation without a common orientation is undone, without callbacks`() throws {
        stage.delegate = Delegate { _ in .portrait }
        let page = stage.page("Page")
        let navigation = NavigationController(rootViewController: page)
        navigation.defersOrientationToContent = true
        let tabs = TabBarController(viewControllers: [navigation, stage.page("Wide", .landscape)])
        tabs.defersOrientationToContent = true
        try stage.show(tabs)
        let film = stage.page("Film", .landscape)
        #expect(throws: InvalidInterfaceOrientationError.self) { try page.tryPresent(film) }
        #expect(throws: InvalidInterfaceOrientationError.self) { try navigation.tryPushViewController(film) }
        #expect(throws: InvalidInterfaceOrientationError.self) { try tabs.trySelect(1) }
        #expect(throws: InvalidInterfaceOrientationError.self) {
            try stage.window.trySetRootViewController(film)
        }
        #expect(stage.log.take().isEmpty)
        #expect(page.presentedViewController == nil && film.presentingViewController == nil)
        #expect(navigation.viewControllers.count == 1 && film.parent == nil && tabs.selectedIndex == 0)
        #expect(stage.window.rootViewController === tabs && stage.orientation == .portrait)
        #expect(stage.errors.isEmpty)
        #expect(!film.isViewLoaded)
    }

    @Test func `R16: a dismissal always happens, and its error goes to the handler`() throws {
        let (stage, root) = try Stage.showing("Root", .portrait)
        let film = stage.page("Film", .landscape)
        try root.tryPresent(film)
        stage.delegate = Delegate { _ in .landscape }
        film.dismiss()
        #expect(root.presentedViewController == nil)
        #expect(stage.orientation == .landscapeRight)
        let error = try #require(stage.errors.first as? InvalidInterfaceOrientationError)
        #expect(error.controller == "Root" && error.windowMask == .landscape)
    }

    @Test func `R17: shouldAutorotate is queried before the mask, in .autorotating only`() throws {
        for (ruleSet, queries) in [
            (RuleSet.modern, ["Root.supported"]),
            (.autorotating, ["Root.shouldAutorotate", "Root.supported"]),
        ] {
            let (stage, root) = try Stage.showing("Root", .portrait, ruleSet: ruleSet)
            root.logsQuestions = true
            stage.turn(.landscapeLeft)
            #expect(stage.log.take() == queries)
        }
    }

    @Test func `R23: each refused request throws its reason`() throws {
        let root = stage.page("Root", .portrait)
        #expect(throws: HierarchyError.windowDoesNotRotate) {
            try stage.window.requestGeometryUpdate(interfaceOrientations: .all)
        }
        try stage.show(root)
        let none = GeometryRequestError.noneSupported(requested: .landscape, supported: .portrait)
        #expect(throws: none) { try stage.window.requestGeometryUpdate(interfaceOrientations: .landscape) }
        #expect(throws: GeometryRequestError.emptyRequest) {
            try stage.window.requestGeometryUpdate(interfaceOrientations: [])
        }
        root.update(prefersLock: true)
        #expect(throws: GeometryRequestError.locked) {
            try stage.window.requestGeometryUpdate(interfaceOrientations: .portrait)
        }
        stage.window.frame = Rect(x: 0, y: 0, width: 100, height: 100)
        #expect(throws: GeometryRequestError.notCoveringScreen) {
            try stage.window.requestGeometryUpdate(interfaceOrientations: .portrait)
        }
    }

    @Test func `R23: a refused request needs no update before the next one`() throws {
        let page = stage.page("Page", .portrait)
        let navigation = NavigationController(rootViewController: page)
        navigation.defersOrientationToContent = true
        try stage.show(navigation)
        do {
            try stage.window.requestGeometryUpdate(interfaceOrientations: .landscape)
            Issue.record("the request was granted")
        } catch let error as GeometryRequestError {
            #expect("\(error)".hasSuffix("explain() names the controller that refuses"))
            #expect(!"\(error)".contains("setNeedsUpdate"))
        }
        page.mask = .all
        try stage.window.requestGeometryUpdate(interfaceOrientations: .landscape)
        #expect(stage.orientation.isLandscape)
    }

    @Test func `R24: the preferred orientation is queried for presentations, and for updates of what is presented`()
        throws
    {
        let root = stage.page("Root")
        let navigation = NavigationController(rootViewController: root)
        let tabs = TabBarController(viewControllers: [navigation])
        // A query of the topmost controller would return the preference of its content.
        (navigation.defersOrientationToContent, tabs.defersOrientationToContent) = (true, true)
        try stage.show(tabs)
        let film = stage.page("Film", .all, preferring: .landscapeLeft)
        film.logsQuestions = true
        try navigation.tryPushViewController(film)
        navigation.popViewController()
        try tabs.trySetViewControllers([navigation, film])
        try tabs.trySelect(1)
        try tabs.trySetViewControllers([navigation])
        #expect(stage.orientation == .portrait)
        film.modalPresentationStyle = .formSheet
        try root.tryPresent(film)
        film.dismiss()
        #expect(!stage.log.take().contains("Film.preferred"))
        film.modalPresentationStyle = .fullScreen
        try root.tryPresent(film)
        #expect(stage.orientation == .landscapeLeft)
        #expect(stage.log.take().filter { $0 == "Film.preferred" }.count == 1)
        stage.turn(.landscapeLeft, .portrait)
        #expect(!stage.log.take().contains("Film.preferred"))
        film.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.log.take().filter { $0 == "Film.preferred" }.count == 1)
    }

    @Test func `R21: a root that does not autorotate reappears in its last orientation`() throws {
        let (stage, root) = try Stage.showing(ruleSet: .autorotating)
        let navigation = NavigationController(rootViewController: stage.page("First"))
        navigation.defersOrientationToContent = true
        for (departs, shown) in [(false, root as ViewController), (true, navigation)] {
            try stage.window.trySetRootViewController(shown)
            stage.turn(.landscapeRight, .portrait)
            root.autorotates = false
            (navigation.topViewController as? Page)?.autorotates = false
            let film = stage.page("Film", .landscape)
            film.autorotates = false
            if departs { try navigation.tryPushViewController(film) } else { try root.tryPresent(film) }
            #expect(stage.orientation.isLandscape)
            stage.turn(.portraitUpsideDown)
            if departs { navigation.popViewController() } else { root.dismiss() }
            #expect(stage.orientation == .portrait)
        }
    }
}
