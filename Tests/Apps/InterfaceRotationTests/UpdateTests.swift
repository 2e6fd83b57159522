// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// The calls with which a controller announces that its answers have changed.
@MainActor @Suite(.onBothShapes) struct UpdateTests {
    @Test func `R22: an update of a controller outside the topmost one has no effect`() throws {
        let stage = Stage()
        let (page, below) = (stage.page("Page"), stage.page("Below"))
        let navigation = NavigationController(rootViewController: below)
        try navigation.tryPushViewController(page)
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
        try navigation.tryPresent(sheet)
        #expect(try asksAgain(page) && !asksAgain(sheet) && !asksAgain(stage.page("Nowhere")))
        sheet.dismiss()
        let film = stage.page("Film")
        try navigation.tryPresent(film)
        #expect(try asksAgain(film) && !asksAgain(page))
        stage.window.isHidden = true
        film.setNeedsUpdateOfSupportedInterfaceOrientations()
        #expect(stage.window.explain()?.cause == .requested(.portrait))
    }

    @Test(arguments: [RuleSet.modern, .autorotating])
    func `R22: an update turns a presented controller to an orientation that it now prefers`(ruleSet: RuleSet) throws {
        let (stage, root) = try Stage.showing(ruleSet: ruleSet)
        let film = stage.page("Film", .landscape, preferring: .landscapeLeft)
        film.autorotates = false
        try root.tryPresent(film)
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

    @Test func `R22: an update of a visible page queries the container that returns the page's answer`() throws {
        let stage = Stage()
        let page = stage.page("Page", .portrait)
        let container = PassingOn(page)
        try stage.show(container)
        #expect(stage.turn(.landscapeLeft) == .portrait)
        page.update(mask: .all)
        #expect(stage.orientation == .landscapeRight)
        page.update(prefersLock: true)
        #expect(stage.window.isInterfaceOrientationLocked)
        #expect(stage.turn(.portrait) == .landscapeRight)
        page.update(prefersLock: false)
        #expect(stage.orientation == .portrait)
    }

    @Test func `R20: a lock update of a controller outside the topmost one has no effect`() throws {
        let stage = Stage()
        let (root, unseen) = (stage.page("Root"), stage.page("Unseen"))
        try root.tryAddChild(unseen)
        try stage.show(root)
        root.prefersLock = true
        unseen.setNeedsUpdateOfPrefersInterfaceOrientationLocked()
        #expect(!stage.window.isInterfaceOrientationLocked)
        // The child to which a controller defers affects the decision even if invisible.
        root.lockChild = unseen
        unseen.update(prefersLock: true)
        #expect(stage.window.isInterfaceOrientationLocked)
        root.lockChild = nil
        root.update(prefersLock: false)
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
        do { try tryAddChild(page) } catch { Issue.record("\(error)") }
        view.addSubview(page.view)
        page.didMove(toParent: self)
    }

    override var supportedInterfaceOrientations: InterfaceOrientationMask { page.supportedInterfaceOrientations }
    override var prefersInterfaceOrientationLocked: Bool { page.prefersInterfaceOrientationLocked }
}
