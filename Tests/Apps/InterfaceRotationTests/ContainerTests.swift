// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

@MainActor @Suite(.onBothShapes) struct ContainerTests {
    private let stage = Stage()

    @Test func `R13: a container does not query its content by default`() throws {
        let page = stage.page("Page", .portrait)
        page.logsQuestions = true
        try stage.show(NavigationController(rootViewController: page))
        #expect(stage.turn(.landscapeLeft) == .landscapeRight)
        #expect(!stage.log.take().contains("Page.supported"))
    }

    @Test func `R13: a container's delegate answers for it`() throws {
        let navigation = NavigationController(rootViewController: stage.page("Page"))
        let tabs = TabBarController(viewControllers: [stage.page("Tab")])
        let delegate = ContainerDelegate()
        navigation.delegate = delegate
        tabs.delegate = delegate
        #expect(navigation.supportedInterfaceOrientations == .portrait)
        #expect(navigation.preferredInterfaceOrientationForPresentation == .portrait)
        #expect(tabs.supportedInterfaceOrientations == .landscape)
        #expect(tabs.preferredInterfaceOrientationForPresentation == .landscapeLeft)
        try stage.show(navigation)
        #expect(stage.turn(.landscapeLeft) == .portrait)
    }

    @Test func `R13: a deferring container returns the page's answer through navigation and tabs, queried once`() throws
    {
        let stage = Stage(.autorotating)
        let page = stage.page("Page", .portrait)
        let navigation = NavigationController(rootViewController: page)
        navigation.defersOrientationToContent = true
        let tabs = TabBarController(viewControllers: [navigation])
        tabs.defersOrientationToContent = true
        try stage.show(tabs)
        page.logsQuestions = true
        #expect(stage.turn(.landscapeLeft) == .portrait)
        #expect(stage.log.take() == ["Page.shouldAutorotate", "Page.supported"])
        page.preferred = .portrait
        #expect(tabs.preferredInterfaceOrientationForPresentation == .portrait)
        #expect(tabs.supportedInterfaceOrientations == .portrait)
        page.autorotates = false
        #expect(!tabs.shouldAutorotate)
    }

    @Test func `R13: a container's own mask is intersected with its content's`() throws {
        let page = stage.page("Page", .landscapeRight)
        let navigation = Narrow(rootViewController: page)
        navigation.defersOrientationToContent = true
        try stage.show(navigation)
        #expect(stage.orientation == .landscapeRight)
        #expect(
            stage.window.explain()?.queried.suffix(2).map(\.description)
                == ["Narrow: landscapeRight, landscapeLeft", "Page: landscapeRight"])
        #expect(stage.turn(.landscapeRight) == .landscapeRight)
        #expect(stage.window.explain()?.sentence.contains("Page does not allow landscapeLeft") == true)
    }

    @Test func `R13: a custom container can defer to a child, and answers for itself without one`()
        throws
    {
        let container = Naming()
        let child = stage.page("Child", .landscape)
        try container.tryAddChild(child)
        try stage.show(container)
        #expect(stage.orientation == .portrait)
        container.answering = child
        container.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation.isLandscape)
        let tabs = TabBarController()
        tabs.defersOrientationToContent = true
        #expect(tabs.supportedInterfaceOrientations == .all && tabs.selectedViewController == nil)
    }

    @Test func `R13: a deferring container has the lock of its content`() throws {
        let page = stage.page("Page")
        page.prefersLock = true
        let navigation = NavigationController(rootViewController: page)
        try stage.show(navigation)
        #expect(!stage.window.isInterfaceOrientationLocked)
        navigation.defersOrientationToContent = true
        navigation.setNeedsUpdateOfPrefersInterfaceOrientationLocked()
        #expect(stage.window.isInterfaceOrientationLocked)
    }

    @Test func `R14: every change of the hierarchy queries again`() throws {
        stage.delegate = Delegate(log: stage.log) { _ in
            stage.log.note("queried")
            return .all
        }
        let tabs = TabBarController(viewControllers: [ViewController(), ViewController()])
        func queried(_ what: () throws -> Void) rethrows -> Int {
            _ = stage.log.take()
            try what()
            return stage.log.take().filter { $0 == "queried" }.count
        }
        try stage.show(ViewController())
        #expect(try queried { try stage.window.trySetRootViewController(tabs) } == 1)
        #expect(try queried { try tabs.trySelect(1) } == 1)
        let film = ViewController()
        #expect(try queried { try tabs.tryPresent(film) } == 1)
        #expect(queried { film.dismiss() } == 1)
        let child = ViewController()
        let parent = try #require(tabs.selectedViewController)
        #expect(try queried { try parent.tryAddChild(child) } == 1)
        #expect(queried { child.removeFromParent() } == 1)
        let other = try stage.hiddenWindow(showing: ViewController())
        #expect(try queried { try other.tryMakeKeyAndVisible() } == 1)
        #expect(try queried { try stage.window.tryMakeKeyAndVisible() } == 1)
    }

    @Test func `R32: a visible view that the program has moved or removed is placed in the next turn only`() throws {
        let page = stage.page("Page")
        let navigation = Wrapping(rootViewController: page)
        try stage.show(navigation)
        #expect(stage.turn(.landscapeLeft) == .landscapeRight && page.view.superview === navigation.wrapper)
        navigation.view.removeFromSuperview()
        #expect(navigation.view.superview == nil)
        stage.turn(.portrait)
        #expect(navigation.view.superview === stage.window && stage.errors.isEmpty)
    }

    @Test func `R39: a controller moves to or from its parent only in the appearance that this causes`() throws {
        let log = stage.log
        let pages = ["First", "Second", "Third", "Tab"].map { Moving($0, log) }
        let (child, navigation) = (pages[2], NavigationController(rootViewController: pages[0]))
        let tabs = TabBarController(viewControllers: [navigation, pages[3]])
        try stage.show(tabs)
        // A deep link: the second page appears when the third is popped.
        navigation.setViewControllers(Array(pages.prefix(3)))
        navigation.popViewController()
        #expect(log.take() == ["Third comes", "Third goes"])
        navigation.popToRootViewController()
        for index in [1, 0] { tabs.selectedIndex = index }
        #expect(log.take() == ["Second goes"])
        // In the order of UIKit's documents.
        pages[0].addChild(child)
        pages[0].view.addSubview(child.view)
        child.didMove(toParent: pages[0])
        child.willMove(toParent: nil)
        child.view.removeFromSuperview()
        child.removeFromParent()
        #expect(log.take() == ["Third comes", "Third goes"])
        // Removed out of sight.
        navigation.setViewControllers(Array(pages.prefix(3)))
        navigation.popToRootViewController()
        try stage.window.trySetRootViewController(pages[1])
        stage.window.isHidden = true
        #expect(log.take() == ["Third comes", "Third goes"])
    }

    @Test func `R14: a presented or dismissed sheet and an invisible push query no controller`() throws {
        let root = stage.page("Root")
        let hidden = NavigationController(rootViewController: stage.page("Hidden"))
        let tabs = TabBarController(viewControllers: [root, hidden])
        try stage.show(tabs)
        stage.delegate = Delegate { _ in
            stage.log.note("queried")
            return .all
        }
        let sheet = stage.page("Sheet", .landscape)
        sheet.modalPresentationStyle = .formSheet
        try root.tryPresent(sheet)
        sheet.dismiss()
        try hidden.tryPushViewController(stage.page("Deep", .landscape))
        hidden.popViewController()
        #expect(!stage.log.take().contains("queried"))
        #expect(stage.orientation == .portrait)
    }
}

@MainActor private final class ContainerDelegate: NavigationControllerDelegate, TabBarControllerDelegate {
    func navigationControllerSupportedInterfaceOrientations(
        _ navigationController: NavigationController
    ) -> InterfaceOrientationMask { .portrait }
    func navigationControllerPreferredInterfaceOrientationForPresentation(
        _ navigationController: NavigationController
    ) -> InterfaceOrientation { .portrait }
    func tabBarControllerSupportedInterfaceOrientations(
        _ tabBarController: TabBarController
    ) -> InterfaceOrientationMask { .landscape }
    func tabBarControllerPreferredInterfaceOrientationForPresentation(
        _ tabBarController: TabBarController
    ) -> InterfaceOrientation { .landscapeLeft }
}

/// Logs the appearances in which it moves to or from its parent.
@MainActor private final class Moving: ViewController {
    private let log: Log

    init(_ title: String, _ log: Log) {
        self.log = log
        super.init(title: title)
    }

    private func note() {
        if isMovingToParent { log.note("\(self) comes") }
        if isMovingFromParent { log.note("\(self) goes") }
    }

    override func viewWillAppear(_ animated: Bool) { note() }
    override func viewWillDisappear(_ animated: Bool) { note() }
}

@MainActor private final class Narrow: NavigationController {
    override var supportedInterfaceOrientations: InterfaceOrientationMask { .landscape }
}

/// Puts the view of its page into a wrapper when it is laid out.
@MainActor private final class Wrapping: NavigationController {
    let wrapper = View()

    override func viewDidLayoutSubviews() {
        if wrapper.superview == nil { view.addSubview(wrapper) }
        if let page = topViewController, page.view.superview !== wrapper { wrapper.addSubview(page.view) }
    }
}

@MainActor private final class Naming: ViewController {
    var answering: ViewController?
    override var childForInterfaceOrientation: ViewController? { answering }
}

/// Answers by the top page, in the old method and in the new one.
@MainActor final class ByClass: NavigationController {
    override var supportedInterfaceOrientations: InterfaceOrientationMask {
        topViewController?.supportedInterfaceOrientations ?? .all
    }
    override func shouldAutorotate(to orientation: InterfaceOrientation) -> Bool {
        topViewController?.shouldAutorotate(to: orientation) ?? true
    }
}

/// Returns the answer of the new method in the old one.
@MainActor final class LegacyPage: Page {
    override func shouldAutorotate(to orientation: InterfaceOrientation) -> Bool {
        if logsQuestions { note("\(orientation)?") }
        return mask?.contains(orientation) ?? super.shouldAutorotate(to: orientation)
    }
}
