// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// Changes deferred to the end of a turn are not lost by later ones.
@MainActor @Suite(.onBothShapes) struct WaitingTests {
    @Test func `R33: a push into a presented controller keeps the preference of the presentation`() throws {
        let (stage, root) = try Stage.showing()
        let navigation = NavigationController(rootViewController: stage.page("Film", preferring: .landscapeLeft))
        navigation.defersOrientationToContent = true
        stage.device.orientationDidChange.addObserver(stage) { _, _ in
            try? root.tryPresent(navigation)
            try? navigation.tryPushViewController(stage.page("Page", preferring: .landscapeLeft))
        }
        #expect(stage.turn(.faceUp) == .landscapeLeft && stage.window.explain()?.cause == .presented)
    }

    @Test func `R33: a push after a dismissal keeps the revealed controller's decision`() throws {
        let stage = Stage()
        let navigation = NavigationController(rootViewController: stage.page("First"))
        try stage.show(navigation)
        try navigation.tryPresent(stage.page("Film", preferring: .landscapeLeft))
        stage.device.orientationDidChange.addObserver(stage) { _, _ in
            navigation.dismiss()
            try? navigation.tryPushViewController(stage.page("Second"))
        }
        #expect(stage.turn(.faceUp) == .portrait)
    }

    @Test func `R33: a queried controller can request an update of another window`() throws {
        let stage = Stage()
        let queried = stage.page("Queried")
        try stage.show(queried)
        let page = stage.page("Page", .portrait)
        let other = try stage.addWindow(showing: page, isKey: false)
        stage.turn(.landscapeLeft)
        #expect(other.interfaceOrientation == .portrait)
        page.mask = .all
        queried.onQuery = {
            queried.onQuery = nil
            page.setNeedsUpdateOfSupportedInterfaceOrientations()
        }
        queried.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(other.interfaceOrientation == .landscapeRight)
    }

    /// Requests orientations in a turn; returns what a handler of each receives after `change`.
    private func refusals(
        of masks: [InterfaceOrientationMask], after change: @MainActor (Stage) throws -> Void
    ) throws -> (refusals: [String], stage: Stage) {
        let (stage, root) = try Stage.showing(isAnimated: true)
        stage.device.update(.landscapeLeft)
        root.mask = .landscape
        var refusals: [String] = []
        for mask in masks {
            stage.window.requestGeometryUpdate(.iOS(interfaceOrientations: mask)) { refusals.append("\(mask): \($0)") }
        }
        try change(stage)
        stage.clock.run()
        #expect(stage.errors.isEmpty && !stage.application.isRotating)
        return (refusals, stage)
    }

    @Test func `R23: each refused request that waited has its handler called once, the newest first`() throws {
        let both = try refusals(of: [.portraitUpsideDown, .portrait]) { _ in }
        #expect(both.refusals.map { $0.hasPrefix("portrait: none of") } == [true, false] && both.refusals.count == 2)
        let older = try refusals(of: [.landscapeLeft, .portrait]) { _ in }
        #expect(older.refusals.count == 1 && older.stage.orientation == .landscapeLeft)
        let newer = try refusals(of: [.portrait, .landscapeLeft]) { _ in }
        #expect(newer.refusals.isEmpty && newer.stage.orientation == .landscapeLeft)
    }

    @Test func `R23: a request that waited is refused if the window does not rotate any more`() throws {
        let small = try refusals(of: [.landscape, .landscape]) {
            $0.window.frame = Rect(x: 0, y: 0, width: 10, height: 10)
        }
        #expect(small.refusals.count == 2 && small.refusals.allSatisfy { $0.contains("does not cover its screen") })
        #expect(try refusals(of: [.landscape]) { $0.window.rootViewController = nil }.refusals.count == 1)
    }

    @Test func `R23: what a handler requests is newer than the requests that waited`() throws {
        for hasHandler in [true, false] {
            let (stage, root) = try Stage.showing(isAnimated: true)
            let window = stage.window
            stage.device.update(.landscapeLeft)
            root.mask = [.landscape, .portraitUpsideDown]
            let refused: @MainActor (any Error) -> Void = { _ in
                window.requestGeometryUpdate(.iOS(interfaceOrientations: .portraitUpsideDown))
            }
            if !hasHandler { stage.application.orientationFailureHandler = refused }
            window.requestGeometryUpdate(.iOS(interfaceOrientations: .landscapeLeft))
            window.requestGeometryUpdate(
                .iOS(interfaceOrientations: .portrait), errorHandler: hasHandler ? refused : nil)
            stage.clock.run()
            #expect(stage.orientation == .portraitUpsideDown && stage.errors.isEmpty)
        }
    }

    @Test func `R22: a deferred update without animation has no animation`() throws {
        let (stage, root) = try Stage.showing(isAnimated: true)
        stage.device.update(.landscapeLeft)
        root.mask = .portrait
        stage.application.withoutAnimation { root.setNeedsUpdateOfSupportedInterfaceOrientations() }
        _ = stage.log.take()
        stage.clock.run()
        #expect(stage.log.take().contains("Root.willRotate portrait 0.0"))
    }

    @Test func `R42: suspending an app in a callback of a turn ends the animation`() throws {
        let (stage, root) = try Stage.showing(isAnimated: true)
        root.onWillRotate = { _ in stage.application.suspend() }
        stage.device.update(.landscapeLeft)
        #expect(!stage.window.isRotating && stage.orientation == .landscapeRight)
    }

    /// When the film is dismissed again.
    enum Moment: CaseIterable { case duringTurn, appearance, statusBar, completion, twice }

    @Test(arguments: Moment.allCases, [ModalPresentationStyle.fullScreen, .currentContext])
    func `R21: a controller that a dismissal reveals during the turn returns in its last orientation`(
        moment: Moment, style: ModalPresentationStyle
    ) throws {
        let stage = Stage(.autorotating, manifest: .portraitFirst, isAnimated: true)
        let root = stage.page("Root", .all)
        root.autorotates = false
        try stage.show(root)
        let film = stage.page("Film", .landscape)
        film.modalPresentationStyle = style
        if moment == .appearance { film.onAppear = { _ in root.dismiss() } }
        if moment == .statusBar {
            stage.application.willChangeStatusBarOrientation.addObserver(film) { film, _ in film.dismiss() }
        }
        try root.tryPresent(film) { if moment == .completion { root.dismiss() } }
        stage.clock.advance(by: 0.1)
        if moment == .duringTurn || moment == .twice { root.dismiss() }
        if moment == .twice {
            try root.tryPresent(film)
            stage.clock.advance(by: 0.1)
            root.dismiss()
        }
        stage.clock.run()
        #expect(root.presentedViewController == nil && stage.orientation == .portrait && stage.errors.isEmpty)
        #expect(root.interfaceOrientation == .portrait)
        #expect(stage.turn(.landscapeLeft, .portrait) == .portrait)
    }

    @Test func `R21: a page or tab that is revealed during the turn returns in its last orientation`() throws {
        for isTab in [true, false] {
            let stage = Stage(.autorotating, manifest: .portraitFirst, isAnimated: true)
            let (first, second) = (stage.page("First", .all), stage.page("Second", .landscape))
            first.autorotates = false
            let tabs = TabBarController(viewControllers: isTab ? [first, second] : [])
            let navigation = NavigationController(rootViewController: isTab ? tabs : first)
            (navigation.defersOrientationToContent, tabs.defersOrientationToContent) = (true, true)
            try stage.show(navigation)
            if isTab { try tabs.trySelect(1) } else { try navigation.tryPushViewController(second) }
            stage.clock.advance(by: 0.1)
            if isTab { try tabs.trySelect(0) } else { navigation.popViewController() }
            stage.clock.run()
            #expect(stage.orientation == .portrait && stage.errors.isEmpty)
        }
    }
}
