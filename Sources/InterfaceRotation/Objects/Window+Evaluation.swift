// SPDX-License-Identifier: Apache-2.0

/// The limits of what callbacks may make the engine do.
enum RotationLimits {
    /// Turns in a row without a new cause from outside. Two are sensible (a callback that corrects something), eight
    /// are two controllers that disagree.
    static let turnsInARow = 8
    /// Rounds of presenting and dismissing in callbacks without a turn. A chain of greetings at launch has a few.
    static let rounds = 64
    /// Blocks along with one turn that other such blocks register. A block that moves each cell of a table may have
    /// hundreds; one that registers itself has no end.
    static let nestedAnimations = 1_024
}

extension Window {
    /// Asks for one of these orientations. The edge is taken if it is among them and allowed, else the current one,
    /// else the first that is allowed. It holds until the next new edge.
    ///
    /// - Throws: ``GeometryRequestError``, ``UnavailableError``, `HierarchyError.windowTakesNoPart`.
    ///
    /// The user's lock that opens counts as a new edge, for the device is followed at once then.
    public func requestGeometryUpdate(interfaceOrientations mask: InterfaceOrientationMask) throws {
        guard isVisible, rootViewController != nil else { throw HierarchyError.windowTakesNoPart }
        try evaluate(Pending(request: mask, isAnimated: true))
    }

    /// Why the interface of this window is the way it is; nil before the first decision. Nothing is decided because the
    /// user's lock was closed, but that it was is told.
    public func explain() -> OrientationExplanation? {
        guard let lock = application?.device.userLock else { return lastDecision?.explanation }
        return lastDecision?.since(lock).explanation
    }

    /// Whether the window is in a state in which decisions are made at all.
    var takesPart: Bool {
        isVisible && coversScreen && rootViewController != nil && application?.isActive == true
    }

    var mustWait: Bool {
        turn != nil || isInCallbacks || application?.device.isPosting == true || Inquiry.current != nil
    }

    // MARK: Evaluation

    /// Notes something for the next evaluation.
    func wait(for later: Pending) {
        var later = later
        later.isOutside = later.isOutside || isCalledFromOutside
        later.isAnimated = later.isAnimated && application?.areAnimationsEnabled == true
        if pending == nil { pending = later } else { pending?.add(later) }
    }

    /// Evaluates now, or, while a turn or a callback runs, afterwards; errors of the latter go to the handler.
    func evaluate(_ newest: Pending) throws {
        guard takesPart else {
            if newest.request != nil {
                throw coversScreen ? HierarchyError.windowTakesNoPart : GeometryRequestError.notCoveringScreen
            }
            return settle()
        }
        if mustWait { return wait(for: newest) }
        defer { settle() }
        if isCalledFromOutside { beginAnew() }
        try evaluateNow(newest)
    }

    /// Whether no window's callback is running, so that what is asked for has a cause outside of them: two windows
    /// that answer each other have none.
    var isCalledFromOutside: Bool {
        !isInCallbacks && application?.windows.contains(where: \.isInCallbacks) != true
    }

    /// What follows from a new cause from outside may take its own number of turns, here and in the other windows.
    func beginAnew() {
        turnsInARow = 0
        application?.windows.forEach { $0.turnsInARow = 0 }
    }

    func evaluateNow(_ pending: Pending) throws {
        guard let cause = pending.cause else { return }
        let orientation = try decide(pending, cause: cause)
        let isFirstReading = pending.hasNewEdge && !hasShownFrame
        go(to: orientation, isAnimated: pending.isAnimated && !isFirstReading)
    }

    /// Decides, remembers why, and keeps or ends the request that holds.
    func decide(_ pending: Pending, cause: OrientationCause) throws -> InterfaceOrientation {
        let formerLock = ownLock
        guard let decision = Inquiry.decide(pending, cause: cause, in: self) else {
            return interfaceOrientation
        }
        lastDecision = decision
        if let error = decision.error {
            ownLock = formerLock
            throw error
        }
        if case .requested = cause {
            heldRequest = decision.orientation
        } else if pending.hasNewEdge || cause.isTurnOfTheDevice {
            heldRequest = nil
        }
        return decision.orientation
    }

    /// Does what has waited, as long as something has: evaluations, and appearances that callbacks have changed.
    func settle() {
        settleAlone()
        application?.settleAll()
    }

    private func settleAlone() {
        var rounds = 0
        while !mustWait {
            if let next = pending, application?.isSuspended != true {
                pending = nil
                evaluateLate(next)
            } else if !updateAppearance(isAnimated: false) {
                return tidy()
            }
            rounds += 1
            if rounds > RotationLimits.rounds {
                pending = nil
                application?.report(doesNotSettle(.changes, after: rounds))
                return
            }
        }
    }

    private func evaluateLate(_ next: Pending) {
        guard takesPart else { return }
        if next.isOutside { beginAnew() }
        do { try evaluateNow(next) } catch { application?.report(error) }
    }

    func doesNotSettle(
        _ repetition: RotationDoesNotSettleError.Repetition, after count: Int
    ) -> RotationDoesNotSettleError {
        RotationDoesNotSettleError(
            repetition: repetition, count: count,
            controller: topmostViewController.map { "\($0)" } ?? "no view controller")
    }

    // MARK: Going there

    /// Brings the interface to an orientation, and everybody on or off the screen.
    func go(to orientation: InterfaceOrientation, isAnimated: Bool) {
        guard orientation != interfaceOrientation, let application else {
            updateAppearance(isAnimated: isAnimated)
            return
        }
        guard turnsInARow < RotationLimits.turnsInARow else {
            application.report(doesNotSettle(.turns, after: turnsInARow))
            updateAppearance(isAnimated: false)
            return
        }
        turnsInARow += 1
        let isHalf = InterfaceTurn(from: interfaceOrientation, to: orientation).isHalfTurn
        let duration =
            isAnimated && application.areAnimationsEnabled
            ? application.rotationDuration * (isHalf ? 2 : 1) : 0
        let turn = Turn(
            self, to: orientation, duration: duration,
            appearance: AppearanceChange(from: appeared, to: shown, isAnimated: isAnimated))
        self.turn = turn
        turn.begin()
    }

    /// Tells those who come and go without a turn; false if there are none.
    @discardableResult
    func updateAppearance(isAnimated: Bool) -> Bool {
        let change = AppearanceChange(from: appeared, to: shown, isAnimated: isAnimated)
        guard !change.isEmpty else { return false }
        inCallbacks {
            whileAppearing {
                change.willChange(in: self)
                change.change(in: self)
                change.didChange(in: self)
            }
        }
        drawAtRest()
        return true
    }

    /// The tree of views changed: a container may have put a child's view into its own.
    func contentDidChange() {
        application?.updateGenerating()
        guard isVisible, !isAppearing, application?.device.isPosting != true, turn?.letsOthersAppear != false else {
            return
        }
        updateAppearance(isAnimated: false)
        settle()
    }

    /// The app's own lock may have changed. When it opens, the device is followed.
    func updateOwnLock() throws {
        guard takesPart else { return }
        let wasLocked = ownLock
        _ = askOwnLock()
        if wasLocked, !ownLock { try evaluate(Pending(hasNewAnswers: true, isAnimated: true)) }
    }

    /// The window came to the front, or back into sight.
    func cameBack(isAnimated: Bool) {
        if takesPart { wait(for: comingIntoSight(isAnimated: isAnimated)) }
        settle()
    }
}
