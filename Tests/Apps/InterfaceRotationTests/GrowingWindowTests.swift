// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// Windows that are resized and views that are replaced while visible.
@MainActor @Suite(.onBothShapes) struct GrowingWindowTests {
    private let stage = Stage()
    private let small = Rect(x: 0, y: 0, width: 10, height: 10)

    @Test func `R12: a window rotates as soon as it has grown to cover its screen`() throws {
        let root = stage.page("Root")
        let window = try stage.addWindow(showing: root, frame: small)
        #expect(!stage.device.isGeneratingDeviceOrientationNotifications)
        #expect(window.explain()?.cause == .screenNotCovered)
        #expect(root.view.bounds.size == small.size)
        window.frame = stage.application.screen.fixedBounds
        #expect(stage.device.isGeneratingDeviceOrientationNotifications && window.explain()?.cause == .rootSet)
        #expect(root.view.frame == stage.application.screen.fixedBounds)
        stage.turn(.landscapeLeft)
        #expect(window.interfaceOrientation == .landscapeRight)
        #expect(root.view.bounds.size == Size(width: 568, height: 320))
        #expect(stage.application.statusBarOrientation == .landscapeRight)
    }

    @Test(arguments: [true, false])
    func `R12: a window that comes to cover its screen draws one picture`(turns: Bool) throws {
        let (stage, _) = try Stage.showing("Main")
        stage.turn(.landscapeLeft)
        for isInCallback in [false, true] {
            let window = Window(application: stage.application, frame: small)
            let canvas = Canvas()
            window.surface = canvas
            try window.trySetRootViewController(stage.page("Film", turns ? .portrait : .all))
            try window.tryMakeKeyAndVisible()
            canvas.pictures = []
            if isInCallback {
                let page = stage.page("Page")
                page.onAppear = { _ in window.frame = stage.application.screen.fixedBounds }
                try #require(stage.window.rootViewController).tryPresent(page)
            } else {
                window.frame = stage.application.screen.fixedBounds
            }
            let expected: InterfaceOrientation = turns ? .portrait : .landscapeRight
            #expect(canvas.pictures.map(\.orientation) == [expected])
            #expect(canvas.pictures.first?.bounds.size == Stage.size.turned(to: expected, on: Stage.shape))
            #expect(canvas.pictures.first?.transform == expected.transform)
            window.isHidden = true
        }
    }

    @Test func `R12: a window whose frame a resized screen takes draws one picture`() throws {
        let (stage, _) = try Stage.showing("Main")
        stage.turn(.landscapeLeft)
        let larger = Size(width: Stage.size.width * 2, height: Stage.size.height * 2)
        let window = Window(application: stage.application, frame: Rect(size: larger))
        let canvas = Canvas()
        window.surface = canvas
        try window.trySetRootViewController(stage.page("Film", .portrait))
        window.isHidden = false
        canvas.pictures = []
        stage.application.screen.resize(to: larger)
        #expect(canvas.pictures.map(\.orientation) == [.portrait] && window.interfaceOrientation == .portrait)
    }

    @Test func `R34: a window that no longer covers its screen needs no sensor`() throws {
        let (stage, root) = try Stage.showing()
        stage.window.frame = Rect(x: 0, y: 0, width: 160, height: 568)
        #expect(!stage.device.isGeneratingDeviceOrientationNotifications)
        #expect(root.view.frame == stage.window.bounds)
        #expect(stage.turn(.landscapeLeft) == .portrait)
    }

    @Test func `R43: the explanation of a window that no longer covers its screen gives that reason`() throws {
        let (stage, _) = try Stage.showing("Root", .all)
        let other = try stage.addWindow(showing: stage.page("Other"), isKey: false)
        stage.turn(.landscapeLeft)
        stage.window.frame = Rect(x: 0, y: 0, width: 160, height: 568)
        stage.turn(.portrait)
        let explanation = try #require(stage.window.explain())
        #expect(explanation.cause == .screenNotCovered && explanation.result == .portrait)
        #expect(
            explanation.sentence
                == "The interface is in portrait because the window does not cover its screen and has the "
                + "orientation of the screen's interface.")
        #expect(explanation.edge == .portrait && explanation.edgeSource == "a reading")
        #expect(
            explanation.notQueried.first?.answer
                == "the window does not cover its screen, so the device is not followed")
        #expect(other.explain()?.cause == .deviceTurned)
        stage.device.lock()
        #expect(stage.window.explain()?.cause == .screenNotCovered && stage.window.explain()?.locks.count == 1)
        stage.device.unlock()
        stage.window.frame = stage.application.screen.fixedBounds
        #expect(stage.window.explain()?.cause == .windowMadeKey && stage.orientation == .portrait)
    }

    @Test(arguments: [true, false])
    func `R12: an app resizes a window with its own coordinator`(runsAnimations: Bool) throws {
        let window = Window(application: stage.application, frame: small)
        let (root, child) = (stage.page("Root"), stage.page("Child"))
        try root.tryAddChild(child)
        root.view.addSubview(child.view)
        try window.trySetRootViewController(root)
        try window.tryMakeKeyAndVisible()
        let note = stage.log.note
        child.onTransition = { _, coordinator in
            note(
                "animated \(coordinator.isAnimated) \(coordinator.duration) \(coordinator.targetTransform == .identity)"
            )
            coordinator.animate { _ in
                note("along")
            } completion: { _ in
                note("completed")
            }
        }
        _ = stage.log.take()
        let coordinator = TransitionCoordinator(resizing: window, duration: 0.25)
        root.viewWillTransition(to: Size(width: 20, height: 30), with: coordinator)
        #expect(stage.log.take() == ["Root.transition 20×30", "Child.transition 20×30", "animated true 0.25 true"])
        window.frame = Rect(x: 0, y: 0, width: 20, height: 30)
        #expect(root.view.bounds.size == Size(width: 20, height: 30))
        if runsAnimations {
            coordinator.runAnimations()
            coordinator.runAnimations()
            #expect(stage.log.take() == ["along"])
        }
        coordinator.runCompletions()
        coordinator.runCompletions()
        #expect(stage.log.take() == (runsAnimations ? ["completed"] : ["along", "completed"]))
        #expect(!coordinator.animate { _ in note("too late") } && stage.log.take().isEmpty)
        #expect(coordinator.from == coordinator.to && !window.isRotating)
    }

    @Test func `R12: the size that an app announces is the one that its window gets, in landscape too`() throws {
        let (stage, controller) = try Stage.showing()
        stage.turn(.landscapeLeft)
        let window = stage.window
        let frame = Rect(x: 0, y: 0, width: Stage.size.width, height: Stage.size.height / 2)
        _ = stage.log.take()
        let coordinator = TransitionCoordinator(resizing: window, duration: 0.25)
        let size = frame.size.turned(to: window.interfaceOrientation, on: stage.application.screen.shape)
        controller.viewWillTransition(to: size, with: coordinator)
        window.frame = frame
        #expect(controller.view.bounds.size == size && stage.log.take() == ["Root.transition \(size.short)"])
    }

    @Test func `R34: a reading that arrives while the window grows is part of the same decision`() throws {
        let stage = Stage(isAnimated: true)
        stage.device.source = PromptSensor(state(.landscapeLeft))
        let root = stage.page("Root")
        let window = try stage.addWindow(showing: root, frame: small)
        root.logsQuestions = true
        window.frame = stage.application.screen.fixedBounds
        #expect(stage.log.take().filter { $0 == "Root.supported" }.count == 1)
        stage.clock.run()
        #expect(window.interfaceOrientation == .landscapeRight)
    }

    @Test func `R32: a view that replaces the visible one gets its place`() throws {
        let (stage, root) = try Stage.showing()
        stage.turn(.landscapeLeft)
        let (old, new) = (root.view, View())
        let above = View()
        stage.window.addSubview(above)
        root.logsLayout = true
        _ = stage.log.take()
        root.view = new
        #expect(old.superview == nil && old.window == nil)
        #expect(stage.window.subviews.map(ObjectIdentifier.init) == [new, above].map(ObjectIdentifier.init))
        #expect(new.frame == stage.window.bounds)
        #expect(new.effectiveTransform == InterfaceOrientation.landscapeRight.transform)
        #expect(new.bounds.size == Size(width: 568, height: 320))
        #expect(stage.log.take() == ["Root.willLayout 568×320", "Root.didLayout"])
        stage.turn(.portrait)
        #expect(new.bounds.size == Size(width: 320, height: 568))
        root.view = new
        #expect(new.superview === stage.window)
    }

    @Test func `R32: a container whose view is replaced shows its content in the new one`() throws {
        let page = stage.page("Page")
        let navigation = NavigationController(rootViewController: page)
        try stage.show(navigation)
        navigation.view = View()
        #expect(page.view.superview === navigation.view && page.view.window === stage.window)
        #expect(page.view.frame == navigation.view.bounds)
        page.view = View()
        #expect(navigation.view.subviews.map(ObjectIdentifier.init) == [ObjectIdentifier(page.view)])
        stage.turn(.landscapeLeft)
        #expect(page.view.bounds.size == Size(width: 568, height: 320))
        #expect(stage.log.take().filter { $0.contains("ppear") }.isEmpty)
    }

    @Test func `R32: children that are not in the new view disappear`() throws {
        let (stage, root) = try Stage.showing()
        let child = stage.page("Child")
        try root.tryAddChild(child)
        root.view.addSubview(child.view)
        _ = stage.log.take()
        root.view = View()
        #expect(stage.log.take() == ["Child.willDisappear", "Child.didDisappear"])
        #expect(child.view.window == nil)
    }

    @Test func `R12: a new frame is set at once, without a geometry between that covers the screen`() throws {
        let root = stage.page("Root", .landscape)
        let screen = stage.application.screen.fixedBounds
        let window = Window(
            application: stage.application,
            frame: Rect(x: 50, y: 0, width: screen.size.width, height: screen.size.height))
        try window.trySetRootViewController(root)
        try window.tryMakeKeyAndVisible()
        let orientation = window.interfaceOrientation
        root.logsLayout = true
        _ = stage.log.take()
        window.frame = Rect(x: 10, y: 10, width: screen.size.width - 20, height: screen.size.height - 20)
        #expect(stage.log.take() == ["Root.willLayout \(root.view.bounds.size.short)", "Root.didLayout"])
        #expect(window.interfaceOrientation == orientation)
        window.frame = window.frame
        #expect(stage.log.take().isEmpty)
    }
}
