// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

@MainActor @Suite(.onBothShapes) struct QueryTests {
    private let stage = Stage()

    @Test func `R4: device, application, window and controller have an orientation each`() throws {
        let page = stage.page("Page")
        #expect(page.interfaceOrientation == .unknown)
        #expect(stage.application.statusBarOrientation == Stage.natural)
        try stage.show(page)
        stage.turn(.landscapeRight)
        #expect(stage.device.orientation == .landscapeRight)
        #expect(stage.application.statusBarOrientation == .landscapeLeft)
        #expect(stage.window.interfaceOrientation == .landscapeLeft)
        #expect(page.interfaceOrientation == .landscapeLeft)
    }

    @Test func `R6: the app starts in the manifest's first orientation`() throws {
        let stage = Stage(manifest: try OrientationManifest([.landscapeLeft, .portrait]))
        #expect(stage.application.statusBarOrientation == .landscapeLeft)
        #expect(stage.application.screen.bounds.size == Size(width: 568, height: 320))
        #expect(stage.application.screen.fixedBounds.size == Stage.size)
        try stage.launch(stage.page("Root"))
        #expect(stage.orientation == .landscapeLeft)
        #expect(stage.window.rootViewController?.view.bounds.size == Size(width: 568, height: 320))
    }

    @Test func `R7: the delegate's answer replaces the manifest's and may allow more`() throws {
        let manifest = try OrientationManifest([.portrait])
        let (stage, _) = try Stage.showing(manifest: manifest)
        #expect(stage.turn(.landscapeLeft) == .portrait)
        #expect(stage.window.explain()?.sentence.contains("the manifest does not allow") == true)
        stage.delegate = Delegate { _ in .all }
        #expect(stage.turn(.landscapeRight) == .landscapeLeft)
        #expect(stage.window.explain()?.queried.map(\.source).contains("the application's delegate") == true)
    }

    @Test func `R7: the manifest applies if the delegate does not implement the method`() throws {
        let manifest = try OrientationManifest([.portrait])
        let stage = Stage(manifest: manifest)
        let delegate = SilentDelegate()
        stage.application.delegate = delegate
        try stage.show(stage.page("Root"))
        #expect(stage.turn(.landscapeLeft) == .portrait)
        #expect(stage.window.explain()?.queried.map(\.source).contains("the manifest") == true)
    }

    @Test func `R8: a controller without overrides supports everything, follows, prefers and locks nothing`() {
        let controller = ViewController()
        #expect(controller.supportedInterfaceOrientations == .all && controller.shouldAutorotate)
        #expect(controller.preferredInterfaceOrientationForPresentation == .unknown)
        #expect(!controller.prefersInterfaceOrientationLocked)
        #expect(controller.childViewControllerForInterfaceOrientationLock == nil)
        #expect(controller.childForInterfaceOrientation == nil)
    }

    @Test func `R9: a phone does not go upside down unless it is declared, a pad does`() throws {
        let (phone, _) = try Stage.showing(idiom: .phone)
        phone.turn(.portraitUpsideDown)
        #expect(phone.orientation == .portrait)
        let (pad, _) = try Stage.showing(idiom: .pad)
        pad.turn(.portraitUpsideDown)
        #expect(pad.orientation == .portraitUpsideDown)
        // The app and the controller have the same default, which both must override.
        let (told, _) = try Stage.showing(
            "Root", .all, idiom: .phone, manifest: OrientationManifest([.portrait, .portraitUpsideDown]))
        told.turn(.portraitUpsideDown)
        #expect(told.orientation == .portraitUpsideDown)
    }

    @Test func `R10: a device mask restricts every window`() throws {
        let (stage, _) = try Stage.showing()
        try stage.device.setSupportedInterfaceOrientations(.allButUpsideDown)
        #expect(stage.turn(.portraitUpsideDown) == .portrait)
        try stage.device.setSupportedInterfaceOrientations(.landscape)
        #expect(stage.orientation.isLandscape)
        #expect(throws: EmptyDeviceMaskError.self) { try stage.device.setSupportedInterfaceOrientations([]) }
        #expect(stage.device.supportedInterfaceOrientations == .landscape)
    }

    @Test(arguments: [
        (ModalPresentationStyle.fullScreen, true), (.overFullScreen, true), (.currentContext, true),
        (.overCurrentContext, true), (.pageSheet, false), (.formSheet, false), (.popover, false),
        (.custom, false),
    ])
    func `R11: the topmost controller is the last one that covers the window`(
        style: ModalPresentationStyle, covers: Bool
    ) throws {
        let (stage, root) = try Stage.showing()
        let above = stage.page("Above", .landscape)
        above.modalPresentationStyle = style
        try root.tryPresent(above)
        #expect((stage.window.topmostViewController === above) == covers)
        #expect(stage.orientation.isLandscape == covers)
    }

    @Test func `R11: a full-screen controller above a sheet is topmost, and full screen is the default`() throws {
        let (stage, root) = try Stage.showing()
        let (sheet, film) = (stage.page("Sheet"), stage.page("Film"))
        sheet.modalPresentationStyle = .pageSheet
        try root.tryPresent(sheet)
        #expect(film.modalPresentationStyle == .fullScreen)
        try sheet.tryPresent(film)
        #expect(stage.window.topmostViewController === film)
        #expect(root.view.window == nil && sheet.view.window == nil)
    }

    @Test func `R11: a child's presentation is performed by its outermost ancestor`() throws {
        let page = stage.page("Page")
        let navigation = NavigationController(rootViewController: page)
        try stage.show(navigation)
        let film = stage.page("Film")
        try page.tryPresent(film)
        #expect(film.presentingViewController === navigation)
        #expect(page.presentedViewController === film && navigation.presentedViewController === film)
        #expect(navigation.topViewController === page && navigation.visibleViewController === film)
    }

    @Test func `R11: a presentation in a context other than the root does not cover the window`() throws {
        let page = stage.page("Page")
        page.definesPresentationContext = true
        let navigation = NavigationController(rootViewController: page)
        try stage.show(navigation)
        let inside = stage.page("Inside", .landscape)
        inside.modalPresentationStyle = .currentContext
        try page.tryPresent(inside)
        #expect(stage.window.topmostViewController === navigation)
        #expect(stage.orientation == .portrait)
        #expect(inside.view.isDescendant(of: page.view))
        inside.dismiss()
        #expect(inside.view.window == nil)
    }

    @Test func `R11: a controller that replaces a sheet does not cover the window`() throws {
        let (stage, root) = try Stage.showing()
        let (sheet, inside) = (stage.page("Sheet"), stage.page("Inside", .landscape))
        sheet.modalPresentationStyle = .pageSheet
        inside.modalPresentationStyle = .currentContext
        try root.tryPresent(sheet)
        try sheet.tryPresent(inside)
        #expect(stage.window.topmostViewController === root && stage.orientation == .portrait)
        inside.dismiss()
        // A page that appears or disappears in a sheet causes no query.
        let navigation = NavigationController(rootViewController: stage.page("First"))
        navigation.modalPresentationStyle = .formSheet
        try sheet.tryPresent(navigation)
        try navigation.tryPushViewController(stage.page("Second"))
        try stage.window.requestGeometryUpdate(interfaceOrientations: .landscapeLeft)
        stage.turn(.portraitUpsideDown, .portrait)
        root.mask = .landscape
        navigation.popViewController()
        #expect(stage.orientation == .portrait)
    }

    @Test func `R15: each source is queried once, in the order of the rules`() throws {
        let stage = Stage(.autorotating)
        let page = stage.page("Page")
        let navigation = QueriedNavigation(rootViewController: page)
        navigation.log = stage.log
        navigation.defersOrientationToContent = true
        try stage.show(navigation)
        stage.delegate = Delegate { _ in
            stage.log.note("delegate")
            return .all
        }
        page.logsQuestions = true
        stage.device.update(.landscapeLeft)
        #expect(
            stage.log.take().prefix { !$0.contains("willRotate") } == [
                "delegate", "Page.shouldAutorotate", "navigation", "Page.supported",
            ])
        #expect(
            stage.window.explain()?.queried.map(\.source) == [
                "the user's lock", "the device", "the application's delegate", "shouldAutorotate",
                "QueriedNavigation", "Page",
            ])
    }

    @Test func `R12: a window without a root, or one beside no window that covers its screen, does not rotate`() throws
    {
        let corner = Window(application: stage.application, frame: Rect(x: 0, y: 0, width: 100, height: 100))
        let page = stage.page("Corner", .landscape)
        page.logsQuestions = true
        try corner.trySetRootViewController(page)
        try corner.tryMakeKeyAndVisible()
        try stage.window.tryMakeKeyAndVisible()
        stage.window.addSubview(View(frame: Rect(x: 0, y: 0, width: 10, height: 10)))
        stage.turn(.portrait, .landscapeLeft)
        #expect(corner.interfaceOrientation == Stage.natural && stage.orientation == Stage.natural)
        #expect(!stage.log.take().contains { $0.contains("supported") })
        #expect(corner.explain()?.cause == .screenNotCovered && stage.window.explain() == nil)
        #expect(stage.device.orientation == .unknown)
    }
}

/// Logs that it is queried, and returns the answer of its content.
@MainActor private final class QueriedNavigation: NavigationController {
    var log: Log?
    override var supportedInterfaceOrientations: InterfaceOrientationMask {
        log?.note("navigation")
        return super.supportedInterfaceOrientations
    }
}

@MainActor private final class SilentDelegate: ApplicationDelegate {}
