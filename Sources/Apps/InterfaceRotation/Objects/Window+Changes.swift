// SPDX-License-Identifier: Apache-2.0

extension Window {
    /// Makes a change of the hierarchy. An arrival that fails changes nothing; a departure always happens.
    func perform(_ change: HierarchyChange) throws {
        if isVisible, application == nil, change.cause.isArrival { throw HierarchyError.applicationReleased }
        let concerns = change.needsDecision && (change.container.map { isSeenInTopmost($0) } ?? true)
        if !change.cause.isArrival { inCallbacks { change.willCommit?() } }
        if mustWait { return try performLater(change, concerns: concerns && isRotatable) }
        defer { settle() }
        change.apply()
        var orientation = sharedOrientation ?? interfaceOrientation
        if concerns, isRotatable {
            do {
                orientation = try decide(Pending(change), cause: change.cause).orientation
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
        if isCalledFromOutside { resetTurnCount() }
        go(to: orientation, isAnimated: change.isAnimated)
        finish(change)
    }

    /// Makes the containment calls with the hierarchy as it was before the change.
    private func announceArrival(_ change: HierarchyChange) {
        guard change.cause.isArrival, let willCommit = change.willCommit else { return }
        change.undo()
        inCallbacks(willCommit)
        change.apply()
    }

    private func finish(_ change: HierarchyChange) {
        endRequests()
        shareOrientation()
        inCallbacks { change.didCommit?() }
        if let completed = change.completed { afterTurn(completed) }
    }

    /// While a turn or a callback runs, the hierarchy changes at once and the evaluation follows. An arrival that
    /// cannot be shown still throws at once, except inside an answer to a decision pass.
    private func performLater(_ change: HierarchyChange, concerns: Bool) throws {
        change.apply()
        if concerns, change.cause.isArrival, !DecisionPass.isRunning(in: application) {
            var trial = pending ?? Pending(isAnimated: false)
            trial.add(Pending(change))
            let formerLock = ownLock
            defer { ownLock = formerLock }
            if let error = DecisionPass.decide(trial, cause: trial.shown?.cause ?? change.cause, in: self)?.error {
                change.undo()
                throw error
            }
        }
        announceArrival(change)
        if concerns { wait(for: Pending(change)) }
        if DecisionPass.isRunning(in: application) {
            // The pass can be that of another window, which settles the windows with pending evaluations.
            if isVisible { wait(for: Pending(isAnimated: change.isAnimated)) }
        } else if !isInCallbacks, application?.device.isPosting == false {
            updateAppearance(isAnimated: change.isAnimated)
        }
        finish(change)
        // A callback may have ended the turn, by hiding the window, or resized the screen.
        settle()
    }
}

extension Pending {
    /// Creates the evaluation that follows a change of the hierarchy.
    init(_ change: HierarchyChange) {
        self.init(
            shown: Shown(cause: change.cause, subject: change.subject), isAnimated: change.isAnimated)
    }
}
