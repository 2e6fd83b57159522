// SPDX-License-Identifier: Apache-2.0

internal import Displays
internal import OrientationModel

/// The rotation that the last decision asked for, and how far it is: a value without I/O. The policy performs what follows.
struct RotationRequest: Sendable {
    enum Phase: Hashable, Sendable {
        /// The output has the target, or it cannot be rotated now.
        case idle
        /// A configuration was sent, and has no result yet.
        case pending(Attempt)
        /// The last attempt failed; the next one follows after a delay.
        case retrying
        /// The outputs changed during the last attempt; the next one follows when they are known, or after a delay.
        case outdated
        /// The attempts for the target have failed.
        case gaveUp
        /// The transform of another program stays until the next target.
        case overridden
    }

    /// A configuration that was sent.
    struct Attempt: Hashable, Sendable {
        let transform: OutputTransform
        /// The state that asked for it; nil at the end.
        var state: OrientationState?
        /// Whether it only moves other outputs.
        var isOnlyMoving = false
    }

    private(set) var phase = Phase.idle
    /// The transform that the last decision asked for.
    private(set) var target: OutputTransform?
    /// The newest state that asked for the target.
    var state: OrientationState?
    /// The transform that another program set since the device was turned last.
    private(set) var setByHand: OutputTransform?
    /// The attempts for the target that failed, and the failure of the last one.
    private var failedAttempts = 0
    private var lastFailure: AgentMessage?
    /// The last failure of each transform that was given up.
    private var givenUp: [OutputTransform: AgentMessage] = [:]
    /// Transforms that were requested without a result: the server may still apply them.
    private var unanswered: Set<OutputTransform> = []

    /// The configuration that has no result yet.
    var pending: Attempt? { if case .pending(let attempt) = phase { attempt } else { nil } }

    /// The transform to apply now, unless the output has it.
    var next: OutputTransform? {
        switch phase {
        case .idle, .outdated: target
        case .pending, .retrying, .gaveUp, .overridden: nil
        }
    }

    func hasGivenUp(_ transform: OutputTransform) -> Bool { givenUp[transform] != nil }

    /// Why the output does not have the target, as a sentence without its full stop; nil if no attempt has failed.
    var failure: String? {
        if let target, let report = givenUp[target] { return "\(report)" }
        guard let lastFailure, lastFailure.transform == target else { return nil }
        return "\(lastFailure); retrying"
    }

    /// Whether the next failure is the last one.
    var isLastAttempt: Bool { failedAttempts + 1 >= AutorotatePolicy.maximumAttempts }

    // MARK: What is asked for

    /// A decision asks for a transform, in a state of the device.
    mutating func ask(for transform: OutputTransform, in state: OrientationState?) {
        (target, self.state) = (transform, state)
        givenUp[transform] = nil
        restart()
    }

    /// A decision asks for a transform that the output has, is rotating to, or that was given up.
    mutating func keep(_ transform: OutputTransform) {
        if phase != .overridden { target = transform }
        settle()
    }

    /// Nothing is asked for any more.
    mutating func clear() {
        target = nil
        settle()
    }

    /// The device was turned: rotations of other programs end, and what was given up is tried again.
    mutating func deviceTurned() {
        setByHand = nil
        givenUp = [:]
        settle()
    }

    /// The device entered tablet mode: rotations of other programs end with the next edge.
    mutating func enteredTabletMode() {
        setByHand = nil
        if phase == .overridden { phase = .idle }
        clear()
    }

    /// Outputs were added, removed or changed: the target is applied again.
    mutating func outputsChanged() {
        deviceTurned()
        restart()
    }

    private mutating func restart() {
        if pending == nil { phase = .idle }
        (failedAttempts, lastFailure) = (0, nil)
    }

    /// Enters or leaves ``Phase/gaveUp`` after a change of the target, or of what was given up.
    private mutating func settle() {
        let isGivenUp = target.map(hasGivenUp) ?? false
        switch phase {
        case .idle, .outdated: if isGivenUp { phase = .gaveUp }
        case .gaveUp: if !isGivenUp { phase = .idle }
        case .pending, .retrying, .overridden: break
        }
    }

    // MARK: Attempts and results

    mutating func send(_ attempt: Attempt) { phase = .pending(attempt) }

    /// The pending configuration has a result: returns it; nil for the result of a configuration after its timeout.
    mutating func finish() -> Attempt? {
        guard let attempt = pending else { return nil }
        phase = .idle
        settle()
        return attempt
    }

    /// The last attempt has succeeded.
    mutating func succeeded() {
        (phase, failedAttempts, lastFailure) = (.idle, 0, nil)
        settle()
    }

    /// The last attempt has failed; without a report, the outputs have changed meanwhile. Returns the delay of the next
    /// attempt after a `first` one in seconds, nil after the last.
    mutating func failed(_ attempt: Attempt, _ report: AgentMessage?, first: Double) -> Double? {
        let isLast = isLastAttempt
        failedAttempts += 1
        lastFailure = report ?? lastFailure
        if isLast { givenUp[attempt.transform] = report } else { phase = report == nil ? .outdated : .retrying }
        settle()
        return isLast ? nil : first * Double(1 << (failedAttempts - 1))
    }

    /// The delay before the next attempt is over.
    mutating func retry() {
        if phase == .retrying || phase == .outdated { phase = .idle }
        settle()
    }

    /// The pending configuration has no result in time.
    mutating func timedOut() {
        if let pending { unanswered.insert(pending.transform) }
    }

    /// Results arrive: no earlier configuration is without one.
    mutating func answered() { unanswered = [] }

    /// The origin of a transform that no pending configuration explains.
    enum Origin {
        /// The target, or the result of an earlier configuration after its timeout.
        case expected
        /// A reset by another program: the target replaces it.
        case reset
        /// Set by hand: it stays until the next target.
        case byHand
    }

    /// The output has another transform; `isReset`: the target replaces it, unless the output keeps a transform already.
    mutating func transformChanged(to transform: OutputTransform, isReset: Bool = false) -> Origin {
        guard !transform.isFlipped, transform != target, unanswered.remove(transform) == nil else {
            givenUp[transform] = nil
            if lastFailure?.transform == transform { lastFailure = nil }
            settle()
            return .expected
        }
        if isReset, target != nil, phase != .overridden, phase != .gaveUp { return .reset }
        (phase, setByHand, lastFailure) = (.overridden, transform, nil)
        return .byHand
    }
}
