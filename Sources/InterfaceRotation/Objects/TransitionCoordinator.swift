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

    init(_ turn: InterfaceTurn, duration: Double) {
        from = turn.from
        to = turn.to
        targetTransform = turn.targetTransform
        self.duration = duration
        isAnimated = duration > 0
    }

    /// Runs `animation` in the animation of the turn, after the controllers' `willAnimateRotation`, in the order of
    /// registration, and `completion` after their `didRotate`. During the animation it runs at once.
    ///
    /// - Returns: Whether the blocks were taken; not when the turn is over.
    @discardableResult
    public func animate(
        alongside animation: (@MainActor (TransitionCoordinator) -> Void)?,
        completion: (@MainActor (TransitionCoordinator) -> Void)? = nil
    ) -> Bool {
        guard phase != .over else { return false }
        if let completion { completions.append(completion) }
        guard let animation else { return true }
        if phase == .before { animations.append(animation) } else { animation(self) }
        return true
    }

    func runAnimations() {
        while !animations.isEmpty { animations.removeFirst()(self) }
        phase = .animating
    }

    func runCompletions() {
        phase = .over
        let blocks = completions
        completions = []
        for block in blocks { block(self) }
    }
}
