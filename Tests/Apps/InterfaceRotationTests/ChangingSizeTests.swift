// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import SeededRandomness
import Testing

/// Sizes, insets and outputs that change at the steps of a turn: each window turns once.
@MainActor @Suite(.onBothShapes) struct ChangingSizeTests {
    @Test(arguments: TurnStep.allCases.filter { $0 != .query })
    func `R29: a window that becomes smaller, or larger again, in any step of a turn turns once`(step: TurnStep) throws
    {
        for isLargerAgain in [false, true] {
            let app = try ChangingApp(isAnimated: true)
            var isDone = false
            app.change = { now in
                guard now == step, !isDone else { return }
                isDone = true
                app.stage.window.frame = app.half
                if isLargerAgain { app.stage.window.frame = app.stage.application.screen.fixedBounds }
            }
            app.turn()
            #expect(isDone && app.faults.isEmpty, "\(app.faults)")
            #expect(app.main.turns == 1 && app.stage.orientation == .landscapeRight)
            #expect(app.stage.application.statusBarOrientation == .landscapeRight)
        }
    }

    @Test func `R29: whatever changes its size at each step of a turn, every window turns once`() throws {
        for seed in (1...400 as ClosedRange<UInt64>).sampled {
            var dice = SeededGenerator(seed: seed)
            let app = try ChangingApp(isAnimated: seed % 2 == 0)
            for _ in 0..<3 {
                var budget = 8
                _ = app.stage.log.take()
                app.change = { moment in
                    guard budget > 0, Int.random(in: 0..<3, using: &dice) == 0 else { return }
                    budget -= 1
                    let (kind, factor) = (Int.random(in: 0..<8, using: &dice), Int.random(in: 1...4, using: &dice))
                    app.stage.log.note("\(moment): \(kind), \(factor)")
                    app.act(kind, Double(factor) / 2)
                }
                app.turn()
                app.change = nil
                #expect(app.faults.isEmpty, "seed \(seed): \(app.stage.log.take().joined(separator: "; "))")
                if !app.faults.isEmpty { return }
                app.rest()
            }
        }
    }
}

/// The steps of a turn.
enum TurnStep: CaseIterable {
    case query, willRotate, willTransition, willLayout, didLayout, insets, willAnimate, animation, frame, didRotate
    case completion, statusBarWillTurn, statusBarDidTurn
}

/// An app with a window that covers the screen and a half one, which changes in callbacks.
@MainActor private final class ChangingApp {
    let stage: Stage
    let main: ChangingPage
    private let second: ChangingPage
    private let other: Window
    private var edge = Edge.landscapeLeft
    var change: (@MainActor (TurnStep) -> Void)?

    /// The upper half of the unrotated screen.
    var half: Rect {
        let size = stage.application.screen.fixedBounds.size
        return Rect(x: 0, y: 0, width: size.width, height: size.height / 2)
    }

    init(isAnimated: Bool) throws {
        let insets = SafeArea(portrait: EdgeInsets(top: 40, left: 0, bottom: 34, right: 0))
        stage = Stage(screen: Screen(size: Stage.size, safeArea: insets, rotator: .compositor), isAnimated: isAnimated)
        main = ChangingPage("Main", log: stage.log)
        second = ChangingPage("Second", log: stage.log)
        try stage.show(main)
        other = try stage.hiddenWindow(showing: second, frame: Rect(x: 0, y: 0, width: 100, height: 100))
        other.isHidden = false
        stage.clock.run()
        for page in [main, second] { page.change = { [weak self] in self?.change?($0) } }
        stage.application.willChangeStatusBarOrientation.addObserver(self) { app, _ in app.change?(.statusBarWillTurn) }
        stage.application.didChangeStatusBarOrientation.addObserver(self) { app, _ in app.change?(.statusBarDidTurn) }
    }

    private var windows: [Window] { [stage.window, other] }
    private var pages: [ChangingPage] { [main, second] }

    /// Turns the device, with a change in every frame.
    func turn() {
        for page in pages { (page.turns, page.ends) = (0, 0) }
        stage.device.update(DeviceOrientation(edge))
        for _ in 0..<8 {
            stage.clock.advance(by: 0.1)
            if stage.application.isRotating { change?(.frame) }
        }
        stage.clock.run()
    }

    /// Restores the windows, and selects the next edge.
    func rest() {
        stage.window.frame = stage.application.screen.fixedBounds
        stage.clock.run()
        let current = stage.device.edge
        edge = current == .portrait || current == .portraitUpsideDown ? .landscapeRight : .portrait
    }

    /// Makes a change of one of eight kinds.
    func act(_ kind: Int, _ factor: Double) {
        let screen = stage.application.screen
        let window = kind.isMultiple(of: 2) ? stage.window : other
        switch kind {
        case 0, 1: window.frame = half
        case 2, 3: window.frame = screen.fixedBounds
        case 4: window.frame = Rect(x: 10, y: 20, width: 100 * factor, height: 50)
        case 5: screen.resize(to: Size(width: Stage.size.width * factor, height: Stage.size.height * factor))
        case 6: screen.resize(to: screen.fixedBounds.size.swapped)
        default: screen.outputTransform = screen.outputTransform.composed(with: DisplayRotation(.left))
        }
    }

    /// What is wrong at rest.
    var faults: [String] {
        var faults = stage.errors.map { "\($0)" }
        if stage.application.isRotating { faults.append("a turn never ended") }
        // Without a window that covers the screen when it was decided, nothing turns.
        let edge = pages.contains { $0.turns > 0 } ? stage.device.edge : nil
        let expected = edge.map { InterfaceOrientation($0) } ?? stage.orientation
        for (window, page) in zip(windows, pages) {
            let orientation = window.interfaceOrientation
            if page.turns > 1 || page.ends != page.turns { faults.append("\(page): \(page.turns), \(page.ends) turns") }
            if orientation != expected { faults.append("\(page): \(orientation)") }
            let rotation = orientation.transform(on: stage.application.screen.shape)
            if page.view.effectiveTransform != rotation { faults.append("\(page): the transform is old") }
            if page.view.frame != window.bounds { faults.append("\(page): the frame is \(page.view.frame)") }
            if page.lastInsets != page.view.safeAreaInsets { faults.append("\(page): the insets are old") }
            if window.picture.orientation != orientation { faults.append("\(page): the picture is old") }
        }
        return faults
    }
}

/// A page that calls a closure at each step.
@MainActor private final class ChangingPage: Page {
    var change: (@MainActor (TurnStep) -> Void)?
    var (turns, ends) = (0, 0)
    private(set) var lastInsets = EdgeInsets.zero

    override var supportedInterfaceOrientations: InterfaceOrientationMask {
        change?(.query)
        return .all
    }

    override func willRotate(to orientation: InterfaceOrientation, duration: Double) {
        turns += 1
        super.willRotate(to: orientation, duration: duration)
        change?(.willRotate)
    }

    override func viewWillTransition(to size: Size, with coordinator: TransitionCoordinator) {
        change?(.willTransition)
        coordinator.animate { [weak self] _ in
            self?.change?(.animation)
        } completion: { [weak self] _ in
            self?.change?(.completion)
        }
    }

    override func viewWillLayoutSubviews() { change?(.willLayout) }
    override func viewDidLayoutSubviews() { change?(.didLayout) }

    override func viewSafeAreaInsetsDidChange() {
        lastInsets = view.safeAreaInsets
        change?(.insets)
    }

    override func willAnimateRotation(to orientation: InterfaceOrientation, duration: Double) { change?(.willAnimate) }

    override func didRotate(from orientation: InterfaceOrientation) {
        ends += 1
        super.didRotate(from: orientation)
        change?(.didRotate)
    }
}
