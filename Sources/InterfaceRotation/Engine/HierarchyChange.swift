// SPDX-License-Identifier: Apache-2.0

/// A change of what is shown, before it is made: it can be tried, and undone when no orientation is left after it.
@MainActor struct HierarchyChange {
    let cause: OrientationCause
    /// The controller whose last orientation counts, and whose preference if presented; nil for the topmost.
    let subject: ViewController?
    /// The controller whose content it changes; nil for the window.
    let container: ViewController?
    let isAnimated: Bool
    /// Whether it changes the topmost controller or its content. A sheet does not.
    var needsDecision = true
    /// Makes the links, without callbacks.
    var apply: () -> Void = {}
    /// Removes the links, without callbacks.
    var undo: () -> Void = {}
    /// Called when the change is certain, in the hierarchy as it was before.
    var willCommit: (() -> Void)?
    /// Called when everything is in its new place.
    var didCommit: (() -> Void)?
    /// The caller's own completion, called last.
    var completed: (@MainActor () -> Void)?

    init(
        _ cause: OrientationCause, of subject: ViewController?, in container: ViewController?,
        isAnimated: Bool
    ) {
        self.cause = cause
        self.subject = subject
        self.container = container
        self.isAnimated = isAnimated
    }
}

/// The pending evaluation: the newest of each kind of cause.
@MainActor struct Pending {
    struct Shown {
        var cause: OrientationCause
        var subject: ViewController?

        /// Both as one. A presentation stays one while what it brought is on top, and what was revealed stays revealed
        /// when something is pushed on it; else the newer counts.
        @MainActor func joined(by newer: Shown) -> Shown {
            if cause == .presented, let subject, subject.hierarchyWindow?.topmostViewController === subject {
                return self
            }
            guard cause.reveals, !newer.cause.reveals, newer.cause != .presented else { return newer }
            return Shown(cause: cause, subject: newer.subject)
        }
    }

    var shown: Shown?
    var request: InterfaceOrientationMask?
    var hasNewEdge = false
    var lockTurnedOff = false
    var hasNewAnswers = false
    var isAnimated = false
    /// Whether something outside the callbacks of a turn caused it.
    var isOutside = false

    init(
        shown: Shown? = nil, request: InterfaceOrientationMask? = nil, hasNewEdge: Bool = false,
        lockTurnedOff: Bool = false, hasNewAnswers: Bool = false, isAnimated: Bool
    ) {
        self.shown = shown
        self.request = request
        self.hasNewEdge = hasNewEdge
        self.lockTurnedOff = lockTurnedOff
        self.hasNewAnswers = hasNewAnswers
        self.isAnimated = isAnimated
    }

    /// Adds what came later. A new edge ends a request that waits, as it ends one that holds.
    mutating func add(_ later: Pending) {
        if later.hasNewEdge { request = nil }
        if let newer = later.shown { shown = shown?.joined(by: newer) ?? newer }
        request = later.request ?? request
        hasNewEdge = hasNewEdge || later.hasNewEdge
        lockTurnedOff = lockTurnedOff || later.lockTurnedOff
        hasNewAnswers = hasNewAnswers || later.hasNewAnswers
        isAnimated = isAnimated || later.isAnimated
        isOutside = isOutside || later.isOutside
    }

    /// The cause of the decision; nil if there is nothing to decide.
    var cause: OrientationCause? {
        if let request { return .requested(request) }
        if let shown { return shown.cause }
        if lockTurnedOff { return .lockTurnedOff }
        if hasNewEdge { return .deviceTurned }
        return hasNewAnswers ? .answersChanged : nil
    }
}
