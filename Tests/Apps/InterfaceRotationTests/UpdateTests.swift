// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// The calls with which a controller announces that its answers have changed.
@MainActor @Suite(.onBothShapes) struct UpdateTests {
    @Test func `R22: an update of a controller outside the topmost one has no effect`() throws {
        let stage = Stage()
        let (page, below) = (stage.page("Page"), stage.page("Below"))
        let navigation = try NavigationController(rootViewController: below)
        try navigation.pushViewController(page)
        try stage.show(navigation)
        stage.device.lock()
        stage.turn(.landscapeLeft)
        func asksAgain(_ controller: ViewController) throws -> Bool {
            try stage.window.requestGeometryUpdate(interfaceOrientations: .portrait)
            let before = stage.window.explain()?.cause
            controller.setNeedsUpdateOfSupportedInterfaceOrientations()
            return stage.window.explain()?.cause == .answersChanged && before != .answersChanged
        }
        // A visible page affects the decision even if its container answers, which can return the page's answer.
        #expect(try asksAgain(navigation) && asksAgain(page) && !asksAgain(below))
        navigation.defersOrientationToContent = true
        #expect(try asksAgain(page) && asksAgain(navigation) && !asksAgain(below))
        let sheet = stage.page("Sheet")
        sheet.modalPresentationStyle = .formSheet
        try navigation.present(sheet)
        #expect(try asksAgain(page) && !asksAgain(sheet))
        try sheet.dismiss()
        let film = stage.page("Film")
        try navigation.present(film)
        #expect(try asksAgain(film) && !asksAgain(page))
        stage.window.isHidden = true
        film.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.window.explain()?.cause == .requested(.portrait))
    }

    @Test(arguments: [RuleSet.modern, .autorotating])
    func `R22: an update turns a presented controller to an orientation that it now prefers`(ruleSet: RuleSet) throws {
        let stage = Stage(ruleSet)
        let root = stage.page("Root")
        try stage.show(root)
        let film = stage.page("Film", .landscape, preferring: .landscapeLeft)
        film.autorotates = false
        try root.present(film)
        #expect(stage.orientation == .landscapeLeft)
        film.preferred = .landscapeRight
        film.logsQuestions = true
        _ = stage.log.take()
        film.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .landscapeRight)
        #expect(stage.log.take().filter { $0 == "Film.preferred" }.count == 1)
        let explanation = try #require(stage.window.explain())
        #expect(explanation.preferred == .landscapeRight)
        #expect(explanation.queried.last?.description == "preferredInterfaceOrientationForPresentation: landscapeRight")
        #expect(
            explanation.sentence
                == "The interface turns to landscapeRight because an answer changed and Film prefers it.")
        // The same preference again follows the device, as far as it may.
        film.mask = .all
        film.autorotates = true
        film.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .portrait)
    }

    @Test func `R22: a preference that is new with a new mask decides where neither edge nor current one is allowed`()
        throws
    {
        let stage = Stage()
        let root = stage.page("Root")
        try stage.show(root)
        let film = stage.page("Film", .portrait)
        try root.present(film)
        (film.mask, film.preferred) = (.landscape, .landscapeLeft)
        film.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .landscapeLeft)
    }

    @Test func `R22: a new preference has no effect on a root, under the app's own lock, or outside what is allowed`()
        throws
    {
        let stage = Stage()
        let root = stage.page("Root")
        try stage.show(root)
        root.preferred = .landscapeLeft
        root.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .portrait)
        let film = stage.page("Film")
        film.prefersLock = true
        try root.present(film)
        film.preferred = .landscapeRight
        film.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .portrait && stage.window.isInterfaceOrientationLocked)
        film.prefersLock = false
        film.setNeedsUpdateOfPrefersInterfaceOrientationLocked()
        let delegate = Delegate { _ in .portrait }
        stage.application.delegate = delegate
        film.preferred = .landscapeLeft
        film.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .portrait && stage.errors.isEmpty)
        #expect(
            stage.window.explain()?.sentence.hasSuffix(
                "Film prefers landscapeLeft, which the application's delegate does not allow.") == true)
        film.mask = .portrait
        film.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.errors.isEmpty)
        film.preferred = .landscapeRight
        film.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.errors.map { $0 is PreferredOrientationNotSupportedError } == [true])
    }

    @Test func `R22: a new preference for the current orientation keeps it, as in a presentation`() throws {
        let stage = Stage()
        let root = stage.page("Root")
        try stage.show(root)
        let film = stage.page("Film", preferring: .portrait)
        try root.present(film)
        stage.turn(.landscapeLeft)
        film.mask = .landscape
        film.setNeedsUpdateOfSupportedInterfaceOrientations()
        stage.turn(.portrait)
        #expect(stage.orientation == .landscapeRight)
        (film.mask, film.preferred) = (.all, stage.orientation)
        film.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .landscapeRight)
        // The same preference again follows the device.
        film.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .portrait)
    }

    @Test func `R22: a new preference that is not supported is reported once, and the new mask is followed`() throws {
        let stage = Stage()
        let root = stage.page("Root")
        try stage.show(root)
        let film = stage.page("Film", .landscape)
        try root.present(film)
        (film.mask, film.preferred) = (.portrait, .landscapeLeft)
        for _ in 0..<2 {
            film.setNeedsUpdateOfSupportedInterfaceOrientations()
            #expect(stage.orientation == .portrait)
            #expect(stage.errors.map { $0 is PreferredOrientationNotSupportedError } == [true])
        }
    }

    @Test func `R22: in .legacy every child is queried, visible or not`() throws {
        let stage = Stage(.legacy)
        let hidden = LegacyPage("Hidden", .portrait, log: stage.log)
        let tabs = try TabBarController(viewControllers: [LegacyPage("Seen", .all, log: stage.log), hidden])
        try stage.show(tabs)
        stage.turn(.landscapeLeft)
        #expect(stage.orientation == .portrait)
        hidden.mask = .all
        hidden.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .landscapeRight)
    }

    @Test func `R22: an update of a visible page queries the container that returns the page's answer`() throws {
        let stage = Stage()
        let page = stage.page("Page", .portrait)
        let container = PassingOn(page)
        try stage.show(container)
        stage.turn(.landscapeLeft)
        #expect(stage.orientation == .portrait)
        page.mask = .all
        page.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.orientation == .landscapeRight)
        page.prefersLock = true
        page.setNeedsUpdateOfPrefersInterfaceOrientationLocked()
        #expect(stage.window.isInterfaceOrientationLocked)
        stage.turn(.portrait)
        #expect(stage.orientation == .landscapeRight)
        page.prefersLock = false
        page.setNeedsUpdateOfPrefersInterfaceOrientationLocked()
        #expect(stage.orientation == .portrait)
    }

    @Test func `R20: a lock update of a controller outside the topmost one has no effect`() throws {
        let stage = Stage()
        let (root, unseen) = (stage.page("Root"), stage.page("Unseen"))
        try root.addChild(unseen)
        try stage.show(root)
        root.prefersLock = true
        unseen.setNeedsUpdateOfPrefersInterfaceOrientationLocked()
        #expect(!stage.window.isInterfaceOrientationLocked)
        // The child to which a controller defers affects the decision even if invisible.
        root.lockChild = unseen
        unseen.prefersLock = true
        unseen.setNeedsUpdateOfPrefersInterfaceOrientationLocked()
        #expect(stage.window.isInterfaceOrientationLocked)
        root.lockChild = nil
        root.prefersLock = false
        root.setNeedsUpdateOfPrefersInterfaceOrientationLocked()
        #expect(!stage.window.isInterfaceOrientationLocked)
    }
}

/// Returns the mask of its page, without deferring to it.
@MainActor private final class PassingOn: ViewController {
    let page: Page

    init(_ page: Page) {
        self.page = page
        super.init(title: "PassingOn")
    }

    override func viewDidLoad() {
        do { try addChild(page) } catch { Issue.record("\(error)") }
        view.addSubview(page.view)
        page.didMove(toParent: self)
    }

    override var supportedInterfaceOrientations: InterfaceOrientationMask { page.supportedInterfaceOrientations }
    override var prefersInterfaceOrientationLocked: Bool { page.prefersInterfaceOrientationLocked }
}
