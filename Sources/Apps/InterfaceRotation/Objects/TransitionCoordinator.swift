// SPDX-License-Identifier: Apache-2.0

/// The properties of a running turn, and the blocks that run at its beginning and at its end.
@MainActor public final class TransitionCoordinator {
    /// The orientation at the beginning.
    public let from: InterfaceOrientation
    /// The orientation at the end.
    public let to: InterfaceOrientation
    /// The rotation from the old picture to the new one, about the center of the window.
    public let targetTransform: Transform
    /// The duration of the animation in seconds; 0 without one.
    public let duration: Double
    /// Whether there is an animation.
    public let isAnimated: Bool

    private enum Phase { case before, animating, over }
    private var phase = Phase.before
    private var animations: [@MainActor (TransitionCoordinator) -> Void] = []
    private var completions: [@MainActor (TransitionCoordinator) -> Void] = []
    /// The number of blocks that are running, one within the other.
    private var depth = 0
    /// The number of blocks that other blocks have registered.
    private var nested = 0
    private let onEndlessBlocks: @MainActor (Int) -> Void

    /// `onEndlessBlocks` is called once, with the number of nested blocks, when that exceeds the limit.
    init(_ turn: InterfaceTurn, duration: Double, onEndlessBlocks: @escaping @MainActor (Int) -> Void) {
        self.onEndlessBlocks = onEndlessBlocks
        from = turn.from
        to = turn.to
        targetTransform = turn.targetTransform
        self.duration = duration
        isAnimated = duration > 0
    }

    /// Creates the coordinator of a change of size that the program makes itself, such as of one half of a screen.
    ///
    ///     let coordinator = TransitionCoordinator(resizing: window, duration: 0.25)
    ///     let size = frame.size.turned(to: window.interfaceOrientation, on: screen.shape)
    ///     controller.viewWillTransition(to: size, with: coordinator)
    ///     window.frame = frame
    ///     coordinator.runAnimations()     // in the program's animation
    ///     coordinator.runCompletions()    // after it
    ///
    /// - Parameters:
    ///   - window: The window. Its orientation stays as it is, so ``targetTransform`` is the identity.
    ///   - duration: The duration of the program's animation in seconds; 0 without one.
    public convenience init(resizing window: Window, duration: Double = 0) {
        let orientation = window.interfaceOrientation
        self.init(InterfaceTurn(from: orientation, to: orientation), duration: duration, in: window)
    }

    /// Creates the coordinator of a turn. Too many nested blocks are reported to the window's application.
    convenience init(_ turn: InterfaceTurn, duration: Double, in window: Window) {
        self.init(turn, duration: duration) { [weak window] count in
            guard let window else { return }
            window.application?.report(RotationDoesNotSettleError(.animations, after: count, in: window))
        }
    }

    /// Registers blocks that run in the order of registration: `animation` when the animation of the turn begins, after
    /// the controllers' `willAnimateRotation`, and `completion` after their `didRotate`. An `animation` that is
    /// registered during the animation runs immediately. Nothing that a block changes is interpolated.
    ///
    /// - Returns: Whether the blocks were registered. False after the turn, and beyond the limit of nested blocks; the
    ///   latter is reported to ``Application/orientationFailureHandler``.
    @discardableResult
    public func animate(
        alongsideTransition animation: (@MainActor (TransitionCoordinator) -> Void)?,
        completion: (@MainActor (TransitionCoordinator) -> Void)? = nil
    ) -> Bool {
        guard phase != .over, mayBeTaken() else { return false }
        if let completion { completions.append(completion) }
        guard let animation else { return true }
        if phase == .before { animations.append(animation) } else { run(animation) }
        return true
    }

    private func run(_ animation: @MainActor (TransitionCoordinator) -> Void) {
        depth += 1
        animation(self)
        depth -= 1
    }

    private func mayBeTaken() -> Bool {
        guard depth > 0 else { return true }
        nested += 1
        if nested == RotationLimits.nestedAnimations + 1 { onEndlessBlocks(nested - 1) }
        return nested <= RotationLimits.nestedAnimations
    }

    /// Runs the animation blocks in the order of registration. Only for a coordinator that the program has created; a
    /// second call has no effect.
    public func runAnimations() {
        guard phase == .before else { return }
        while !animations.isEmpty { run(animations.removeFirst()) }
        phase = .animating
    }

    /// Runs the completion blocks in the order of registration; calls ``runAnimations()`` first if the program has not.
    /// Only for a coordinator that the program has created; a second call has no effect.
    public func runCompletions() {
        guard phase != .over else { return }
        runAnimations()
        phase = .over
        let blocks = completions
        completions = []
        for block in blocks { block(self) }
    }
}
