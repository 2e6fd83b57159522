// SPDX-License-Identifier: Apache-2.0

/// One turn of one window's interface, from the first callback to the last completion: the transaction R29.
@MainActor final class Turn {
    let coordinator: TransitionCoordinator
    private weak var window: Window?
    private let turn: InterfaceTurn
    private let duration: Double
    private var called: [ViewController] = []
    private let appearance: AppearanceChange
    private var animation: FrameAnimation?
    /// The progress of the picture, 0 to 1; nil in step 1, in which nothing has moved.
    private var progress: Double?

    init(_ window: Window, to: InterfaceOrientation, duration: Double, appearance: AppearanceChange) {
        self.window = window
        self.turn = InterfaceTurn(from: window.interfaceOrientation, to: to)
        self.duration = duration
        self.appearance = appearance
        coordinator = TransitionCoordinator(turn, duration: duration, in: window)
    }

    /// Steps 1 to 3, and the beginning of 4.
    func begin() {
        guard let window, let application = window.application else { return }
        window.inCallbacks {
            called = window.rotationParticipants(besides: appearance)
            window.whileAppearing { appearance.willChange(in: window) }
            let (wasKey, covered) = (application.statusBarWindow === window, window.hasInterface)
            if wasKey { application.willTurnStatusBar(to: turn.to, duration: duration) }
            announce(in: window)
            // A callback may have made another window key, or this one, or have resized this one.
            let isKey = application.statusBarWindow.map { $0 === window } ?? wasKey
            if isKey, !wasKey { application.willTurnStatusBar(to: turn.to, duration: duration) }
            window.interfaceOrientation = turn.to
            progress = duration > 0 && application.isActive ? 0 : 1
            let old = isKey ? application.turnStatusBar(to: turn.to) : nil
            if covered || window.hasInterface { application.noteInterface(turn.to) }
            window.whileAppearing { appearance.change(in: window) }
            if let old { application.didTurnStatusBar(from: old) }
            window.announceGeometry()
            application.windows.forEach { $0.shareOrientation() }
            animate()
        }
        // A callback may have hidden the window, and an appearance callback, too.
        if application.isActive, window.isVisible { window.updateAppearance(isAnimated: false) }
        guard duration > 0, application.isActive, window.isVisible else { return end() }
        window.draw()
        animation = application.animate(
            duration: duration, step: { [weak self] in self?.frame($0) }, completion: { [weak self] in self?.end() })
    }

    /// Step 1: all values are still the old ones.
    private func announce(in window: Window) {
        for controller in called { controller.willRotate(to: turn.to, duration: duration) }
        for controller in window.shownTopmostFirst where !appearance.isIncoming(controller) {
            window.announce(window.bounds.size, in: turn.to, to: controller, with: coordinator)
        }
    }

    /// Step 3.
    private func animate() {
        for controller in stillThere { controller.willAnimateRotation(to: turn.to, duration: duration) }
        coordinator.runAnimations()
    }

    private var stillThere: [ViewController] { called.filter { window?.isShown($0) ?? false } }

    private func frame(_ progress: Double) {
        self.progress = progress
        if progress < 1 { window?.draw() }
    }

    /// The turn of the picture and its progress; nil while nothing has moved.
    var motion: (turn: InterfaceTurn, progress: Double)? { progress.map { (turn, $0) } }

    /// Whether a container can show a child in a callback: the controllers that appear with the turn are on screen.
    var allowsOtherAppearances: Bool { appearance.isEmpty || appearance.isMade }

    /// Whether the animation is running.
    var isMoving: Bool { animation != nil }

    /// Ends the animation now.
    func finish() { animation?.finish() }

    /// Step 5. Pending evaluations follow.
    private func end() {
        guard let window else { return }
        animation = nil
        progress = 1
        window.drawAtRest()
        window.inCallbacks {
            window.whileAppearing { appearance.didChange(in: window) }
            for controller in stillThere { controller.didRotate(from: turn.from) }
            coordinator.runCompletions()
        }
        window.turnEnded()
    }
}
