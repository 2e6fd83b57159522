// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

@MainActor @Suite(.onBothShapes) struct ReentrancyTests {
    @Test func `R33: changes during a turn are evaluated after its completions, the newest of each kind`() throws {
        let (stage, _) = try Stage.showing(isAnimated: true)
        stage.device.update(.landscapeLeft)
        stage.clock.advance(by: 0)
        stage.clock.advance(by: 0.1)
        stage.device.update(.portraitUpsideDown)
        stage.device.update(.landscapeRight)
        #expect(stage.orientation == .landscapeRight)
        _ = stage.log.take()
        stage.clock.run()
        #expect(
            stage.log.take().filter { $0.contains("Rotate") } == [
                "Root.didRotate portrait", "Root.willRotate landscapeLeft 0.6", "Root.didRotate landscapeRight",
            ])
        #expect(stage.orientation == .landscapeLeft)
    }

    @Test
    func `R33: a presentation in a callback does not prevent the end of the turn for the controllers that started it`()
        throws
    {
        let stage = Stage()
        let root = stage.page("Root")
        let film = stage.page("Film", .portrait)
        try stage.show(root)
        root.onWillRotate = { root in
            root.onWillRotate = nil
            do { try root.tryPresent(film) } catch { stage.log.note("\(error)") }
        }
        stage.turn(.landscapeLeft)
        #expect(root.presentedViewController === film && stage.orientation == .portrait)
        // The root was covered during its turn: it gets disappearance callbacks and no end of the turn.
        let calls = stage.log.take()
        #expect(!calls.contains("Root.didRotate portrait"))
        #expect(calls.filter { $0.hasPrefix("Root.") }.suffix(2) == ["Root.willDisappear", "Root.didDisappear"])
        #expect(calls.filter { $0.hasPrefix("Film.") && $0.contains("ppear") }.count == 2)
        #expect(stage.errors.isEmpty)
    }

    @Test func `R33: a callback can dismiss the controller that turns`() throws {
        let (stage, root) = try Stage.showing("Root", .portrait)
        let film = stage.page("Film")
        try root.tryPresent(film)
        _ = stage.log.take()
        film.onWillRotate = { film in film.dismiss() }
        stage.turn(.landscapeLeft)
        #expect(root.presentedViewController == nil && stage.orientation == .portrait)
        #expect(
            stage.log.take().filter { $0.hasPrefix("Film.") }.suffix(2) == ["Film.willDisappear", "Film.didDisappear"])
        #expect(root.view.window != nil && film.view.window == nil)
    }

    @Test func `R33: a controller that changes its mask in a callback is queried again afterwards`() throws {
        let (stage, root) = try Stage.showing()
        root.onDidRotate = { root in
            root.onDidRotate = nil
            root.update(mask: .portrait)
            #expect(stage.orientation == .landscapeRight)
        }
        #expect(stage.turn(.landscapeLeft) == .portrait)
    }

    @Test func `R33: a request in a callback is deferred, and a newer edge ends it`() throws {
        let (stage, root) = try Stage.showing(isAnimated: true)
        root.onWillRotate = { root in
            root.onWillRotate = nil
            try? stage.window.requestGeometryUpdate(interfaceOrientations: .portraitUpsideDown)
        }
        #expect(stage.turn(.landscapeLeft) == .portraitUpsideDown)
        root.onWillRotate = { root in
            root.onWillRotate = nil
            try? stage.window.requestGeometryUpdate(interfaceOrientations: .portraitUpsideDown)
            stage.device.update(.landscapeRight)
        }
        #expect(stage.turn(.portrait) == .landscapeLeft)
    }

    @Test func `R33: two controllers that turn each other back are stopped after eight turns`() throws {
        let (stage, root) = try Stage.showing("Root", .portrait)
        root.onDidRotate = { root in
            root.update(mask: root.mask == .portrait ? .landscape : .portrait)
        }
        root.update(mask: .landscape)
        #expect(stage.errors.count == 1)
        let error = stage.errors.first as? RotationDoesNotSettleError
        #expect(error?.count == 8 && error?.repetition == .turns)
        #expect(stage.log.take().filter { $0.contains("willRotate") }.count == 8)
        // A new cause from outside resets the count.
        root.onDidRotate = nil
        root.update(mask: .landscape)
        #expect(stage.orientation.isLandscape)
    }

    @Test func `R33: two controllers that present each other endlessly are stopped`() throws {
        let stage = Stage()
        let root = stage.page("Root")
        let film = stage.page("Film")
        root.onAppear = { root in try? root.tryPresent(film) }
        film.onAppear = { film in film.dismiss() }
        try stage.launch(root)
        #expect(stage.errors.contains { ($0 as? RotationDoesNotSettleError)?.repetition == .changes })
        root.onAppear = nil
        film.onAppear = nil
        #expect(stage.turn(.portrait, .landscapeLeft) == .landscapeRight)
    }

    @Test func `R33: a controller can change the hierarchy while it is queried`() throws {
        let stage = Stage()
        let (root, film) = (stage.page("Root"), stage.page("Film", .portrait))
        try stage.show(root)
        root.onQuery = {
            root.onQuery = nil
            root.present(film)
        }
        stage.turn(.landscapeLeft)
        #expect(root.presentedViewController != nil && stage.orientation == .portrait)
        #expect(stage.errors.isEmpty)
    }

    @Test func `R34: a presentation in a device observer is part of the same evaluation`() throws {
        let (stage, root) = try Stage.showing()
        let film = stage.page("Film", .landscape)
        stage.device.orientationDidChange.addObserver(stage) { _, change in
            stage.log.note("handler \(stage.orientation)")
            if change.new.isLandscape { try? root.tryPresent(film) } else { film.dismiss() }
        }
        stage.turn(.landscapeRight)
        #expect(
            stage.log.take() == [
                "handler portrait", "Film.didLoad", "Root.willDisappear", "Film.willAppear landscapeLeft",
                "Film.didAppear", "Root.didDisappear",
            ])
        #expect(stage.turn(.portrait) == .portrait && root.presentedViewController == nil)
    }

    @Test func `R16: a presentation in a device observer throws immediately if there is no common orientation`() throws
    {
        let (stage, root) = try Stage.showing("Root", .portrait)
        stage.delegate = Delegate { _ in .portrait }
        var failure: (any Error)?
        stage.device.orientationDidChange.addObserver(stage) { _, _ in
            do { try root.tryPresent(stage.page("Film", .landscape)) } catch { failure = error }
        }
        stage.turn(.landscapeLeft)
        #expect(failure is InvalidInterfaceOrientationError)
        #expect(root.presentedViewController == nil && stage.orientation == .portrait)
    }

    /// The step of a turn in which a controller leaves that the beginning of the turn has shown.
    enum LaterStep: CaseIterable { case layout, geometry, alongside }

    @Test(arguments: LaterStep.allCases, [true, false])
    func `R33: what callbacks of one turn show and remove leaves the screen as it was`(step: LaterStep, isPage: Bool)
        throws
    {
        for (isAnimated, pushesLate) in [(true, true), (true, false), (false, true), (false, false)] {
            let (stage, delegate) = (Stage(isAnimated: isAnimated), Answering())
            let (root, film) = (stage.page("Root"), stage.page("Film"))
            let navigation = NavigationController(rootViewController: root)
            try stage.show(navigation)
            delegate.mask = .all
            stage.window.delegate = delegate
            let come = { isPage ? navigation.pushViewController(film) : navigation.present(film) }
            let leave: @MainActor () -> Void = {
                if isPage { navigation.popViewController() } else { navigation.dismiss() }
            }
            root.onWillRotate = { page in
                if step == .alongside { page.transitionCoordinator?.animate { _ in leave() } }
                if !pushesLate { come() }
            }
            root.onTransition = { _, _ in if pushesLate { come() } }
            if step == .layout { film.onLayout = leave }
            if step == .geometry { delegate.onUpdate = leave }
            root.onDidRotate = { $0.note("size \($0.view.bounds.size.short)") }
            stage.turn(.landscapeLeft)
            #expect(root.view.window === stage.window && film.viewIfLoaded?.window == nil && stage.errors.isEmpty)
            #expect(root.view.bounds.size == Size(width: 568, height: 320))
            #expect(navigation.view.effectiveTransform == InterfaceOrientation.landscapeRight.transform)
            let calls = stage.log.take()
            #expect(!calls.contains { $0.contains("ppear") } && calls.contains("Root.size 568×320"))
        }
    }

    @Test func `R33: many changes in one turn keep hierarchy and appearance callbacks consistent`() throws {
        let stage = Stage(isAnimated: true)
        let pages = (0..<4).map { stage.page("Page\($0)") }
        let navigation = NavigationController(rootViewController: pages[0])
        try stage.show(navigation)
        stage.device.update(.landscapeLeft)
        try navigation.tryPushViewController(pages[1])
        try navigation.tryPushViewController(pages[2])
        navigation.popViewController()
        try navigation.tryPushViewController(pages[3])
        navigation.popToRootViewController()
        stage.clock.run()
        let calls = stage.log.take()
        let round = ["willAppear landscapeRight", "didAppear", "willDisappear", "didDisappear"]
        for (page, rounds) in zip(pages.dropFirst(), [2, 1, 1]) {
            let own = calls.filter { $0.hasPrefix("\(page).") && $0.contains("ppear") }
            #expect(own == Array(repeating: round, count: rounds).joined().map { "\(page).\($0)" })
            #expect(page.parent == nil && page.view.window == nil)
        }
        #expect(pages[0].view.window != nil && navigation.children.count == 1)
        #expect(pages[0].view.bounds.size == Size(width: 568, height: 320))
    }

    @Test func `R29: a window that a controller hides as it appears in a turn does not animate`() throws {
        let (stage, root) = try Stage.showing(isAnimated: true)
        let child = stage.page("Child")
        stage.turn(.portrait)
        root.onTransition = { page, _ in
            try? page.tryAddChild(child)
            page.view.addSubview(child.view)
        }
        child.onAppear = { _ in stage.window.isHidden = true }
        stage.device.update(.landscapeLeft)
        #expect(stage.window.isHidden && !stage.window.isRotating && !stage.application.isRotating)
        #expect(stage.log.take().last == "Child.didDisappear")
    }
}
