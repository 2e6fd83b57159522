// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import SeededRandomness
import Testing

/// Thousands of random operations on an app, also in callbacks and during turns, with a check of invariants at rest.
/// Fixed seeds make failures reproducible.
@MainActor @Suite(.onBothShapes) struct StressTests {
    @Test(arguments: RuleSet.allCases)
    func `R33: the interface is consistent at rest after random operations`(ruleSet: RuleSet) throws {
        for seed in (1...60 as ClosedRange<UInt64>).sampled {
            let monkey = try Monkey(seed: seed, ruleSet: ruleSet)
            for step in 0..<40 {
                monkey.act()
                if monkey.chance(3) { monkey.stage.clock.advance(by: 0.1) }
                if monkey.chance(4) {
                    let broken = monkey.rest()
                    #expect(broken.isEmpty, "seed \(seed), step \(step): \(broken)")
                    if !broken.isEmpty { return }
                }
            }
        }
    }
}

@MainActor private final class Monkey {
    let stage: Stage
    private let navigation: NavigationController
    private let tabs: TabBarController
    private var dice: SeededGenerator
    private var pages: [StatefulPage] = []
    private var budget = 0

    init(seed: UInt64, ruleSet: RuleSet) throws {
        dice = SeededGenerator(seed: seed)
        stage = Stage(ruleSet, isAnimated: true)
        navigation = NavigationController(rootViewController: ViewController())
        tabs = TabBarController(viewControllers: [navigation, ViewController()])
        navigation.defersOrientationToContent = seed % 2 == 0
        tabs.defersOrientationToContent = seed % 2 == 0
        try tabs.trySetViewControllers([navigation, page()])
        try navigation.trySetViewControllers([page(), page()])
        navigation.popViewController()
        for page in pages { page.mask = nil }
        try stage.show(tabs)
    }

    func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &dice) == 0 }

    private func page() -> StatefulPage {
        let masks: [InterfaceOrientationMask?] = [nil, .all, .portrait, .landscape, .allButUpsideDown, .landscapeLeft]
        let page = StatefulPage(masks.randomElement(using: &dice) ?? nil)
        page.onCallback = { [weak self] in
            guard let self, budget > 0, chance(12) else { return }
            budget -= 1
            act()
        }
        pages.append(page)
        return page
    }

    private var top: ViewController {
        var top: ViewController = tabs
        while let next = top.presentedViewController { top = next }
        return top
    }

    /// Performs a random operation, which can be refused.
    func act() {
        if !stage.window.isRotating { budget = 3 }
        switch Int.random(in: 0..<14, using: &dice) {
        case 0...3: stage.device.update(DeviceOrientation.allCases.randomElement(using: &dice) ?? .portrait)
        case 4, 5: try? present()
        case 6: top.dismiss(animated: chance(2))
        case 7: try? navigation.tryPushViewController(page(), animated: chance(2))
        case 8: navigation.popViewController(animated: chance(2))
        case 9: try? tabs.trySelect(Int.random(in: 0...1, using: &dice))
        case 10: try? stage.window.requestGeometryUpdate(interfaceOrientations: chance(2) ? .landscape : .portrait)
        case 11: chance(2) ? stage.device.lock() : stage.device.unlock()
        case 12:
            pages.randomElement(using: &dice)?.mask = chance(2) ? .landscape : .all
            stage.application.attemptRotationToDeviceOrientation()
        default: chance(2) ? stage.application.suspend() : stage.application.resume()
        }
    }

    private func present() throws {
        let page = page()
        let styles: [ModalPresentationStyle] = [.fullScreen, .overFullScreen, .formSheet, .currentContext]
        page.modalPresentationStyle = styles.randomElement(using: &dice) ?? .fullScreen
        if chance(3) { page.preferred = .landscapeLeft }
        try top.tryPresent(page, animated: chance(2))
    }

    /// Ends all turns; returns the violated invariants.
    func rest() -> [String] {
        budget = 0
        stage.application.resume()
        stage.clock.run()
        var broken = pages.flatMap(\.violations)
        let window = stage.window
        if window.isRotating { broken.append("a turn never ended") }
        if stage.application.statusBarOrientation != window.interfaceOrientation {
            broken.append("the status bar lies")
        }
        for page in pages {
            let isSeen = page.viewIfLoaded?.window === window
            if isSeen != (page.state == .seen) { broken.append("a page that is \(page.state) has a window: \(isSeen)") }
            if isSeen, page.interfaceOrientation != window.interfaceOrientation { broken.append("a page lies") }
        }
        if let topmost = window.topmostViewController, topmost.view.window === window {
            if topmost.view.frame != window.bounds { broken.append("the frame moved: \(topmost.view.frame)") }
            let transform = window.interfaceOrientation.transform
            if topmost.view.effectiveTransform != transform { broken.append("the transform is old") }
        } else {
            broken.append("the topmost is not to be seen")
        }
        if stage.application.ruleSet == .modern, stage.errors.isEmpty, let last = window.explain() {
            if last.result != window.interfaceOrientation { broken.append("the explanation is of another turn") }
        }
        return broken
    }
}

/// Checks the order of the appearance callbacks.
@MainActor private final class StatefulPage: ViewController {
    enum State { case hidden, coming, seen, going }
    var mask: InterfaceOrientationMask?
    var preferred = InterfaceOrientation.unknown
    var onCallback: (@MainActor () -> Void)?
    private(set) var state = State.hidden
    private(set) var violations: [String] = []

    init(_ mask: InterfaceOrientationMask?) {
        self.mask = mask
        super.init()
    }

    override var supportedInterfaceOrientations: InterfaceOrientationMask { mask ?? .all }
    override var preferredInterfaceOrientationForPresentation: InterfaceOrientation { preferred }

    private func go(from old: State, to new: State) {
        if state != old { violations.append("\(state) and not \(old) before \(new)") }
        state = new
        onCallback?()
    }

    override func viewWillAppear(_ animated: Bool) { go(from: .hidden, to: .coming) }
    override func viewDidAppear(_ animated: Bool) { go(from: .coming, to: .seen) }
    override func viewWillDisappear(_ animated: Bool) { go(from: .seen, to: .going) }
    override func viewDidDisappear(_ animated: Bool) { go(from: .going, to: .hidden) }
    override func willRotate(to orientation: InterfaceOrientation, duration: Double) {
        if state != .seen { violations.append("a page that is \(state) is rotated") }
        onCallback?()
    }
    override func didRotate(from orientation: InterfaceOrientation) { onCallback?() }
}
