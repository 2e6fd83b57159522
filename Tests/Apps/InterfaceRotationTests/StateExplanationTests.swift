// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import InterfaceRotation

/// Explanations of an app: the controller that refuses is named, and the state is explained.
@MainActor @Suite(.onBothShapes) struct StateExplanationTests {
    /// Shows a page in a navigation in a tab bar that defer to their content.
    private func shown(_ page: Page, in stage: Stage) throws -> NavigationController {
        let navigation = NavigationController(rootViewController: page)
        let tabs = TabBarController(viewControllers: [navigation])
        (navigation.defersOrientationToContent, tabs.defersOrientationToContent) = (true, true)
        try stage.show(tabs)
        return navigation
    }

    @Test func `R43: the page that refuses is named, not the containers that defer to it`() throws {
        let stage = Stage()
        let page = stage.page("Page", .portrait)
        let navigation = try shown(page, in: stage)
        stage.turn(.landscapeLeft)
        #expect(stage.window.explain()?.sentence.hasSuffix("and Page does not allow landscapeRight.") == true)
        stage.delegate = Delegate { _ in .portrait }
        let film = stage.page("Film", .landscape)
        let error = #expect(throws: InvalidInterfaceOrientationError.self) {
            try navigation.tryPushViewController(film)
        }
        #expect(error?.controller == "Film" && error?.controllerMask == .landscape)
        #expect("\(try #require(error))".contains("let Film support one of portrait"))
    }

    @Test func `R43: the page whose shouldAutorotate is false is named, unless the container answers`() throws {
        let stage = Stage(.autorotating)
        let page = stage.page("Page")
        page.autorotates = false
        _ = try shown(page, in: stage)
        stage.turn(.landscapeLeft)
        #expect(stage.window.explain()?.sentence.hasSuffix("and shouldAutorotate of Page is false.") == true)
        let busy = Busy(rootViewController: stage.page("Ready"))
        busy.defersOrientationToContent = true
        try stage.window.trySetRootViewController(busy)
        stage.turn(.landscapeRight)
        #expect(stage.window.explain()?.sentence.hasSuffix("and shouldAutorotate of Busy is false.") == true)
        let own = Steady(rootViewController: stage.page("Inner"))
        own.defersOrientationToContent = true
        try stage.window.trySetRootViewController(own)
        stage.turn(.portraitUpsideDown)
        #expect(stage.window.explain()?.sentence.hasSuffix("and shouldAutorotate of Steady is false.") == true)
    }

    @Test func `R43: the page that prefers an orientation is named`() throws {
        let (stage, root) = try Stage.showing()
        let film = NavigationController(rootViewController: stage.page("Film", preferring: .landscapeLeft))
        film.defersOrientationToContent = true
        try root.tryPresent(film)
        #expect(
            stage.window.explain()?.sentence.hasSuffix("because a view controller was presented and Film prefers it.")
                == true)
        root.dismiss()
        let wrong = NavigationController(
            rootViewController: stage.page("Wrong", .portrait, preferring: .landscapeLeft))
        wrong.defersOrientationToContent = true
        let error = #expect(throws: PreferredOrientationNotSupportedError.self) { try root.tryPresent(wrong) }
        #expect(error?.controller == "Wrong")
    }

    @Test func `R43: content that a container does not query is named, also in the sentence if it disagrees`() throws {
        let stage = Stage()
        let page = stage.page("Page")
        page.logsQuestions = true
        let navigation = NavigationController(rootViewController: page)
        let tabs = TabBarController(viewControllers: [navigation])
        navigation.defersOrientationToContent = true
        try stage.show(tabs)
        stage.turn(.landscapeLeft)
        #expect(!stage.log.take().contains("Page.supported"))
        func explain() throws -> OrientationExplanation { try #require(stage.window.explain()) }
        let reason = "TabBarController decides; defersOrientationToContent = true asks the page"
        #expect(try explain().notQueried.suffix(2).map(\.source) == ["NavigationController", "Page"])
        #expect(try explain().notQueried.suffix(2).allSatisfy { $0.answer == reason })
        #expect(try explain().sentence.hasSuffix("because the device was turned and the device is held that way."))
        let otherwise = "; Page would decide otherwise, but \(reason)."
        page.mask = .portrait
        #expect(try explain().sentence.hasSuffix(otherwise))
        (page.mask, page.prefersLock) = (nil, true)
        #expect(try explain().sentence.hasSuffix(otherwise))
        // An explanation in an answer to the explanation does not query again.
        page.onQuery = { _ = stage.window.explain() }
        #expect(try explain().sentence.hasSuffix(otherwise))
        navigation.defersOrientationToContent = false
        #expect(try explain().notQueried.last?.answer.hasPrefix("NavigationController decides") == true)
        (navigation.defersOrientationToContent, tabs.defersOrientationToContent) = (true, true)
        #expect(try explain().notQueried.map(\.source) == ["shouldAutorotate"])
    }

    @Test func `R43: content is not listed if a container of its own class may have answered with its mask`() throws {
        let stage = Stage()
        let page = stage.page("Page", .portrait)
        let navigation = ByClass(rootViewController: page)
        try stage.show(navigation)
        stage.turn(.landscapeLeft)
        #expect(stage.window.explain()?.notQueried.map(\.source) == ["shouldAutorotate"])
        #expect(stage.window.explain()?.sentence.hasSuffix("ByClass does not allow landscapeRight.") == true)
        page.prefersLock = true
        #expect(stage.window.explain()?.notQueried.last?.source == "Page")
        let plain = NavigationController(rootViewController: stage.page("Plain"))
        try stage.window.trySetRootViewController(plain)
        #expect(stage.window.explain()?.notQueried.last?.source == "Plain")
        let delegate = Delegating()
        plain.delegate = delegate
        #expect(stage.window.explain()?.notQueried.map(\.source) == ["shouldAutorotate"])
    }

    @Test func `R43: after a refused request or arrival the state is explained`() throws {
        let (stage, root) = try Stage.showing("Root", .portrait)
        stage.turn(.landscapeLeft)
        let state = try #require(stage.window.explain())
        #expect(state.sentence.contains("the device was turned"))
        #expect(throws: GeometryRequestError.self) {
            try stage.window.requestGeometryUpdate(interfaceOrientations: .landscape)
        }
        #expect(throws: GeometryRequestError.self) { try stage.window.requestGeometryUpdate(interfaceOrientations: []) }
        #expect(stage.window.explain() == state)
        stage.delegate = Delegate { _ in .portrait }
        #expect(throws: InvalidInterfaceOrientationError.self) { try root.tryPresent(stage.page("Film", .landscape)) }
        #expect(throws: InvalidInterfaceOrientationError.self) {
            try stage.window.trySetRootViewController(stage.page("Next", .landscape))
        }
        #expect(stage.window.explain() == state)
        // An error of the state itself is explained.
        root.update(mask: [])
        #expect(stage.window.explain()?.sentence.contains("no common interface orientation") == true)
    }

    @Test func `R43: a window without a root has no explanation and no lock`() throws {
        let stage = Stage(manifest: .portraitFirst)
        let root = stage.page("Root")
        root.prefersLock = true
        try stage.show(root)
        #expect(stage.window.explain() != nil && stage.window.isInterfaceOrientationLocked)
        try stage.window.trySetRootViewController(nil)
        #expect(stage.window.explain() == nil && !stage.window.isInterfaceOrientationLocked)
        stage.turn(.landscapeLeft)
        #expect(stage.window.explain() == nil && stage.orientation == .portrait)
    }

    @Test func `R43: the user's lock explains why the interface does not turn`() throws {
        let (stage, _) = try Stage.showing()
        stage.turn(.landscapeLeft)
        stage.device.lock()
        stage.turn(.portrait)
        let locked = try #require(stage.window.explain())
        #expect(
            locked.sentence
                == "The interface stays in landscapeRight because the rotation lock was turned on and the device is "
                + "not followed until the lock is turned off.")
        #expect(locked.locks == ["the user's lock"] && locked.edge == .landscapeLeft)
        #expect(locked.cause == .lockTurnedOn && locked.result == .landscapeRight)
        #expect(locked.queried.map(\.description) == ["the user's lock: on", "the app's own lock: off"])
        #expect(locked.notQueried.first?.answer == "the user's lock is on, so the device is not followed")
        // Changes of the hierarchy under the lock have their own explanation.
        try stage.window.requestGeometryUpdate(interfaceOrientations: .portrait)
        #expect(stage.window.explain()?.cause == .requested(.portrait))
        stage.device.unlock()
        #expect(stage.window.explain()?.cause == .lockTurnedOff)
    }
}

/// Answers for its content.
@MainActor private final class Steady: NavigationController {
    override var shouldAutorotate: Bool { false }
}

/// Combines the answer of its content with its own.
@MainActor private final class Busy: NavigationController {
    override var shouldAutorotate: Bool { super.shouldAutorotate && false }
}

/// Answers for a navigation controller with the mask of its page.
@MainActor private final class Delegating: NavigationControllerDelegate {
    func navigationControllerSupportedInterfaceOrientations(
        _ navigationController: NavigationController
    ) -> InterfaceOrientationMask { navigationController.topViewController?.supportedInterfaceOrientations ?? .all }
}
