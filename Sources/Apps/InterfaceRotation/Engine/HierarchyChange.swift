// SPDX-License-Identifier: Apache-2.0

/// A change of the hierarchy that can be tried, and undone if it leaves no common orientation.
@MainActor struct HierarchyChange {
    let cause: OrientationCause
    /// The controller whose last orientation counts, and if presented its preference; nil for the topmost.
    var subject: ViewController?
    /// The controller whose content it changes; nil for the window.
    var container: ViewController?
    let isAnimated: Bool
    /// Whether it changes the topmost controller or its content. A sheet does not.
    var needsDecision = true
    /// Changes the links between controllers, without callbacks.
    var apply: () -> Void = {}
    /// Restores the links, without callbacks.
    var undo: () -> Void = {}
    /// Called when the change is certain, in the hierarchy as it was before.
    var willCommit: (() -> Void)?
    /// Called when the change is complete.
    var didCommit: (() -> Void)?
    /// The caller's own completion, called last.
    var completed: (@MainActor () -> Void)?
}

/// The pending evaluation: the newest of each kind of cause.
@MainActor struct Pending {
    typealias Refused = @MainActor (any Error) -> Void

    struct Shown {
        var cause: OrientationCause
        var subject: ViewController?

        /// Merges two causes. A presentation remains the cause while the presented controller is topmost, and a reveal
        /// remains one when a page is pushed on it; otherwise the newer cause counts.
        @MainActor func joined(by newer: Shown) -> Shown {
            if cause == .presented, let subject, subject.hierarchyWindow?.topmostViewController === subject {
                return self
            }
            guard cause.reveals, !newer.cause.reveals, newer.cause != .presented else { return newer }
            return Shown(cause: cause, subject: newer.subject)
        }
    }

    var shown: Shown?
    /// The requests, the newest last; an older one is decided only if that is refused. `refused` receives the error of a
    /// deferred one instead of the failure handler.
    var requests: [(mask: InterfaceOrientationMask, modal: ObjectIdentifier?, refused: Refused?)] = []
    var hasNewEdge = false
    /// Whether the program set the new edge, or ended its override under the user's lock.
    var isForced = false
    var lockTurnedOff = false
    var hasNewAnswers = false
    var isAnimated: Bool
    /// Whether something outside the callbacks of a turn caused it.
    var isOutside = false
    /// Whether it waited: what it decides about has happened and is not undone by an error.
    var isLate = false

    /// Adds a later evaluation. A new edge ends a pending request, as it ends a granted one.
    mutating func add(_ later: Pending) {
        if later.hasNewEdge { (requests, isForced) = ([], later.isForced) }
        if let newer = later.shown { shown = shown?.joined(by: newer) ?? newer }
        requests += later.requests
        hasNewEdge = hasNewEdge || later.hasNewEdge
        lockTurnedOff = lockTurnedOff || later.lockTurnedOff
        hasNewAnswers = hasNewAnswers || later.hasNewAnswers
        isAnimated = isAnimated || later.isAnimated
        isOutside = isOutside || later.isOutside
        isLate = isLate || later.isLate
    }

    /// The cause of the decision; nil if there is nothing to decide.
    var cause: OrientationCause? {
        if let request = requests.last { return .requested(request.mask) }
        if let shown { return shown.cause }
        if lockTurnedOff { return .lockTurnedOff }
        if hasNewEdge { return .deviceTurned }
        return hasNewAnswers ? .answersChanged : nil
    }
}
