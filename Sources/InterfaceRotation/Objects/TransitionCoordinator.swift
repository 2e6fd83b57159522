// SPDX-License-Identifier: Apache-2.0

/// What is known about a running turn, and the way to move along with it.
@MainActor public final class TransitionCoordinator {
    /// The orientation at the beginning.
    public let from: InterfaceOrientation
    /// The orientation at the end.
    public let to: InterfaceOrientation
    /// The map from the old picture to the new one.
    public let targetTransform: Transform
    /// How long the animation takes in seconds; 0 if there is none.
    public let duration: Double
    /// Whether there is an animation.
    public let isAnimated: Bool

    private enum Phase { case before, animating, over }
    private var phase = Phase.before
    private var animations: [@MainActor (TransitionCoordinator) -> Void] = []
    private var completions: [@MainActor (TransitionCoordinator) -> Void] = []
    /// How many blocks are running, one within the other.
    private var depth = 0
    /// How many blocks were registered by blocks.
    private var nested = 0
    private let onEndlessBlocks: @MainActor (Int) -> Void

    /// `onEndlessBlocks` hears, once, how many blocks registered one another when that is taken to have no end.
    init(_ turn: InterfaceTurn, duration: Double, onEndlessBlocks: @escaping @MainActor (Int) -> Void) {
        self.onEndlessBlocks = onEndlessBlocks
        from = turn.from
        to = turn.to
        targetTransform = turn.targetTransform
        self.duration = duration
        isAnimated = duration > 0
    }

    /// Runs `animation` in the animation of the turn, after the controllers' `willAnimateRotation`, in the order of
    /// registration, and `completion` after their `didRotate`. During the animation it runs at once.
    ///
    /// - Returns: Whether the blocks were taken; not when the turn is over, and not when blocks register one another
    ///   without an end, of which the application's failure handler hears.
    @discardableResult
    public func animate(
        alongside animation: (@MainActor (TransitionCoordinator) -> Void)?,
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

    func runAnimations() {
        while !animations.isEmpty { run(animations.removeFirst()) }
        phase = .animating
    }

    func runCompletions() {
        phase = .over
        let blocks = completions
        completions = []
        for block in blocks { block(self) }
    }
}
