// SPDX-License-Identifier: Apache-2.0

import OrientationModel

/// The limits of what callbacks may cause.
enum RotationLimits {
    /// Consecutive turns without a new cause from outside. A callback that corrects an orientation needs two; eight
    /// mean that two controllers answer each other.
    static let turnsInARow = 8
    /// Rounds of presenting and dismissing in callbacks without a turn. A chain of launch screens has a few.
    static let rounds = 64
    /// Animation blocks of one turn that other animation blocks register. A block that moves each cell of a table may
    /// register hundreds; one that registers itself never ends.
    static let nestedAnimations = 1_024
}

extension Window {
    /// Requests one of these orientations: the edge if it is among them and allowed, else the current orientation, else
    /// the first that is allowed. The request holds until the next new edge, or until the dismissal of the presented
    /// controller that was topmost, and then the request of the one below holds again. A sheet is not topmost: a request
    /// that is made in it outlives it. Turning off the user's lock counts as a new edge.
    ///
    /// The masks are queried for the request: no ``ViewController/setNeedsUpdateOfSupportedInterfaceOrientations()`` is
    /// necessary before it. In callbacks, and during a turn, also one that such an update began, the request is deferred,
    /// and a refusal goes to ``Application/orientationFailureHandler``.
    ///
    /// - Throws: ``GeometryRequestError``, ``UnavailableError``, `HierarchyError.windowDoesNotRotate`.
    public func requestGeometryUpdate(interfaceOrientations mask: InterfaceOrientationMask) throws {
        try request(mask, refused: nil)
    }

    func request(_ mask: InterfaceOrientationMask, refused: Pending.Refused?) throws {
        guard application != nil else { throw HierarchyError.applicationReleased }
        guard isVisible, let topmost = topmostViewController else { throw HierarchyError.windowDoesNotRotate }
        let modal = topmost.presenter == nil ? nil : ObjectIdentifier(topmost)
        try evaluate(Pending(requests: [(mask, modal, refused)], isAnimated: true))
    }

    /// Whether the presented controller in which a request was made is still presented; true for the root.
    func isPresented(_ modal: ObjectIdentifier?) -> Bool {
        modal == nil || presentations.contains { ObjectIdentifier($0.controller) == modal }
    }

    /// Ends the requests that were made in a controller that is not presented any more.
    func endRequests() {
        requests.removeAll { !isPresented($0.modal) }
        pending?.requests.removeAll { !isPresented($0.modal) }
    }

    /// Returns the reason for the orientation of this window's interface; nil without a root view controller and before
    /// the first decision. It also explains a user's lock that was turned on or off after the decision, and a window
    /// that does not cover its screen.
    public func explain() -> OrientationExplanation? {
        guard let application else {
            StandardError.write("explain(): \(HierarchyError.applicationReleased)")
            return lastDecision?.explanation
        }
        if !coversScreen { return DecisionPass.withoutCoveringScreen(self)?.explanation }
        var now = OrientationCircumstances(.lockTurnedOff, current: interfaceOrientation, of: application.device)
        now.unqueried = DecisionPass.unqueried(in: self)
        return lastDecision?.since(now).explanation
    }

    /// Whether decisions are made for this window.
    var isRotatable: Bool {
        isVisible && coversScreen && rootViewController != nil && application?.isActive == true
    }

    var mustWait: Bool {
        turn != nil || isInCallbacks || DecisionPass.isRunning(in: application)
            || application.map { $0.device.isPosting || $0.isResizing } ?? false
    }

    /// Whether an evaluation is pending that can be made now.
    var canSettle: Bool { pending != nil && !mustWait && !sharesUndecided && application?.isSuspended == false }

    /// Whether the window shares an orientation that is still to be decided. It waits for the decision, and so turns once.
    private var sharesUndecided: Bool {
        sharedOrientation != nil && application?.interfaceWindow?.isUndecided == true
    }

    /// Whether the window has another decision to make, or to apply.
    var isUndecided: Bool {
        pending != nil || turn.map { $0.motion == nil } == true || DecisionPass.isRunning(in: application)
    }

    /// Whether no edge was known at the last decision.
    var wasDecidedWithoutEdge: Bool { lastDecision.map { $0.circumstances.edge == nil } ?? false }

    // MARK: Evaluation

    /// Queries all answers again and follows the edge; an error goes to the handler.
    func answersChanged() {
        do { try evaluate(Pending(hasNewAnswers: true, isAnimated: true)) } catch { application?.report(error) }
    }

    /// Adds a cause to the pending evaluation.
    func wait(for later: Pending) {
        var later = later
        later.isLate = true
        later.isOutside = later.isOutside || isCalledFromOutside
        later.isAnimated = later.isAnimated && application?.areAnimationsEnabled == true
        if pending == nil { pending = later } else { pending?.add(later) }
    }

    /// Evaluates now, or after a running turn or callback; errors of a deferred evaluation go to the handler.
    func evaluate(_ newest: Pending) throws {
        guard isRotatable else {
            if !newest.requests.isEmpty { throw requestError }
            return settle()
        }
        if mustWait { return wait(for: newest) }
        defer { settle() }
        if isCalledFromOutside { resetTurnCount() }
        try evaluateNow(newest)
    }

    /// The error of a request in a window that does not rotate.
    private var requestError: any Error {
        coversScreen ? HierarchyError.windowDoesNotRotate : GeometryRequestError.notCoveringScreen
    }

    /// Whether no callback of any window is running: the call has a cause outside of them.
    var isCalledFromOutside: Bool {
        !isInCallbacks && (application?.windowsInCallbacks ?? 0) == 0
    }

    /// Resets the number of turns in a row, here and in the other windows, because of a new cause from outside.
    func resetTurnCount() {
        turnsInARow = 0
        application?.windows.forEach { $0.turnsInARow = 0 }
    }

    func evaluateNow(_ pending: Pending) throws {
        guard let cause = pending.cause else { return }
        let (orientation, refused) = try decide(pending, cause: cause)
        let isFirstReading = pending.hasNewEdge && !hasShownFrame
        go(to: orientation, isAnimated: pending.isAnimated && !isFirstReading)
        if let refused { throw refused }
    }

    /// Decides, and stores the decision and a granted request. A refused request or arrival changes nothing, so the
    /// former decision is kept as the explanation. A new preference that is refused does not count: the rest is decided.
    func decide(
        _ pending: Pending, cause: OrientationCause
    ) throws -> (orientation: InterfaceOrientation, refused: (any Error)?) {
        let (formerLock, topmost) = (ownLock, topmostViewController)
        guard var decision = DecisionPass.decide(pending, cause: cause, in: self) else {
            return (interfaceOrientation, nil)
        }
        var refused: (any Error)?
        if decision.circumstances.hasNewPreference, cause != .presented,
            let error = decision.error as? PreferredOrientationNotSupportedError
        {
            refused = error
            var rest = decision.circumstances
            rest.hasNewPreference = false
            decision = .decide(rest)
        }
        if let error = decision.error {
            ownLock = formerLock
            if pending.requests.isEmpty, pending.isLate || !cause.isArrival { record(decision) }
            throw error
        }
        record(decision)
        topmost?.preferredWhenPresented = decision.circumstances.preferred
        if let request = pending.requests.last, let application {
            application.device.requestWasGranted()
            requests.removeAll { $0.modal == request.modal }
            requests.append((decision.orientation, application.device.edgeCount, request.modal))
        }
        // A controller may have made the window smaller while it was queried.
        guard coversScreen else {
            shareOrientation()
            return (interfaceOrientation, refused)
        }
        return (decision.orientation, refused)
    }

    /// Stores a decision, and its edge if the interface has followed it as far as it could.
    ///
    /// A decision can use a last edge without a reading, or the reading below an override that was reset. The edge of
    /// the notification that follows is then compared with this one, not with the one before.
    private func record(_ decision: OrientationDecision) {
        lastDecision = decision
        let c = decision.circumstances
        if c.cause.isTurnOfTheDevice || c.hasNewEdge || decision.follows(c.edge) || decision.isWish {
            followedEdge = c.edge
        }
    }

    /// Whether a notification of the device has to be evaluated: its edge is another than the followed one, or it names an
    /// edge (R18) that is not up in the interface and that no request prevents (R23).
    func isConcerned(by edge: Edge, isReading: Bool) -> Bool {
        if followedEdge != edge { return true }
        return isReading && interfaceOrientation != InterfaceOrientation(edge) && heldRequest == nil
            && pending?.requests.isEmpty != false
    }

    /// The orientation of the request that holds. A new edge ends a request, also while the window is hidden or the app
    /// suspended.
    var heldRequest: InterfaceOrientation? {
        guard let device = application?.device else { return nil }
        return requests.last { $0.edgeCount == device.edgeCount && isPresented($0.modal) }?.orientation
    }

    /// Makes the pending evaluations, and the appearance callbacks for what callbacks have changed, until none is left.
    func settle() {
        settleAlone()
        application?.settleAll()
    }

    func settleAlone() {
        var rounds = 0
        while !mustWait {
            if let next = pending, application?.isSuspended != true, !sharesUndecided {
                pending = nil
                evaluateLate(next)
            } else if !updateAppearance(isAnimated: false), !announceGeometry() {
                if drawsWhenSettled { drawAtRest() }
                return tidy()
            }
            rounds += 1
            if rounds > RotationLimits.rounds {
                pending = nil
                application?.report(RotationDoesNotSettleError(.changes, after: rounds, in: self))
                return
            }
        }
    }

    private func evaluateLate(_ next: Pending) {
        if next.isOutside { resetTurnCount() }
        do {
            if isRotatable { return try evaluateNow(next) }
            if !next.requests.isEmpty { throw requestError }
            if let sharedOrientation { go(to: sharedOrientation, isAnimated: next.isAnimated && hasShownFrame) }
        } catch {
            // The rest is decided without the refused request.
            var rest = next
            let request = rest.requests.popLast()
            if request != nil {
                if let pending { rest.add(pending) }
                pending = rest
            }
            // What the handler requests is newer than the rest, and joins it.
            inCallbacks {
                if let refused = request?.refused { refused(error) } else { application?.report(error) }
            }
        }
    }

    // MARK: Applying the decision

    /// Turns the interface to an orientation, with the controllers that appear and disappear.
    func go(to orientation: InterfaceOrientation, isAnimated: Bool) {
        guard orientation != interfaceOrientation, let application else {
            updateAppearance(isAnimated: isAnimated)
            return
        }
        guard turnsInARow < RotationLimits.turnsInARow else {
            application.report(RotationDoesNotSettleError(.turns, after: turnsInARow, in: self))
            updateAppearance(isAnimated: false)
            return
        }
        turnsInARow += 1
        let isHalf = InterfaceTurn(from: interfaceOrientation, to: orientation).isHalfTurn
        let duration =
            isAnimated && application.areAnimationsEnabled
            ? application.rotationDuration * (isHalf ? 2 : 1) : 0
        let turn = Turn(
            self, to: orientation, duration: duration, appearance: takeAppearanceChange(isAnimated: isAnimated))
        self.turn = turn
        turn.begin()
    }

    /// Updates the appearance after a change of the view tree: a container may have added a child's view.
    func contentDidChange() {
        application?.updateGenerating()
        guard isVisible, !isAppearing, application?.device.isPosting != true, turn?.allowsOtherAppearances != false
        else {
            return
        }
        updateAppearance(isAnimated: false)
        settle()
    }

    /// Reads the app's own lock again. If it is now off, the device is followed.
    func updateOwnLock() {
        guard isRotatable else { return }
        let wasLocked = ownLock
        _ = queryOwnLock()
        if wasLocked, !ownLock { answersChanged() } else { settle() }
    }

    /// Evaluates a window that became the key window, or visible again.
    func becameVisible(isAnimated: Bool) {
        if isRotatable { wait(for: becomingVisible(isAnimated: isAnimated)) }
        settle()
    }
}
