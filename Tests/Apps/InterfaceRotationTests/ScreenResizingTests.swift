// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// Screens that change their size while windows are visible.
@MainActor @Suite(.onBothShapes) struct ScreenResizingTests {
    /// A larger size of the same shape.
    private var larger: Size { Size(width: Stage.size.width * 2, height: Stage.size.height * 2) }

    @Test func `R12: a window that covers its screen covers it after a change of its size`() throws {
        let (stage, root) = try Stage.showing()
        stage.turn(.landscapeLeft)
        let canvas = Canvas()
        stage.window.surface = canvas
        root.logsLayout = true
        root.logsQuestions = true
        root.onTransition = { page, coordinator in
            page.note("animated \(coordinator.isAnimated) \(page.view.bounds.size.short)")
            coordinator.animate { _ in
                page.note("along")
            } completion: { _ in
                page.note("completed")
            }
        }
        _ = stage.log.take()
        stage.application.screen.resize(to: larger)
        #expect(
            stage.log.take() == [
                "Root.transition 1136×640", "Root.animated false 568×320", "Root.willLayout 1136×640", "Root.didLayout",
                "Root.along", "Root.completed",
            ])
        #expect(stage.window.coversScreen && stage.window.frame.size == larger)
        #expect(stage.application.screen.bounds.size == Size(width: 1136, height: 640))
        #expect(canvas.pictures.count == 1 && canvas.pictures.last?.bounds.size == Size(width: 1136, height: 640))
        #expect(stage.orientation == .landscapeRight && stage.device.isGeneratingDeviceOrientationNotifications)
        stage.turn(.portrait)
        #expect(root.view.bounds.size == Size(width: 640, height: 1136))
    }

    @Test func `R12: a size that stays the same causes no callbacks`() throws {
        let (stage, root) = try Stage.showing()
        root.logsLayout = true
        stage.application.screen.resize(to: Stage.size)
        #expect(stage.log.take().isEmpty)
    }

    @Test func `R12: a window rotates as soon as the screen has shrunk to its size`() throws {
        let stage = Stage(screen: Screen(size: larger))
        let window = try stage.addWindow(showing: stage.page("Root"), frame: Rect(size: Stage.size))
        #expect(window.explain()?.cause == .screenNotCovered)
        stage.application.screen.resize(to: Stage.size)
        #expect(window.coversScreen && window.explain()?.cause == .rootSet)
        stage.turn(.landscapeLeft)
        #expect(window.interfaceOrientation == .landscapeRight)
        stage.application.screen.resize(to: larger)
        #expect(window.frame.size == larger)
    }

    @Test func `R40: a hidden window has the size of the screen when it is shown`() throws {
        let (stage, _) = try Stage.showing()
        let page = stage.page("Hidden")
        let hidden = try stage.hiddenWindow(showing: page)
        stage.application.screen.resize(to: larger)
        #expect(stage.log.take().allSatisfy { !$0.hasPrefix("Hidden") })
        try hidden.tryMakeKeyAndVisible()
        #expect(hidden.coversScreen && page.view.bounds.size == Size(width: 640, height: 1136))
    }

    @Test func `R33: a turn that is running when the screen changes is finished`() throws {
        let (stage, root) = try Stage.showing(isAnimated: true)
        stage.device.update(.landscapeLeft)
        #expect(stage.window.isRotating)
        stage.application.screen.resize(to: larger)
        #expect(!stage.window.isRotating && root.view.bounds.size == Size(width: 1136, height: 640))
    }

    @Test func `R33: a screen that is resized in a callback of a turn changes after the turn`() throws {
        let (stage, root) = try Stage.showing(isAnimated: true)
        let larger = larger
        root.onWillRotate = { page in
            stage.application.screen.resize(to: larger)
            page.note("size \(stage.application.screen.fixedBounds.size == larger)")
        }
        root.onDidRotate = { $0.note("size \(stage.application.screen.fixedBounds.size == larger)") }
        stage.turn(.landscapeLeft)
        #expect(stage.log.take().filter { $0.contains("size") } == ["Root.size false", "Root.size false"])
        #expect(stage.window.frame.size == larger && root.view.bounds.size == Size(width: 1136, height: 640))
    }

    @Test(arguments: PanelEdge.allCases)
    func `R2: a screen whose shape changes renames the orientations, and the picture stays`(edge: PanelEdge) throws {
        let (stage, root) = try Stage.showing(manifest: .portraitFirst)
        let canvas = Canvas()
        stage.window.surface = canvas
        stage.turn(DeviceOrientation(Edge(edge, natural: Stage.shape.natural)))
        let transform = stage.window.picture.transform
        canvas.pictures = []
        _ = stage.log.take()
        stage.application.screen.resize(to: Stage.size.swapped)
        let natural = PanelShape(width: Stage.size.height, height: Stage.size.width).natural
        #expect(
            stage.device.natural == natural
                && stage.device.orientation == DeviceOrientation(Edge(edge, natural: natural)))
        #expect(stage.orientation == InterfaceOrientation(Edge(edge, natural: natural)))
        #expect(stage.application.statusBarOrientation == stage.orientation)
        #expect(canvas.pictures.allSatisfy { $0.transform == transform && $0.progress == 1 })
        #expect(root.view.effectiveTransform == transform && root.view.frame.size == Stage.size.swapped)
        #expect(stage.log.take().allSatisfy { !$0.contains("otate") })
    }

    @Test func `R15: a controller that does not allow the new name of its orientation is turned`() throws {
        let (stage, _) = try Stage.showing("Root", .portrait, manifest: .portraitFirst)
        stage.application.screen.resize(to: Stage.size.swapped)
        stage.clock.run()
        #expect(stage.orientation == .portrait && stage.application.statusBarOrientation == .portrait)
        #expect(stage.window.picture.bounds.size == Size(width: 320, height: 568))
        #expect(stage.errors.isEmpty)
    }

    @Test func `R6: a screen without an application is resized`() {
        let screen = Screen(size: Stage.size)
        screen.resize(to: Stage.size.swapped)
        #expect(screen.fixedBounds.size == Stage.size.swapped && screen.shape != Stage.shape)
        #expect(screen.bounds.size == Stage.size.swapped)
    }
}
