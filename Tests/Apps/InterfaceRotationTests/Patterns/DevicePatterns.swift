// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// The patterns of the device, of several windows and of custom rotation: P5 to P10.
@MainActor @Suite(.onBothShapes) struct DevicePatterns {
    @Test func `P5: one controller for each class of orientation, presented from the device's notification`() throws {
        let stage = Stage(isAnimated: true)
        let upright = TwoLayouts(stage)
        try stage.show(upright)
        stage.turn(.landscapeRight)
        #expect(upright.presentedViewController === upright.wide && stage.orientation == .landscapeLeft)
        #expect(stage.turn(.landscapeLeft) == .landscapeRight && upright.presentedViewController === upright.wide)
        stage.turn(.faceUp, .portrait)
        #expect(upright.presentedViewController == nil && stage.orientation == .portrait)
        stage.device.lock()
        stage.turn(.landscapeLeft)
        #expect(upright.presentedViewController == nil && stage.orientation == .portrait)
        stage.device.unlock()
        stage.clock.run()
        #expect(upright.presentedViewController === upright.wide && stage.orientation == .landscapeRight)
        #expect(stage.errors.isEmpty && upright.failures.isEmpty)
    }

    @Test func `P5: a second turn during the presentation ends in the right orientation`() throws {
        let stage = Stage(isAnimated: true)
        let upright = TwoLayouts(stage)
        try stage.show(upright)
        stage.device.update(.landscapeRight)
        stage.clock.advance(by: 0)
        stage.device.update(.portrait)
        stage.clock.advance(by: 0.1)
        stage.device.update(.landscapeLeft)
        stage.clock.run()
        #expect(upright.presentedViewController === upright.wide && stage.orientation == .landscapeRight)
        stage.device.update(.portrait)
        stage.clock.advance(by: 0)
        stage.device.update(.landscapeLeft)
        stage.device.update(.portrait)
        stage.clock.run()
        #expect(upright.presentedViewController == nil && stage.orientation == .portrait)
        #expect(stage.errors.isEmpty && upright.failures.isEmpty)
    }

    @Test func `P6: a player goes full screen by an overridden device orientation`() throws {
        let stage = Stage(.autorotating)
        let player = Player(stage, mask: .allButUpsideDown)
        try stage.show(player.page)
        player.installInline()
        try player.full.tryMakeKeyAndVisible()
        #expect(player.isInline)
        stage.device.overrideOrientation(.landscapeLeft)
        #expect(player.full.interfaceOrientation == .landscapeRight && !player.isInline)
        #expect(stage.orientation == .portrait)
        stage.device.clearOverride()
        #expect(player.full.interfaceOrientation == .portrait && player.isInline)
        player.full.isHidden = true
        #expect(stage.application.statusBarOrientation == .portrait)
        #expect(player.video.frame == Rect(x: 10, y: 50, width: 300, height: 170))
    }

    @Test(arguments: [true, false])
    func `P6: a player goes full screen by a request, or by an update`(byRequest: Bool) throws {
        let stage = Stage()
        let player = Player(stage, mask: byRequest ? .allButUpsideDown : .portrait)
        try stage.show(player.page)
        player.installInline()
        try player.full.tryMakeKeyAndVisible()
        func go(to mask: InterfaceOrientationMask) throws {
            if byRequest { return try player.full.requestGeometryUpdate(interfaceOrientations: mask) }
            player.stagePage.mask = mask
            player.stagePage.setNeedsUpdateOfSupportedInterfaceOrientations()
        }
        try go(to: .landscape)
        #expect(player.full.interfaceOrientation == .landscapeRight && !player.isInline)
        #expect(stage.orientation == .portrait && stage.application.statusBarOrientation == .landscapeRight)
        #expect(player.video.bounds.size == Size(width: 568, height: 320))
        try go(to: .portrait)
        player.full.isHidden = true
        #expect(player.isInline && stage.application.keyWindow === stage.window)
        #expect(player.video.frame == Rect(x: 10, y: 50, width: 300, height: 170))
        #expect(stage.application.statusBarOrientation == .portrait)
    }

    @Test func `P7: a container swaps its children during a rotation`() throws {
        let stage = Stage(isAnimated: true)
        let container = Swapping(stage)
        try stage.show(container)
        stage.turn(.landscapeLeft)
        #expect(container.children.map(\.description) == ["Wide"])
        #expect(container.wide.view.bounds.size == Size(width: 568, height: 320))
        #expect(container.tall.view.window == nil && container.tall.parent == nil)
        stage.turn(.portrait)
        #expect(container.children.map(\.description) == ["Tall"])
        #expect(container.tall.view.bounds.size == Size(width: 320, height: 568))
        let calls = stage.log.take().filter { $0.hasPrefix("Wide") && ($0.contains("ppear") || $0.contains("ove")) }
        #expect(
            calls == [
                "Wide.willMove Container", "Wide.willAppear landscapeRight", "Wide.didAppear", "Wide.didMove Container",
                "Wide.willMove nil", "Wide.willDisappear", "Wide.didDisappear", "Wide.didMove nil",
            ])
        #expect(stage.errors.isEmpty)
    }

    @Test func `P8: a status-bar overlay rotates itself`() throws {
        let (stage, _) = try Stage.showing(isAnimated: true)
        let overlay = Window(application: stage.application, frame: Rect(x: 0, y: 0, width: 320, height: 320))
        let bar = View(frame: Rect(x: 0, y: 150, width: 320, height: 20))
        overlay.addSubview(bar)
        bar.follow(.statusBar)
        overlay.isHidden = false
        stage.device.update(.landscapeRight)
        #expect(bar.effectiveTransform == InterfaceOrientation.landscapeLeft.transform)
        #expect(bar.center == Point(x: 160, y: 160))
        #expect(bar.bounds.size == Size(width: 320, height: 20).turned(to: .landscapeLeft, on: Stage.shape))
        stage.clock.run()
        #expect(overlay.interfaceOrientation == Stage.natural && stage.application.keyWindow === stage.window)
        stage.turn(.portrait)
        #expect(bar.frame == Rect(x: 0, y: 150, width: 320, height: 20))
    }

    @Test func `P10: a landscape dialog inside a portrait interface does not change its surroundings`() throws {
        let notch = EdgeInsets(top: 40, left: 0, bottom: 34, right: 0)
        let screen = Screen(size: Stage.size, safeArea: SafeArea(portrait: notch))
        let (stage, root) = try Stage.showing("Root", .portrait, screen: screen)
        let before = (root.view.frame, root.view.bounds, stage.window.safeAreaInsets)
        let dialog = View(frame: stage.window.bounds)
        stage.window.addSubview(dialog)
        dialog.follow(.fixed(.landscapeLeft))
        #expect(dialog.bounds.size == Size(width: 568, height: 320))
        #expect(dialog.frame == stage.window.bounds)
        let room = screen.safeArea.safeArea(in: screen.fixedBounds.size, for: .landscapeLeft)
        #expect(room == Rect(x: 34, y: 0, width: 494, height: 320))
        #expect((root.view.frame, root.view.bounds, stage.window.safeAreaInsets) == before)
        #expect(stage.orientation == .portrait && stage.application.statusBarOrientation == .portrait)
        #expect(stage.log.take().isEmpty)
    }
}

/// Presents its landscape counterpart when the device is in landscape.
@MainActor private final class TwoLayouts: Page {
    let wide: Page
    var failures: [any Error] = []

    init(_ stage: Stage) {
        wide = stage.page("Wide", .landscape)
        super.init("Upright", .portrait, log: stage.log)
        stage.device.orientationDidChange.addObserver(self) { $0.deviceTurned(to: $1.new) }
    }

    private func deviceTurned(to orientation: DeviceOrientation) {
        do {
            if orientation.isLandscape, presentedViewController == nil { try tryPresent(wide) }
            if orientation.isPortrait, presentedViewController != nil { dismiss() }
        } catch { failures.append(error) }
    }
}

/// A video inline in a page, and full screen in its own window.
@MainActor private final class Player {
    let page: Page
    let stagePage: Page
    let full: Window
    let video = View()

    init(_ stage: Stage, mask: InterfaceOrientationMask) {
        page = stage.page("Inline", .portrait)
        stagePage = stage.page("Stage", mask)
        full = Window(application: stage.application)
        try? full.trySetRootViewController(stagePage)
        stagePage.onTransition = { [weak self] page, coordinator in self?.move(to: coordinator.to) }
    }

    func installInline() {
        page.view.addSubview(video)
        video.autoresizingMask = []
        video.frame = Rect(x: 10, y: 50, width: 300, height: 170)
    }

    private func move(to orientation: InterfaceOrientation) {
        guard orientation.isLandscape else { return installInline() }
        stagePage.view.addSubview(video)
        video.frame = stagePage.view.bounds
        video.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    }

    var isInline: Bool { video.superview === page.view }
}

/// Shows one child in portrait and another in landscape.
@MainActor private final class Swapping: ViewController {
    let tall: Page
    let wide: Page

    init(_ stage: Stage) {
        tall = stage.page("Tall")
        wide = stage.page("Wide")
        super.init(title: "Container")
    }

    override func viewDidLoad() { swap(nil, tall) }

    override func willAnimateRotation(to orientation: InterfaceOrientation, duration: Double) {
        orientation.isLandscape ? swap(tall, wide) : swap(wide, tall)
    }

    private func swap(_ old: Page?, _ new: Page) {
        old?.willMove(toParent: nil)
        do { try tryAddChild(new) } catch { Issue.record("\(error)") }
        new.view.frame = view.bounds
        new.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(new.view)
        new.didMove(toParent: self)
        old?.view.removeFromSuperview()
        old?.removeFromParent()
    }
}
