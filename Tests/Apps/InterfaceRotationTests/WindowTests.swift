// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

@MainActor @Suite(.onBothShapes) struct WindowTests {
    @Test func `R36: a view outside any controller turns with the device`() throws {
        let (stage, _) = try Stage.showing("Root", .portrait)
        let badge = View(frame: Rect(x: 100, y: 200, width: 60, height: 20))
        stage.window.addSubview(badge)
        badge.follow(.device)
        stage.turn(.landscapeLeft)
        #expect(badge.center == Point(x: 130, y: 210))
        #expect(badge.bounds.size == Size(width: 60, height: 20).turned(to: .landscapeRight, on: Stage.shape))
        #expect(badge.effectiveTransform == InterfaceOrientation.landscapeRight.transform)
        #expect(stage.orientation == .portrait && stage.application.statusBarOrientation == .portrait)
        stage.turn(.portrait)
        #expect(badge.effectiveTransform == InterfaceOrientation.portrait.transform)
        badge.follow(nil)
        stage.turn(.landscapeRight)
        #expect(badge.effectiveTransform == InterfaceOrientation.portrait.transform)
    }

    @Test func `R36: a view follows the status bar, or has a fixed orientation`() throws {
        let (stage, _) = try Stage.showing()
        let (bar, dialog) = (View(frame: Rect(x: 0, y: 0, width: 40, height: 10)), View())
        stage.window.addSubview(bar)
        stage.window.addSubview(dialog)
        bar.follow(.statusBar)
        dialog.follow(.fixed(.landscapeLeft))
        stage.turn(.portraitUpsideDown)
        #expect(bar.effectiveTransform == InterfaceOrientation.portraitUpsideDown.transform)
        #expect(bar.bounds.size == Size(width: 40, height: 10).turned(to: .portraitUpsideDown, on: Stage.shape))
        #expect(dialog.effectiveTransform == InterfaceOrientation.landscapeLeft.transform)
    }

    @Test func `R36: a view that follows the device keeps the sensor running in a window that does not turn`() throws {
        let stage = Stage()
        let corner = Window(application: stage.application, frame: Rect(x: 0, y: 0, width: 50, height: 50))
        try corner.tryMakeKeyAndVisible()
        #expect(!stage.device.isGeneratingDeviceOrientationNotifications)
        let badge = View()
        badge.follow(.device)
        corner.addSubview(badge)
        #expect(stage.device.isGeneratingDeviceOrientationNotifications)
        badge.removeFromSuperview()
        #expect(!stage.device.isGeneratingDeviceOrientationNotifications)
    }

    @Test func `R39: containment calls are made automatically where UIKit makes them`() throws {
        let stage = Stage()
        let parent = stage.page("Parent")
        let child = stage.page("Child")
        try stage.show(parent)
        try parent.tryAddChild(child)
        parent.view.addSubview(child.view)
        child.didMove(toParent: parent)
        #expect(
            stage.log.take() == [
                "Child.willMove Parent", "Child.didLoad", "Child.willAppear portrait", "Child.didAppear",
                "Child.didMove Parent",
            ])
        child.willMove(toParent: nil)
        child.view.removeFromSuperview()
        child.removeFromParent()
        #expect(
            stage.log.take() == [
                "Child.willMove nil", "Child.willDisappear", "Child.didDisappear", "Child.didMove nil",
            ])
        let navigation = NavigationController(rootViewController: child)
        #expect(stage.log.take() == ["Child.willMove NavigationController", "Child.didMove NavigationController"])
        try parent.tryAddChild(child)
        #expect(child.parent === parent && navigation.viewControllers.isEmpty)
        #expect(stage.log.take() == ["Child.didMove nil", "Child.willMove Parent"])
    }

    @Test func `R39: a transition swaps the views on the frame clock`() throws {
        let stage = Stage(isAnimated: true)
        let parent = ViewController()
        let (old, new) = (stage.page("Old"), stage.page("New"))
        try stage.show(parent)
        try parent.tryAddChild(old)
        parent.view.addSubview(old.view)
        try parent.tryAddChild(new)
        old.willMove(toParent: nil)
        _ = stage.log.take()
        try parent.tryTransition(from: old, to: new, duration: 0.2) {
            stage.log.note("animate")
        } completion: {
            old.removeFromParent()
            new.didMove(toParent: parent)
        }
        #expect(old.view.superview != nil && new.view.superview === parent.view)
        stage.clock.run()
        #expect(old.view.superview == nil && old.parent == nil)
        #expect(
            stage.log.take() == [
                "New.didLoad", "New.willAppear portrait", "New.didAppear", "animate", "Old.willDisappear",
                "Old.didDisappear", "Old.didMove nil", "New.didMove ViewController",
            ])
        #expect(throws: HierarchyError.notChildren(of: "ViewController")) {
            try parent.tryTransition(from: old, to: new, animations: nil)
        }
    }

    @Test func `R39: a transition with duration 0 ends immediately, with both views for the animations`() throws {
        let parent = ViewController()
        let (old, new) = (ViewController(), ViewController())
        try parent.tryAddChild(old)
        try parent.tryAddChild(new)
        parent.view.addSubview(old.view)
        var calls: [String] = []
        func note(_ call: String) {
            calls.append("\(call) \(old.view.superview === parent.view) \(new.view.superview === parent.view)")
        }
        try parent.tryTransition(from: old, to: new) {
            note("animations")
        } completion: {
            note("completion")
        }
        #expect(calls == ["animations true true", "completion false true"])
        try parent.tryTransition(from: new, to: old, animations: nil) { note("completion") }
        #expect(calls.last == "completion true false" && calls.count == 3)
    }

    @Test func `R40: every window has its own decision, and the key window sets the status bar`() throws {
        let stage = Stage()
        stage.delegate = Delegate(log: stage.log) { _ in .all }
        try stage.show(stage.page("Main", .portrait))
        let film = try stage.addWindow(showing: stage.page("Film", .landscape))
        #expect(stage.orientation == .portrait && film.interfaceOrientation == .landscapeRight)
        #expect(stage.application.statusBarOrientation == .landscapeRight)
        #expect(stage.application.keyWindow === film)
        #expect(
            stage.log.take().filter { $0.hasPrefix("app") } == [
                "app.willChange landscapeRight 0.0", "app.didChange portrait",
            ])
        film.isHidden = true
        #expect(stage.application.keyWindow === stage.window)
        #expect(stage.log.take().suffix(2) == ["app.willChange portrait 0.0", "app.didChange landscapeRight"])
        // A window that is not the key window does not change the status bar.
        let other = try stage.addWindow(showing: stage.page("Other"), isKey: false)
        _ = stage.log.take()
        stage.turn(.landscapeLeft)
        #expect(other.interfaceOrientation == .landscapeRight && stage.application.statusBarOrientation == .portrait)
        #expect(stage.log.take().allSatisfy { $0.hasPrefix("Other") })
    }

    @Test func `R40: a hidden window keeps its orientation and is updated before it is shown`() throws {
        let (stage, _) = try Stage.showing("Main")
        let page = stage.page("Second")
        let second = try stage.addWindow(showing: page)
        second.isHidden = true
        stage.turn(.landscapeLeft)
        #expect(second.interfaceOrientation == .portrait)
        _ = stage.log.take()
        try second.tryMakeKeyAndVisible()
        #expect(stage.log.take() == ["Second.willAppear landscapeRight", "Second.didAppear"])
    }

    @Test func `R41: a drawing app adds the panel's rotation, and an app under a compositor subtracts the output's`()
        throws
    {
        func transform(_ rotator: Screen.Rotator, output: PanelEdge) throws -> Transform? {
            let screen = Screen(size: Stage.size, panel: .leftSideUp, rotator: rotator)
            screen.outputTransform = DisplayRotation(output)
            let stage = Stage(screen: screen)
            let canvas = Canvas()
            stage.window.surface = canvas
            try stage.show(stage.page("Root"))
            stage.turn(DeviceOrientation(Edge(.left, natural: Stage.shape.natural)))
            return canvas.pictures.last?.transform
        }
        // Panel −90° and interface −90°.
        #expect(try transform(.application, output: .left) == Transform(degrees: 180))
        #expect(try transform(.compositor, output: .bottom) == .identity)
        #expect(try transform(.compositor, output: .left) == Transform(degrees: -90))
        #expect(try transform(.compositor, output: .top) == Transform(degrees: 180))
    }

    @Test func `R41: a change of the output transform redraws the windows`() throws {
        let screen = Screen(size: Stage.size, rotator: .compositor)
        let stage = Stage(screen: screen)
        let canvas = Canvas()
        stage.window.surface = canvas
        try stage.show(stage.page("Root"))
        stage.turn(.landscapeLeft)
        #expect(canvas.pictures.last?.transform == InterfaceOrientation.landscapeRight.transform)
        screen.outputTransform = DisplayRotation(.landscapeRight, on: Stage.shape)
        #expect(canvas.pictures.last?.transform == .identity)
    }

    @Test
    func `R42: no controller is queried while no window is visible; on return each is queried once, without animation`()
        throws
    {
        let (stage, root) = try Stage.showing(isAnimated: true)
        root.logsQuestions = true
        stage.application.suspend()
        #expect(!stage.application.isActive && !stage.device.isGeneratingDeviceOrientationNotifications)
        stage.device.overrideOrientation(.landscapeLeft)
        root.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.log.take().isEmpty && stage.orientation == .portrait)
        stage.application.resume()
        #expect(stage.log.take().filter { $0.contains("supported") }.count == 1)
        #expect(stage.orientation == .landscapeRight && !stage.window.isRotating)
        stage.window.isHidden = true
        #expect(!stage.application.isActive)
    }

    @Test func `R21: a root without an allowed orientation leaves the window hidden`() throws {
        let stage = Stage(manifest: try OrientationManifest([.portrait]))
        try stage.window.trySetRootViewController(stage.page("Wide", .landscape))
        #expect(throws: InvalidInterfaceOrientationError.self) { try stage.window.tryMakeKeyAndVisible() }
        #expect(stage.window.isHidden && stage.application.keyWindow == nil && stage.application.windows.isEmpty)
        #expect(!stage.device.isGeneratingDeviceOrientationNotifications)
        stage.window.isHidden = false
        #expect(stage.window.isHidden && stage.errors.count == 1)
        #expect(stage.log.take().isEmpty && stage.window.rootViewController?.isViewLoaded == false)
    }

    @Test func `R6: a reading that arrives at the start of the sensor is part of the first decision`() throws {
        for mask in [InterfaceOrientationMask.all, .portrait] {
            let stage = Stage(isAnimated: true)
            let sensor = PromptSensor(state(.landscapeLeft))
            stage.device.source = sensor
            let root = stage.page("Root", mask)
            try stage.launch(root)
            let expected: InterfaceOrientation = mask == .all ? .landscapeRight : .portrait
            #expect(stage.log.take() == ["Root.didLoad", "Root.willAppear \(expected)", "Root.didAppear"])
            #expect(stage.application.statusBarOrientation == expected && stage.errors.isEmpty)
            stage.clock.run()
            stage.application.suspend()
            sensor.state = state(.landscapeRight)
            stage.application.resume()
            #expect(!stage.window.isRotating && stage.orientation == (mask == .all ? .landscapeLeft : .portrait))
        }
    }

    @Test func `R29: springs and struts resize the subviews of a resized view`() throws {
        let (stage, root) = try Stage.showing()
        let (bar, corner, middle) = (View(), View(), View())
        bar.frame = Rect(x: 0, y: 548, width: 320, height: 20)
        bar.autoresizingMask = [.flexibleWidth, .flexibleTopMargin]
        corner.frame = Rect(x: 310, y: 0, width: 10, height: 10)
        corner.autoresizingMask = .flexibleLeftMargin
        middle.frame = Rect(x: 150, y: 274, width: 20, height: 20)
        middle.autoresizingMask = [
            .flexibleLeftMargin, .flexibleRightMargin, .flexibleTopMargin, .flexibleBottomMargin,
        ]
        for view in [bar, corner, middle] { root.view.addSubview(view) }
        stage.turn(.landscapeLeft)
        #expect(bar.frame == Rect(x: 0, y: 300, width: 568, height: 20))
        #expect(corner.frame == Rect(x: 558, y: 0, width: 10, height: 10))
        #expect(middle.center == Point(x: 284, y: 160))
        stage.turn(.portrait)
        #expect(bar.frame == Rect(x: 0, y: 548, width: 320, height: 20))
    }
}

/// A source that has a state when it starts.
@MainActor final class PromptSensor: DeviceOrientationSource {
    var state: OrientationState

    init(_ state: OrientationState) { self.state = state }

    func startUpdating(_ device: Device) { device.update(state) }
    func stopUpdating(_ device: Device) {}
}
