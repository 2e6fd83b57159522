// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

@MainActor @Suite(.onBothShapes) struct FollowingTests {
    private let stage = Stage()

    @Test func `R1b: the edge is the last one that was up, including that of an override or lock`() {
        let device = Device.notifying()
        #expect(device.edge == nil)
        device.update(.landscapeLeft)
        device.update(.faceUp)
        #expect(device.edge == .landscapeLeft)
        device.overrideOrientation(.portraitUpsideDown)
        #expect(device.edge == .portraitUpsideDown)
        device.lock(to: .landscapeRight)
        #expect(device.edge == .landscapeRight)
        device.unlock()
        #expect(device.edge == .portraitUpsideDown)
        device.update(OrientationState(orientation: .faceUp, lastEdge: .portrait, sequence: 1, instance: "a"))
        #expect(device.edge == .portraitUpsideDown)
        device.clearOverride()
        #expect(device.edge == .portrait)
    }

    @Test func `R16: a presentation without a common orientation is undone, without callbacks`() throws {
        stage.delegate = Delegate { _ in .portrait }
        let page = stage.page("Page")
        let navigation = try NavigationController(rootViewController: page)
        navigation.defersOrientationToContent = true
        let tabs = try TabBarController(viewControllers: [navigation, stage.page("Wide", .landscape)])
        tabs.defersOrientationToContent = true
        try stage.show(tabs)
        let film = stage.page("Film", .landscape)
        #expect(throws: InvalidInterfaceOrientationError.self) { try page.present(film) }
        #expect(throws: InvalidInterfaceOrientationError.self) { try navigation.pushViewController(film) }
        #expect(throws: InvalidInterfaceOrientationError.self) { try tabs.select(1) }
        #expect(throws: InvalidInterfaceOrientationError.self) {
            try stage.window.setRootViewController(film)
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
        try root.present(film)
        stage.delegate = Delegate { _ in .landscape }
        try film.dismiss()
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

    @Test func `R18: an edge that was up before is not new`() throws {
        let (stage, root) = try Stage.showing()
        root.logsQuestions = true
        stage.turn(.faceUp, .portrait, .faceDown, .unknown, .portrait)
        #expect(stage.log.take().isEmpty)
        stage.turn(.landscapeLeft)
        #expect(stage.log.take().first == "Root.supported")
    }

    @Test func `R19: an undetermined edge keeps the orientation`() throws {
        let (stage, _) = try Stage.showing()
        #expect(stage.turn(.landscapeLeft, .faceUp) == .landscapeRight)
        #expect(stage.turn(.unknown) == .landscapeRight && stage.device.orientation == .unknown)
    }

    @Test func `R22: an update follows the edge, new or not`() throws {
        let (stage, root) = try Stage.showing("Root", .portrait)
        stage.turn(.landscapeLeft)
        root.mask = .all
        #expect(stage.orientation == .portrait)
        root.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .landscapeRight)
        root.update(mask: [])
        #expect(stage.errors.map { $0 is InvalidInterfaceOrientationError } == [true])
        #expect(stage.orientation == .landscapeRight)
    }

    @Test func `R23: a request holds until the next new edge`() throws {
        let (stage, root) = try Stage.showing()
        try stage.window.requestGeometryUpdate(interfaceOrientations: .landscapeLeft)
        #expect(stage.orientation == .landscapeLeft)
        root.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.turn(.faceUp, .portrait) == .landscapeLeft)
        #expect(stage.turn(.landscapeLeft) == .landscapeRight)
        stage.turn(.portrait)
        root.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .portrait)
    }

    @Test func `R20: turning the lock off ends a request and follows the device`() throws {
        let (stage, root) = try Stage.showing()
        let film = stage.page("Film", .portrait)
        try stage.window.requestGeometryUpdate(interfaceOrientations: .landscapeLeft)
        stage.device.lock()
        stage.turn(.portraitUpsideDown, .portrait)
        // Neither turning the lock on nor an edge under it ends a request.
        try root.present(film)
        try film.dismiss()
        #expect(stage.orientation == .landscapeLeft)
        stage.device.unlock()
        #expect(stage.orientation == .portrait)
        root.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .portrait)
        // Also if the edge is not allowed at that time.
        try stage.window.requestGeometryUpdate(interfaceOrientations: .landscapeLeft)
        root.mask = .landscape
        stage.device.lock()
        stage.device.unlock()
        #expect(stage.orientation == .landscapeLeft)
        root.update(mask: .all)
        #expect(stage.orientation == .portrait)
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
        let navigation = try NavigationController(rootViewController: page)
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
        let navigation = try NavigationController(rootViewController: root)
        let tabs = try TabBarController(viewControllers: [navigation])
        // A query of the topmost controller would return the preference of its content.
        (navigation.defersOrientationToContent, tabs.defersOrientationToContent) = (true, true)
        try stage.show(tabs)
        let film = stage.page("Film", .all, preferring: .landscapeLeft)
        film.logsQuestions = true
        try navigation.pushViewController(film)
        navigation.popViewController()
        try tabs.setViewControllers([navigation, film])
        try tabs.select(1)
        try tabs.setViewControllers([navigation])
        #expect(stage.orientation == .portrait)
        film.modalPresentationStyle = .formSheet
        try root.present(film)
        try film.dismiss()
        #expect(!stage.log.take().contains("Film.preferred"))
        film.modalPresentationStyle = .fullScreen
        try root.present(film)
        #expect(stage.orientation == .landscapeLeft)
        #expect(stage.log.take().filter { $0 == "Film.preferred" }.count == 1)
        stage.turn(.landscapeLeft, .portrait)
        #expect(!stage.log.take().contains("Film.preferred"))
        film.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.log.take().filter { $0 == "Film.preferred" }.count == 1)
    }

    @Test func `R25: in .autorotating a presented controller that does not autorotate keeps its orientation`() throws {
        for (ruleSet, afterTurn) in [
            (RuleSet.autorotating, InterfaceOrientation.landscapeLeft), (.modern, .landscapeRight),
        ] {
            let (stage, root) = try Stage.showing("Root", .portrait, ruleSet: ruleSet)
            let film = stage.page("Film", .landscape, preferring: .landscapeLeft)
            film.autorotates = false
            try root.present(film)
            #expect(stage.turn(.landscapeLeft) == afterTurn)
            film.update(mask: .landscapeRight)
            #expect(stage.orientation == .landscapeRight)
            try film.dismiss()
            #expect(stage.orientation == .portrait)
        }
    }

    @Test func `R21: a root that does not autorotate reappears in its last orientation`() throws {
        let (stage, root) = try Stage.showing(ruleSet: .autorotating)
        let navigation = try NavigationController(rootViewController: stage.page("First"))
        navigation.defersOrientationToContent = true
        for (departs, shown) in [(false, root as ViewController), (true, navigation)] {
            try stage.window.setRootViewController(shown)
            stage.turn(.landscapeRight, .portrait)
            root.autorotates = false
            (navigation.topViewController as? Page)?.autorotates = false
            let film = stage.page("Film", .landscape)
            film.autorotates = false
            if departs { try navigation.pushViewController(film) } else { try root.present(film) }
            #expect(stage.orientation.isLandscape)
            stage.turn(.portraitUpsideDown)
            if departs { navigation.popViewController() } else { try root.dismiss() }
            #expect(stage.orientation == .portrait)
        }
    }

    @Test func `R24: a preference applies only to its own presentation`() throws {
        let (stage, root) = try Stage.showing("Root", .portrait)
        stage.delegate = Delegate { _ in .portrait }
        let film = stage.page("Film", .landscape, preferring: .landscapeLeft)
        #expect(throws: InvalidInterfaceOrientationError.self) { try root.present(film) }
        stage.delegate?.mask = { _ in .landscape }
        try stage.window.setRootViewController(film)
        #expect(stage.orientation == .landscapeRight)
    }
}
