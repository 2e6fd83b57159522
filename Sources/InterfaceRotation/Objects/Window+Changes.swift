// SPDX-License-Identifier: Apache-2.0

extension Window {
    /// Makes a change of the hierarchy: an arrival wholly or not at all, a departure always.
    func perform(_ change: HierarchyChange) throws {
        let concerns = change.asks && (change.container.map { isSeenInTopmost($0) } ?? true)
        if !change.cause.isArrival { inCallbacks { change.willCommit?() } }
        if mustWait { return try performLater(change, concerns: concerns && takesPart) }
        defer { settle() }
        change.apply()
        var orientation = interfaceOrientation
        if concerns, takesPart {
            do {
                orientation = try decide(Pending(change), cause: change.cause)
            } catch {
                guard !change.cause.isArrival else {
                    change.undo()
                    throw error
                }
                application?.report(error)
            }
        } else if concerns, application?.isSuspended == true {
            wait(for: Pending(change))
        }
        announceArrival(change)
        if isCalledFromOutside { beginAnew() }
        go(to: orientation, isAnimated: change.isAnimated)
        finish(change)
    }

    /// The calls of containment see the hierarchy as it was before.
    private func announceArrival(_ change: HierarchyChange) {
        guard change.cause.isArrival, let willCommit = change.willCommit else { return }
        change.undo()
        inCallbacks(willCommit)
        change.apply()
    }

    private func finish(_ change: HierarchyChange) {
        inCallbacks { change.didCommit?() }
        if let completed = change.completed { afterTurn(completed) }
    }

    /// While a turn or a callback runs, the hierarchy changes at once and the evaluation follows. The caller still hears
    /// at once that what it presents cannot be shown; only somebody who is just being asked does not.
    private func performLater(_ change: HierarchyChange, concerns: Bool) throws {
        change.apply()
        if concerns, change.cause.isArrival, Inquiry.current == nil {
            var trial = pending ?? Pending(isAnimated: false)
            trial.add(Pending(change))
            let formerLock = ownLock
            defer { ownLock = formerLock }
            if let error = Inquiry.decide(trial, cause: trial.shown?.cause ?? change.cause, in: self)?.error {
                change.undo()
                throw error
            }
        }
        announceArrival(change)
        if concerns { wait(for: Pending(change)) }
        if !isInCallbacks, application?.device.isPosting == false, Inquiry.current == nil {
            updateAppearance(isAnimated: change.isAnimated)
        }
        finish(change)
    }
}

extension Pending {
    /// What a change of the hierarchy leaves to be evaluated.
    init(_ change: HierarchyChange) {
        self.init(
            shown: Shown(cause: change.cause, subject: change.subject), isAnimated: change.isAnimated)
    }
}
