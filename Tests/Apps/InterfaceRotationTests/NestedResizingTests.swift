// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// Changes of the screen's size that callbacks request, and windows that callbacks of such a change show.
@MainActor @Suite(.onBothShapes) struct NestedResizingTests {
    private func size(_ scale: Double) -> Size {
        Size(width: Stage.size.width * scale, height: Stage.size.height * scale)
    }

    @Test func `R12: a screen that is resized in viewWillTransition is resized after the change that runs`() throws {
        let (stage, root) = try Stage.showing()
        let (screen, larger, largest) = (stage.application.screen, size(2), size(3))
        root.onTransition = { page, coordinator in
            guard screen.fixedBounds.size == Stage.size else { return }
            screen.resize(to: largest)
            page.note("size \(screen.fixedBounds.size.short)")
            coordinator.animate(alongsideTransition: nil) { _ in
                page.note("completed \(screen.fixedBounds.size.short)")
            }
        }
        screen.resize(to: larger)
        let name = { (size: Size) in size.turned(to: stage.orientation, on: Stage.shape).short }
        #expect(
            stage.log.take() == [
                "Root.transition \(name(larger))", "Root.size \(Stage.size.short)", "Root.completed \(larger.short)",
                "Root.transition \(name(largest))",
            ])
        #expect(screen.fixedBounds.size == largest && stage.window.frame.size == largest && stage.errors.isEmpty)
    }

    @Test(arguments: [true, false])
    func `R33: a screen that is resized by each of its changes is stopped with an error`(isAnimated: Bool) throws {
        let (stage, root) = try Stage.showing(isAnimated: isAnimated)
        let screen = stage.application.screen
        var calls = 0
        root.onTransition = { _, _ in
            calls += 1
            screen.resize(to: Size(width: Stage.size.width + Double(calls), height: Stage.size.height))
        }
        screen.resize(to: size(2))
        #expect((2...100).contains(calls))
        let error = stage.errors.first as? RotationDoesNotSettleError
        #expect(stage.errors.count == 1 && error?.repetition == .screenSizes && error?.count == 64)
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("screen.resize(to:)"))
        // The last change was complete, and the next one is made.
        #expect(stage.window.coversScreen && root.view.frame == stage.window.bounds)
        root.onTransition = nil
        screen.resize(to: size(2))
        stage.turn(.landscapeLeft)
        #expect(stage.window.frame.size == size(2) && stage.orientation == .landscapeRight)
    }

    @Test func `R33: a handler of the error that resizes the screen does not repeat the changes`() throws {
        let (stage, root) = try Stage.showing()
        let screen = stage.application.screen
        var (calls, errors) = (0, 0)
        root.onTransition = { _, _ in
            calls += 1
            screen.resize(to: Size(width: Stage.size.width + Double(calls), height: Stage.size.height))
        }
        let former = screen.fixedBounds.size
        stage.application.orientationFailureHandler = { _ in
            errors += 1
            screen.resize(to: former)
        }
        screen.resize(to: size(2))
        #expect(errors == 1 && (2...100).contains(calls))
        root.onTransition = nil
        // The size that the handler set is used with the next change.
        stage.turn(.landscapeLeft)
        #expect(screen.fixedBounds.size == former && stage.window.coversScreen)
    }

    @Test(arguments: ["transition", "layout", "completion"])
    func `R12: a window that is shown in a callback of a resize covers the screen`(callback: String) throws {
        let stage = Stage()
        let root = stage.page("Root")
        try stage.show(root)
        let page = stage.page("Other")
        let other = try stage.hiddenWindow(showing: page)
        let show: @MainActor () -> Void = { other.isHidden = false }
        root.onTransition = { _, coordinator in
            if callback == "transition" { show() }
            if callback == "completion" { coordinator.animate(alongsideTransition: nil) { _ in show() } }
        }
        if callback == "layout" { root.onLayout = show }
        stage.application.screen.resize(to: size(2))
        (root.onTransition, root.onLayout) = (nil, nil)
        #expect(other.coversScreen && other.frame.size == size(2))
        #expect(page.view.frame.size == size(2))
        #expect(stage.log.take().filter { $0.hasPrefix("Other.didAppear") || $0.hasPrefix("Other.tr") }.count == 1)
        stage.turn(.landscapeLeft)
        #expect(other.interfaceOrientation == .landscapeRight)
        stage.application.screen.resize(to: size(3))
        #expect(other.coversScreen && stage.errors.isEmpty)
    }

    @Test func `R12: a hidden window that the screen takes the size of follows the screen once it is shown`() throws {
        let (stage, _) = try Stage.showing()
        let other = try stage.hiddenWindow(showing: stage.page("Other"), frame: Rect(size: size(2)))
        stage.application.screen.resize(to: size(2))
        other.isHidden = false
        stage.turn(.landscapeLeft)
        #expect(other.coversScreen && other.interfaceOrientation == .landscapeRight)
        stage.application.screen.resize(to: size(3))
        #expect(other.coversScreen && other.frame.size == size(3))
        stage.turn(.portrait)
        #expect(other.interfaceOrientation == .portrait)
    }

    @Test func `R33: a resize in the settling of another window is made before the call returns`() throws {
        let stage = Stage()
        let (root, page) = (stage.page("Root"), stage.page("Other"))
        try stage.show(root)
        let other = try stage.addWindow(showing: page, isKey: false)
        let larger = size(2)
        page.onDidRotate = { _ in stage.application.screen.resize(to: larger) }
        // A request in a decision pass waits until the other windows are settled.
        root.onQuery = { try? other.requestGeometryUpdate(interfaceOrientations: .portraitUpsideDown) }
        try stage.window.requestGeometryUpdate(interfaceOrientations: .portrait)
        #expect(other.interfaceOrientation == .portraitUpsideDown)
        #expect(stage.application.screen.fixedBounds.size == larger && other.coversScreen && stage.window.coversScreen)
    }

    @Test func `R34: a resize in an observer of the device is made while no window exists`() {
        let stage = Stage()
        stage.device.beginGeneratingDeviceOrientationNotifications()
        let larger = size(2)
        stage.device.orientationDidChange.addObserver(stage) { stage, _ in stage.application.screen.resize(to: larger) }
        stage.device.update(.landscapeLeft)
        #expect(stage.application.screen.fixedBounds.size == larger)
    }

    @Test func `R33: a resize in an observer of the status bar is made after it`() throws {
        let (stage, _) = try Stage.showing("Root", .landscapeLeft)
        let other = try stage.hiddenWindow(showing: stage.page("Other", .portrait))
        let (larger, screen) = (size(2), stage.application.screen)
        stage.application.didChangeStatusBarOrientation.addObserver(stage) { stage, _ in
            screen.resize(to: larger)
            stage.log.note("size \(screen.fixedBounds.size == larger)")
        }
        _ = stage.log.take()
        try other.tryMakeKeyAndVisible()
        #expect(stage.log.take().contains("size false") && screen.fixedBounds.size == larger && other.coversScreen)
    }

    @Test func `R12: a window that is hidden in a callback of a resize disappears, and covers the screen later`() throws
    {
        let (stage, root) = try Stage.showing()
        let other = try stage.addWindow(showing: stage.page("Other"), isKey: false)
        root.onTransition = { _, _ in other.isHidden = true }
        _ = stage.log.take()
        stage.application.screen.resize(to: size(2))
        #expect(stage.log.take().filter { $0.hasPrefix("Other") } == ["Other.willDisappear", "Other.didDisappear"])
        other.isHidden = false
        #expect(other.coversScreen && other.frame.size == size(2))
    }

    @Test func `R33: a window that a callback of its turn hides disappears, also if the screen is resized`() throws {
        let (stage, root) = try Stage.showing(isAnimated: true)
        _ = try stage.addWindow(showing: stage.page("Second"))
        root.onWillRotate = { _ in stage.window.isHidden = true }
        stage.device.update(.landscapeLeft)
        #expect(!stage.window.isRotating)
        stage.application.screen.resize(to: size(2))
        #expect(stage.log.take().filter { $0 == "Root.didDisappear" }.count == 1)
        #expect(root.view.superview == nil && stage.errors.isEmpty)
    }
}
