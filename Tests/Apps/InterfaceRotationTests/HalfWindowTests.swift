// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// Windows that do not cover the screen have the orientation of the screen's interface.
@MainActor @Suite(.onBothShapes) struct HalfWindowTests {
    /// The upper and the lower half of the unrotated screen.
    private let halves: [Rect] = {
        let size = Size(width: Stage.size.width, height: Stage.size.height / 2)
        return [Rect(size: size), Rect(origin: Point(x: 0, y: size.height), size: size)]
    }()

    private func window(_ page: ViewController, _ frame: Rect, in stage: Stage) throws -> Window {
        try stage.addWindow(showing: page, isKey: false, frame: frame)
    }

    @Test func `R12: a window that is made smaller and a new half beside it have the same orientation`() throws {
        let (stage, root) = try Stage.showing()
        stage.turn(.landscapeLeft)
        stage.window.frame = halves[0]
        let other = stage.page("Other")
        let half = try window(other, halves[1], in: stage)
        #expect(stage.orientation == .landscapeRight && half.interfaceOrientation == .landscapeRight)
        for page in [root, other] {
            #expect(page.view.bounds.size == halves[0].size.turned(to: .landscapeRight, on: Stage.shape))
            #expect(page.view.effectiveTransform == InterfaceOrientation.landscapeRight.transform)
            #expect(page.interfaceOrientation == .landscapeRight)
        }
        // The root of a window that is still hidden is not rotated.
        #expect(!stage.log.take().contains { $0.hasPrefix("Other.willRotate") || $0.hasPrefix("Other.transition") })
    }

    @Test func `R12: halves turn with the window that covers the screen, each with its own callbacks`() throws {
        let (stage, _) = try Stage.showing(isAnimated: true)
        let page = stage.page("Half")
        let half = try window(page, halves[0], in: stage)
        stage.clock.run()
        _ = stage.log.take()
        stage.device.update(.landscapeLeft)
        #expect(half.isRotating && half.interfaceOrientation == .landscapeRight)
        stage.clock.run()
        let size = page.view.bounds.size
        #expect(size == halves[0].size.turned(to: .landscapeRight, on: Stage.shape))
        #expect(
            stage.log.take().filter { $0.hasPrefix("Half") } == [
                "Half.willRotate landscapeRight 0.3", "Half.transition \(size.short)",
                "Half.willAnimate landscapeRight", "Half.didRotate portrait",
            ])
        #expect(page.view.center == half.bounds.center && !half.isRotating && stage.errors.isEmpty)
        // The half supports whatever the screen has: it is not queried.
        page.logsQuestions = true
        page.mask = .portrait
        stage.turn(.landscapeRight, .portrait, .portraitUpsideDown)
        #expect(half.interfaceOrientation == .portraitUpsideDown)
        #expect(!stage.log.take().contains("Half.supported"))
    }

    @Test func `R12: a half has the orientation of a window that covers the screen without being key`() throws {
        let stage = Stage()
        try stage.window.trySetRootViewController(stage.page("Root"))
        stage.window.isHidden = false
        let half = try window(stage.page("Half"), halves[0], in: stage)
        #expect(stage.turn(.landscapeLeft) == .landscapeRight && half.interfaceOrientation == .landscapeRight)
        #expect(
            stage.turn(.portraitUpsideDown) == .portraitUpsideDown && half.interfaceOrientation == .portraitUpsideDown)
        stage.window.isHidden = true
        #expect(half.interfaceOrientation == .portraitUpsideDown)
    }

    @Test func `R12: without a window that covers the screen, a half of the interface is one of the unrotated screen`()
        throws
    {
        let list: [InterfaceOrientation] = Stage.natural == .portrait ? [.landscapeLeft] : [.portrait]
        let stage = Stage(manifest: try OrientationManifest(list))
        let half = try window(stage.page("Half"), Rect(size: .zero), in: stage)
        var left = stage.application.screen.bounds
        left.size.width /= 2
        half.interfaceFrame = left
        #expect(half.frame == left && half.interfaceOrientation == Stage.natural)
    }

    @Test func `R12: a half that is resized in a callback of a turn is drawn once`() throws {
        let (stage, root) = try Stage.showing()
        let half = try window(stage.page("Half"), halves[0], in: stage)
        let canvas = Canvas()
        half.surface = canvas
        root.onDidRotate = { _ in half.frame = halves[1] }
        stage.turn(.landscapeLeft)
        #expect(canvas.pictures.map(\.orientation) == [.landscapeRight])
    }

    @Test func `R12: a half follows the key window, also if it was hidden or had no root meanwhile`() throws {
        let (stage, _) = try Stage.showing()
        let page = stage.page("Half")
        let half = try window(page, halves[0], in: stage)
        half.isHidden = true
        stage.turn(.landscapeLeft)
        #expect(half.interfaceOrientation == .portrait)
        _ = stage.log.take()
        half.isHidden = false
        #expect(half.interfaceOrientation == .landscapeRight)
        #expect(stage.log.take() == ["Half.willAppear landscapeRight", "Half.didAppear"])
        let film = try stage.addWindow(showing: stage.page("Film", .portrait))
        #expect(half.interfaceOrientation == .portrait)
        film.isHidden = true
        #expect(half.interfaceOrientation == .landscapeRight)
        try half.trySetRootViewController(nil)
        stage.turn(.portrait)
        try half.trySetRootViewController(page)
        #expect(half.interfaceOrientation == .portrait && page.interfaceOrientation == .portrait)
    }

    @Test func `R12: a small window of bare views has the natural orientation of its screen`() throws {
        let (stage, _) = try Stage.showing()
        let corner = Window(application: stage.application, frame: halves[0])
        corner.isHidden = false
        stage.turn(.landscapeLeft, .portraitUpsideDown)
        #expect(corner.interfaceOrientation == Stage.natural && corner.picture.transform == .identity)
    }

    @Test func `R12: a film that becomes small has the orientation of the window below it`() throws {
        let (stage, _) = try Stage.showing("Root", .portrait, isAnimated: true)
        let page = stage.page("Film", .landscape)
        let film = try stage.addWindow(showing: page)
        stage.clock.run()
        #expect(film.interfaceOrientation == .landscapeRight)
        film.frame = halves[1]
        stage.clock.run()
        #expect(film.interfaceOrientation == .portrait && stage.application.statusBarOrientation == .portrait)
        #expect(page.view.bounds.size == halves[1].size.turned(to: .portrait, on: Stage.shape))
        #expect(stage.errors.isEmpty)
    }

    @Test func `R12: a half that turns while it is resized or covered ends in the orientation of the screen`() throws {
        let (stage, _) = try Stage.showing(isAnimated: true)
        let half = try window(stage.page("Half"), halves[0], in: stage)
        stage.device.update(.landscapeLeft)
        stage.clock.advance(by: 0)
        stage.device.update(.portraitUpsideDown)
        half.frame = halves[1]
        stage.clock.run()
        #expect(half.interfaceOrientation == .portraitUpsideDown && stage.orientation == .portraitUpsideDown)
        #expect(!stage.application.isRotating && stage.errors.isEmpty)
        stage.application.suspend()
        stage.device.update(.portrait)
        stage.application.resume()
        stage.turn(.landscapeRight)
        #expect(half.interfaceOrientation == stage.orientation && stage.orientation == .landscapeLeft)
    }

    @Test func `R33: what a query of a window shows in another one appears before the call returns`() throws {
        let (stage, root) = try Stage.showing()
        let (page, sheet) = (stage.page("Page"), stage.page("Sheet"))
        let navigation = NavigationController(rootViewController: stage.page("Half"))
        _ = try window(navigation, halves[0], in: stage)
        let other = stage.page("Other")
        _ = try stage.addWindow(showing: other, isKey: false)
        sheet.modalPresentationStyle = .pageSheet
        _ = stage.log.take()
        root.onQuery = {
            root.onQuery = nil
            navigation.pushViewController(page)
            other.present(sheet)
        }
        root.setNeedsUpdateOfSupportedInterfaceOrientations()
        let calls = stage.log.take().filter { $0.contains("didAppear") }
        #expect(calls.sorted() == ["Page.didAppear", "Sheet.didAppear"] && page.view.window != nil)
    }

    @Test func `R34: an app of halves gets notifications if it requests them`() throws {
        let stage = Stage()
        let half = try window(stage.page("Half"), halves[0], in: stage)
        #expect(!stage.device.isGeneratingDeviceOrientationNotifications)
        let changes = ChangeLog(stage.device)
        stage.device.update(.landscapeLeft)
        #expect(changes.lines.isEmpty)
        stage.device.beginGeneratingDeviceOrientationNotifications()
        stage.device.update(.portrait)
        #expect(changes.lines == ["unknown → portrait"] && half.interfaceOrientation == Stage.natural)
    }

    @Test func `R12: a frame in the coordinates of the interface`() throws {
        let (stage, _) = try Stage.showing()
        let other = try window(stage.page("Other"), halves[0], in: stage)
        let fixed = stage.application.screen.fixedBounds
        for edge in Edge.allCases {
            stage.turn(DeviceOrientation(edge))
            let bounds = stage.application.screen.bounds
            #expect(stage.window.interfaceFrame == bounds)
            // The left half, as the user sees it.
            let half = Rect(x: 0, y: 0, width: bounds.size.width / 2, height: bounds.size.height)
            other.interfaceFrame = half
            #expect(other.interfaceFrame == half)
            let expected =
                switch DisplayRotation(stage.orientation, on: Stage.shape).panelEdge {
                case .top: Rect(x: 0, y: 0, width: fixed.size.width / 2, height: fixed.size.height)
                case .bottom:
                    Rect(x: fixed.size.width / 2, y: 0, width: fixed.size.width / 2, height: fixed.size.height)
                case .left: Rect(x: 0, y: fixed.size.height / 2, width: fixed.size.width, height: fixed.size.height / 2)
                case .right: Rect(x: 0, y: 0, width: fixed.size.width, height: fixed.size.height / 2)
                }
            #expect(other.frame == expected)
            #expect(other.rootViewController?.view.bounds.size == half.size)
        }
    }
}
