// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

@MainActor @Suite(.onBothShapes) struct TransactionTests {
    private let stage = Stage()

    @Test func `R29: the steps of a turn happen in order`() throws {
        let stage = Stage(isAnimated: true)
        let page = stage.page("Page")
        page.logsLayout = true
        stage.delegate = Delegate(log: stage.log) { _ in .all }
        page.onTransition = { page, coordinator in
            coordinator.animate { _ in
                page.note("alongside")
            } completion: { _ in
                page.note("completed")
            }
        }
        try stage.show(page)
        stage.device.update(.landscapeLeft)
        #expect(
            stage.log.take() == [
                "app.willChange landscapeRight 0.3", "Page.willRotate landscapeRight 0.3",
                "Page.transition 568×320", "Page.willLayout 568×320", "Page.didLayout",
                "app.didChange portrait",
                "Page.willAnimate landscapeRight", "Page.alongside",
            ])
        #expect(stage.application.isRotating && stage.application.isIgnoringInteractionEvents)
        stage.clock.run()
        #expect(stage.log.take() == ["Page.didRotate portrait", "Page.completed"])
        #expect(!stage.application.isRotating)
    }

    @Test func `R29: a turn keeps frame and center, and changes transform and bounds`() throws {
        let (stage, page) = try Stage.showing("Page")
        stage.turn(.landscapeRight)
        #expect(page.view.frame == Rect(size: Stage.size))
        #expect(page.view.center == Rect(size: Stage.size).center)
        let expected =
            Stage.shape == .tall
            ? Transform(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 0) : Transform(a: -1, b: 0, c: 0, d: -1, tx: 0, ty: 0)
        #expect(page.view.effectiveTransform == expected)
        #expect(page.view.bounds == Rect(x: 0, y: 0, width: 568, height: 320))
        #expect(stage.window.frame == Rect(size: Stage.size))
    }

    @Test func `R29: a half turn keeps the size, lays out, takes twice as long and has a coordinator`()
        throws
    {
        let stage = Stage(isAnimated: true)
        let page = stage.page("Page")
        page.logsLayout = true
        var coordinator: TransitionCoordinator?
        page.onWillRotate = { coordinator = $0.transitionCoordinator }
        try stage.show(page)
        stage.turn(.portraitUpsideDown)
        #expect(
            stage.log.take() == [
                "Page.willRotate portraitUpsideDown 0.6", "Page.willLayout 320×568", "Page.didLayout",
                "Page.willAnimate portraitUpsideDown", "Page.didRotate portrait",
            ])
        #expect(coordinator?.targetTransform == Transform(degrees: 180))
        #expect(coordinator?.duration == 0.6 && coordinator?.isAnimated == true)
        #expect(coordinator?.from == .portrait && coordinator?.to == .portraitUpsideDown)
        #expect(page.transitionCoordinator == nil)
        #expect(coordinator?.animate(alongsideTransition: nil) == false)
    }

    @Test func `R29: a turn without animation ends before the call returns, with duration 0`() throws {
        let (stage, page) = try Stage.showing("Page", isAnimated: true)
        page.mask = .landscape
        stage.application.withoutAnimation { page.setNeedsUpdateOfSupportedInterfaceOrientations() }
        #expect(
            stage.log.take() == [
                "Page.willRotate landscapeRight 0.0", "Page.transition 568×320",
                "Page.willAnimate landscapeRight", "Page.didRotate portrait",
            ])
        #expect(!stage.window.isRotating && stage.application.areAnimationsEnabled)
    }

    @Test func `R29: the surface gets a picture per frame, from the old angle to the new one`() throws {
        let stage = Stage(isAnimated: true)
        let canvas = Canvas()
        stage.window.surface = canvas
        try stage.show(stage.page("Page"))
        canvas.pictures = []
        stage.device.update(.landscapeLeft)
        for _ in 0..<5 { stage.clock.advance(by: 0.11) }
        #expect(canvas.pictures.map(\.progress).map { ($0 * 10).rounded() } == [0, 0, 4, 7, 10])
        #expect(canvas.pictures.first?.transform == InterfaceOrientation.portrait.transform)
        #expect(canvas.pictures.last?.transform == InterfaceOrientation.landscapeRight.transform)
        #expect(canvas.pictures.allSatisfy { $0.bounds.size == Size(width: 568, height: 320) })
        let start = InterfaceOrientation.portrait.angle(on: Stage.shape)
        let middle = Transform(degrees: start + 90 * canvas.pictures[2].progress)
        #expect(canvas.pictures[2].transform == middle)
        #expect(!stage.clock.isFrameRequested)
    }

    @Test func `R29: a program without frames can end the turn`() throws {
        let (stage, _) = try Stage.showing("Page", isAnimated: true)
        stage.device.update(.landscapeLeft)
        stage.application.finishRotation()
        #expect(stage.log.take().last == "Page.didRotate portrait")
        #expect(!stage.application.isRotating)
        stage.clock.run()
        #expect(stage.log.take().isEmpty)
    }

    @Test func `R29: callbacks reach parents before children, then the other visible controllers from bottom to top`()
        throws
    {
        let root = NavigationController(rootViewController: stage.page("Root"))
        try stage.show(root)
        let cover = stage.page("Cover")
        cover.modalPresentationStyle = .overFullScreen
        let sheet = stage.page("Sheet")
        sheet.modalPresentationStyle = .formSheet
        try root.tryPresent(cover)
        try cover.tryPresent(sheet)
        _ = stage.log.take()
        stage.turn(.landscapeLeft)
        #expect(
            stage.log.take().filter { $0.contains("willRotate") } == [
                "Cover.willRotate landscapeRight 0.0", "Root.willRotate landscapeRight 0.0",
                "Sheet.willRotate landscapeRight 0.0",
            ])
    }

    @Test func `R30: the device is new from the start, the interface from step 2 on`() throws {
        let page = Reader(stage)
        try stage.show(page)
        page.isReading = true
        stage.turn(.landscapeLeft)
        #expect(
            page.readings == [
                "willRotate: landscapeLeft portrait portrait portrait",
                "transition: landscapeLeft portrait portrait portrait",
                "layout: landscapeLeft landscapeRight landscapeRight landscapeRight",
                "willAnimate: landscapeLeft landscapeRight landscapeRight landscapeRight",
                "didRotate: landscapeLeft landscapeRight landscapeRight landscapeRight",
            ])
    }

    @Test func `R31: rotation callbacks are forwarded to visible children unless the container forwards them`() throws {
        let parent = Container("Parent", log: stage.log)
        let child = stage.page("Child")
        let hidden = stage.page("Hidden")
        try stage.show(parent)
        try parent.tryAddChild(child)
        try parent.tryAddChild(hidden)
        parent.view.addSubview(child.view)
        child.view.frame = parent.view.bounds
        _ = stage.log.take()
        stage.turn(.landscapeLeft)
        #expect(
            stage.log.take() == [
                "Parent.willRotate landscapeRight 0.0", "Child.willRotate landscapeRight 0.0",
                "Parent.transition 568×320", "Child.transition 568×320", "Parent.willAnimate landscapeRight",
                "Child.willAnimate landscapeRight", "Parent.didRotate portrait", "Child.didRotate portrait",
            ])
        parent.forwards = false
        child.view.frame = Rect(x: 0, y: 0, width: 100, height: 100)
        parent.childSize = Size(width: 100, height: 100)
        stage.turn(.portrait)
        #expect(
            stage.log.take() == [
                "Parent.willRotate portrait 0.0", "Parent.transition 320×568", "Parent.willAnimate portrait",
                "Parent.didRotate landscapeRight",
            ])
    }

    @Test func `R32: a hidden controller reappears laid out, without rotation callbacks`() throws {
        let (tab, other) = (stage.page("First"), stage.page("Second"))
        let tabs = TabBarController(viewControllers: [tab, other])
        try stage.show(tabs)
        try tabs.trySelect(1)
        _ = stage.log.take()
        stage.turn(.landscapeLeft)
        #expect(stage.log.take().allSatisfy { $0.hasPrefix("Second") })
        tab.logsLayout = true
        #expect(tab.interfaceOrientation == .portrait)
        try tabs.trySelect(0)
        #expect(
            stage.log.take() == [
                "Second.willDisappear", "First.willAppear landscapeRight", "First.willLayout 568×320",
                "First.didLayout", "First.didAppear", "Second.didDisappear",
            ])
        #expect(tab.interfaceOrientation == .landscapeRight)
    }

    @Test func `R32: a controller presented with a turn is laid out, and the covered one gets no callbacks`() throws {
        let (stage, root) = try Stage.showing(isAnimated: true)
        let film = stage.page("Film", .landscape, preferring: .landscapeLeft)
        try root.tryPresent(film) { stage.log.note("presented") }
        #expect(
            stage.log.take() == [
                "Film.didLoad", "Root.willDisappear", "Film.willAppear landscapeLeft", "Film.didAppear",
            ])
        stage.clock.run()
        #expect(stage.log.take() == ["Root.didDisappear", "presented"])
        #expect(root.viewIfLoaded?.window == nil)
        #expect(root.interfaceOrientation == .portrait && film.interfaceOrientation == .landscapeLeft)
    }
}

/// Records the pictures.
@MainActor final class Canvas: WindowSurface {
    var pictures: [Picture] = []
    func window(_ window: Window, shows picture: Picture) { pictures.append(picture) }
}

/// A container that decides what it forwards.
@MainActor final class Container: Page {
    var forwards = true
    var childSize: Size?
    override var shouldAutomaticallyForwardRotationMethods: Bool { forwards }
    override func size(forChild child: ViewController, parentSize: Size) -> Size { childSize ?? parentSize }
}

/// Records all orientations at every step.
@MainActor private final class Reader: ViewController {
    unowned let stage: Stage
    var isReading = false
    var readings: [String] = []

    init(_ stage: Stage) {
        self.stage = stage
        super.init()
    }

    private func read(_ step: String) {
        guard isReading else { return }
        let app = stage.application
        let all =
            "\(app.device.orientation) \(stage.orientation) \(app.statusBarOrientation) \(interfaceOrientation)"
        readings.append("\(step): \(all)")
    }

    override func willRotate(to orientation: InterfaceOrientation, duration: Double) { read("willRotate") }
    override func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator) { read("transition") }
    override func viewWillLayoutSubviews() { read("layout") }
    override func willAnimateRotation(to orientation: InterfaceOrientation, duration: Double) {
        read("willAnimate")
    }
    override func didRotate(from orientation: InterfaceOrientation) { read("didRotate") }
}
