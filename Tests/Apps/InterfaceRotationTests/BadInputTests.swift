// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import InterfaceRotation
@testable import OrientationRules

@MainActor @Suite(.onBothShapes) struct BadInputTests {
    private let stage = Stage()

    @Test func `R16: presenting twice, or a controller in use, throws without a change`() throws {
        let (stage, root) = try Stage.showing()
        let film = stage.page("Film")
        try root.tryPresent(film)
        #expect(throws: HierarchyError.alreadyPresenting("Root", presented: "Film")) {
            try root.tryPresent(stage.page("Other"))
        }
        #expect(throws: HierarchyError.alreadyInUse("Film")) { try film.tryPresent(film) }
        #expect(throws: HierarchyError.alreadyInUse("Root")) { try film.tryPresent(root) }
        #expect(throws: HierarchyError.alreadyInUse("Film")) { try stage.window.trySetRootViewController(film) }
        #expect(stage.window.topmostViewController === film)
    }

    @Test func `R16: dismissing a controller that is not presented, and presenting outside a window, throws`() throws {
        let root = stage.page("Root")
        #expect(throws: HierarchyError.noWindow("Root")) { try root.tryPresent(stage.page("Film")) }
        try stage.show(root)
        root.dismiss()
        let refusal = stage.errors.last as? RefusedCallError
        #expect(refusal?.error as? HierarchyError == .notPresented("Root"))
    }

    @Test func `R39: adding an ancestor or the controller itself as a child throws`() throws {
        let (outer, inner) = (ViewController(title: "Outer"), ViewController(title: "Inner"))
        try outer.tryAddChild(inner)
        #expect(throws: HierarchyError.containsItself("Outer")) { try inner.tryAddChild(outer) }
        #expect(throws: HierarchyError.containsItself("Inner")) { try inner.tryAddChild(inner) }
        #expect(inner.children.isEmpty && outer.children.count == 1)
        let navigation = NavigationController(rootViewController: outer)
        #expect(throws: HierarchyError.self) { try navigation.tryPushViewController(navigation) }
        #expect(throws: HierarchyError.alreadyInUse("Outer")) { try navigation.tryPushViewController(outer) }
        #expect(throws: HierarchyError.emptyStack("NavigationController")) {
            try navigation.trySetViewControllers([])
        }
        #expect(navigation.popViewController() == nil && navigation.viewControllers.count == 1)
    }

    @Test func `R13: a controller that defers to itself or to a controller that is not its child answers for itself`()
        throws
    {
        let root = Confused()
        try stage.show(root)
        #expect(root.supportedInterfaceOrientations == .all && root.shouldAutorotate)
        root.named = stage.page("Stranger", .landscape)
        root.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .portrait)
    }

    @Test func `R39: a view is not added to itself or to its subviews`() {
        let (outer, inner) = (View(), View())
        outer.addSubview(inner)
        inner.addSubview(outer)
        inner.addSubview(inner)
        #expect(outer.superview == nil && inner.superview === outer && inner.subviews.isEmpty)
    }

    @Test func `R16: a refused child keeps its former parent and position`() throws {
        let container = LastChildAnswers()
        try stage.show(container)
        let (first, child, last) = (stage.page("First"), stage.page("Child", .landscape), stage.page("Last"))
        let former = ViewController()
        for each in [first, child, last] { try former.tryAddChild(each) }
        _ = stage.log.take()
        #expect(throws: InvalidInterfaceOrientationError.self) { try container.tryAddChild(child) }
        #expect(child.parent === former && container.children.isEmpty)
        #expect(former.children.map(\.description) == ["First", "Child", "Last"])
        #expect(stage.log.take().isEmpty)
        child.mask = .portrait
        try container.tryAddChild(child)
        #expect(child.parent === container && former.children.count == 2)
        #expect(stage.log.take() == ["Child.didMove nil", "Child.willMove LastChildAnswers"])
    }

    @Test func `R16: selecting a tab out of range throws`() throws {
        let tabs = TabBarController(viewControllers: [ViewController()])
        #expect(throws: HierarchyError.notChildren(of: "TabBarController")) { try tabs.trySelect(ViewController()) }
        #expect(throws: HierarchyError.noSuchTab(index: 1, count: 1)) { try tabs.trySelect(1) }
        #expect(throws: HierarchyError.noSuchTab(index: -1, count: 1)) { try tabs.trySelect(-1) }
        let twice = ViewController(title: "Twice")
        #expect(throws: HierarchyError.alreadyInUse("Twice")) { try tabs.trySetViewControllers([twice, twice]) }
        #expect(tabs.viewControllers.count == 1)
    }

    @Test func `R5: an empty list of orientations throws`() throws {
        #expect(throws: OrientationManifestError.empty) { try OrientationManifest([]) }
        #expect(throws: OrientationManifestError.unknownOrientation) { try OrientationManifest([.unknown]) }
        let list = try OrientationManifest([.landscapeLeft, .portrait, .landscapeLeft])
        #expect(list.supportedInterfaceOrientations == [.landscapeLeft, .portrait])
        #expect(OrientationManifest.none.supportedInterfaceOrientations == nil)
    }

    @Test func `R16: every error message names the remedy`() {
        func endless(_ repetition: RotationDoesNotSettleError.Repetition) -> any Error {
            RotationDoesNotSettleError(repetition: repetition, count: 64, controller: "Film")
        }
        let remedies: [(any Error, String)] = [
            (HierarchyError.alreadyPresenting("A", presented: "B"), "dismiss it first"),
            (HierarchyError.alreadyInUse("A"), "dismiss or remove it first"),
            (HierarchyError.alreadyInUse("A"), "listed twice"), (HierarchyError.notPresented("A"), "dismiss only"),
            (HierarchyError.noWindow("A"), "make it a root"),
            (HierarchyError.windowDoesNotRotate, "set one and call"),
            (HierarchyError.windowDoesNotRotate, "suspended"), (HierarchyError.containsItself("A"), "add another"),
            (HierarchyError.notChildren(of: "A"), "call addChild or setViewControllers"),
            (HierarchyError.emptyStack("A"), "set the root page"),
            (HierarchyError.noSuchTab(index: 3, count: 2), "must be 0 to 1"),
            (HierarchyError.noSuchTab(index: 0, count: 0), "call setViewControllers first"),
            (OrientationManifestError.empty, "use .none"), (OrientationManifestError.unknownOrientation, "remove it"),
            (
                GeometryRequestError.noneSupported(requested: .landscape, supported: .portrait),
                "request a supported one"
            ),
            (GeometryRequestError.locked, "to false"), (GeometryRequestError.notCoveringScreen, "set its frame"),
            (GeometryRequestError.emptyRequest, "request at least one"),
            (UnavailableError(feature: "requestGeometryUpdate", ruleSet: .legacy), "create the application"),
            (
                PreferredOrientationNotSupportedError(
                    controller: "Film", preferred: .landscapeLeft, supported: .portrait), "add"
            ),
            (endless(.turns), "do not change"), (endless(.turns), "in every rotation callback"),
            (endless(.changes), "do not present, dismiss, push or pop in every viewDidAppear"),
            (endless(.animations), "do not call animate(alongsideTransition:) of the coordinator in its own block"),
            (endless(.keyWindows), "do not call makeKeyAndVisible()"), (endless(.screenSizes), "screen.resize(to:)"),
        ]
        for (error, remedy) in remedies {
            #expect("\(error)".contains(remedy))
            if error is RotationDoesNotSettleError {
                #expect("\(error)".hasPrefix("64 ") && "\(error)".contains("Film"))
            }
        }
    }

    @Test func `R40: an application without an owner is deallocated`() throws {
        weak var application: Application?
        weak var window: Window?
        weak var film: ViewController?
        do {
            let stage = Stage(isAnimated: true)
            let root = stage.page("Root")
            let navigation = NavigationController(rootViewController: root)
            try stage.show(navigation)
            let presented = stage.page("Film", .landscape)
            presented.onTransition = { _, coordinator in coordinator.animate { _ in } }
            try root.tryPresent(presented)
            stage.clock.run()
            stage.turn(.landscapeLeft, .landscapeRight)
            // During a turn, with a deallocated frame clock.
            stage.device.update(.landscapeLeft)
            #expect(stage.window.isRotating)
            (application, window, film) = (stage.application, stage.window, presented)
        }
        #expect(application == nil && window == nil && film == nil)
    }

    @Test func `R40: a turn of a released application is completed`() throws {
        let (clock, device, page) = (ManualFrameClock(), Device(), stage.page("Root"))
        var application: Application? = Application(device: device, screen: Screen(size: Stage.size), frameClock: clock)
        let window = Window(application: try #require(application))
        window.rootViewController = page
        window.makeKeyAndVisible()
        clock.run()
        device.update(.landscapeRight)
        device.update(.portraitUpsideDown)
        #expect(window.isRotating && application?.isRotating == true)
        application = nil
        #expect(!window.isRotating && stage.log.take().filter { $0.contains("didRotate") }.count == 1)
    }

    @Test func `R11: dismissed and popped controllers are deallocated`() throws {
        let root = stage.page("Root")
        let navigation = NavigationController(rootViewController: root)
        try stage.show(navigation)
        weak var film: Page?
        weak var page: Page?
        do {
            let (presented, pushed) = (stage.page("Film"), stage.page("Page"))
            try root.tryPresent(presented)
            presented.dismiss()
            try navigation.tryPushViewController(pushed)
            navigation.popViewController()
            (film, page) = (presented, pushed)
        }
        #expect(film == nil && page == nil)
    }

    @Test func `R39: a container of controllers that are in use or listed twice throws`() throws {
        let (tab, root, film) = (stage.page("Tab"), stage.page("Root"), stage.page("Film"))
        try stage.show(root)
        try root.tryPresent(film)
        let tabs = TabBarController(viewControllers: [tab])
        for used in [tab, root, film] {
            #expect(throws: HierarchyError.alreadyInUse("\(used)")) {
                try NavigationController().trySetViewControllers([used])
            }
        }
        let free = stage.page("Free")
        #expect(throws: HierarchyError.alreadyInUse("Free")) {
            try TabBarController().trySetViewControllers([free, free])
        }
        #expect(free.parent == nil && tab.parent === tabs && root.parent == nil)
        let more = stage.page("More")
        try tabs.trySetViewControllers([tab, more])
        for list in [[more, tab, tab], [tab, more, tab], [tab, tab], [tab, more, free, tab]] {
            #expect(throws: HierarchyError.self) { try tabs.trySetViewControllers(list) }
        }
        #expect(tabs.viewControllers.map(\.title) == ["Tab", "More"] && free.parent == nil)
    }

    @Test func `R14: a tab remains selected when a tab before it is removed`() throws {
        let (first, second) = (stage.page("First"), stage.page("Second"))
        let tabs = TabBarController(viewControllers: [first, second, stage.page("Third")])
        try stage.show(tabs)
        try tabs.trySelect(1)
        first.removeFromParent()
        #expect(tabs.selectedViewController === second && tabs.selectedIndex == 0)
        #expect(second.view.window != nil)
    }

    @Test(arguments: [
        Size(width: -1, height: 5), Size(width: .nan, height: 5), Size(width: 5, height: .infinity),
    ])
    func `R6: a screen keeps its size if the new one is negative or not finite`(size: Size) throws {
        let (stage, _) = try Stage.showing()
        stage.application.screen.resize(to: size)
        #expect(stage.application.screen.fixedBounds.size == Stage.size && stage.window.coversScreen)
        let texts = stage.errors.map { "\($0)" }
        let start = "screen.resize(to:): invalid value: size \(size.width) × \(size.height): numbers must be finite"
        #expect(texts.count == 1 && texts.allSatisfy { $0.hasPrefix(start) })
    }

    @Test(arguments: [
        Rect(x: 0, y: 0, width: -1, height: 5), Rect(x: .nan, y: 0, width: 5, height: 5),
        Rect(x: 0, y: 0, width: .infinity, height: 5),
    ])
    func `R12: a window keeps its geometry if the new one is negative or not finite`(frame: Rect) throws {
        let (stage, root) = try Stage.showing()
        let former = stage.window.frame
        stage.window.frame = frame
        #expect(stage.errors.count == 1 && "\(stage.errors[0])".hasPrefix("window.frame: invalid "))
        stage.window.bounds = Rect(size: Size(width: .nan, height: 1))
        stage.window.center = Point(x: .infinity, y: 1)
        stage.window.transform = Transform(a: .nan, b: 0, c: 0, d: 1, tx: 0, ty: 0)
        #expect(stage.errors.count == 4 && stage.errors.allSatisfy { $0 is InvalidGeometryError })
        #expect(stage.window.frame == former && stage.window.coversScreen && root.view.frame == former)
        #expect(stage.turn(.landscapeLeft) == .landscapeRight)
    }

    @Test func `R6: a screen or a window that is created with an invalid size stops the program with the cause`() async
    {
        let screen = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run { _ = Screen(size: Size(width: .nan, height: 5)) }
        }
        let window = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await MainActor.run {
                let application = Application(
                    screen: Screen(size: Size(width: 1, height: 2)), frameClock: ManualFrameClock())
                _ = Window(application: application, frame: Rect(x: 0, y: 0, width: -1, height: 5))
            }
        }
        for (result, text) in [
            (screen, "Screen(size:): invalid value: size nan × 5"), (window, "Window(frame:): invalid value: "),
        ] {
            let written = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(written.contains(text))
        }
    }
}

/// Defers to itself.
@MainActor private final class Confused: ViewController {
    var named: ViewController?
    override var childForInterfaceOrientation: ViewController? { named ?? self }
}

/// Supports portrait if its newest child does.
@MainActor private final class LastChildAnswers: ViewController {
    override var supportedInterfaceOrientations: InterfaceOrientationMask { .portrait }
    override var childForInterfaceOrientation: ViewController? { children.last }
}
