// SPDX-License-Identifier: Apache-2.0

public import OrientationModel

/// Why the interface has its orientation: each answer in query order, and one sentence for the user.
public struct OrientationExplanation: Hashable, Sendable, CustomStringConvertible {
    /// The cause of the decision.
    public let cause: OrientationCause
    /// The edge on which the decision is based; nil if none was known.
    public let edge: Edge?
    /// The source of the edge: "a reading", "an override", "the user's lock", "the last time an edge was up" …
    public let edgeSource: String
    /// The queried sources with their answers, in query order.
    public let queried: [Line]
    /// The sources that were not queried, with the reason.
    public let notQueried: [Line]
    /// The preferred orientation of the presented controller; unknown for none.
    public let preferred: InterfaceOrientation
    /// The locks that are on, by name.
    public let locks: [String]
    /// What an edge that nothing prevents, and that is not up in the interface, waits for; nil if there is none.
    public let waitsFor: String?
    /// The orientation of the interface after the decision.
    public let result: InterfaceOrientation
    /// One sentence for the user.
    public let sentence: String

    /// A source of an answer, and the answer, or the reason why it was not queried.
    public struct Line: Hashable, Sendable, CustomStringConvertible {
        /// The controller, manifest, lock or device.
        public let source: String
        /// The answer, or the reason.
        public let answer: String

        /// "source: answer".
        public var description: String { "\(source): \(answer)" }
    }

    /// The whole explanation, a line for each part.
    public var description: String {
        let lines =
            [sentence, "edge: \(edge.map { "\($0), from \(edgeSource)" } ?? edgeSource)"]
            + (waitsFor.map { ["waits for \($0)"] } ?? [])
            + queried.map { "queried \($0)" } + notQueried.map { "not queried \($0)" }
        return lines.joined(separator: "\n")
    }
}

extension OrientationDecision {
    /// The explanation of this decision.
    public var explanation: OrientationExplanation {
        let c = circumstances
        return OrientationExplanation(
            cause: c.cause, edge: c.edge, edgeSource: edgeSource, queried: queried, notQueried: notQueried,
            preferred: c.preferred, locks: locks, waitsFor: waitsFor, result: orientation, sentence: sentence)
    }

    /// Returns this decision, or one that explains the user's lock if it has changed since: `now` has the lock and the
    /// device's orientation, and the content that is not queried. A lock that was turned off without a decision since
    /// belongs to a hidden window, a suspended app, or a running turn.
    package func since(_ now: OrientationCircumstances) -> OrientationDecision {
        var c = circumstances
        c.unqueried = now.unqueried
        guard c.userLock != now.userLock else {
            return OrientationDecision(circumstances: c, orientation: orientation, basis: basis)
        }
        (c.userLock, c.current) = (now.userLock, orientation)
        guard now.userLock == .off else {
            c.cause = .lockTurnedOn
            return .decide(c)
        }
        c.cause = .lockTurnedOff
        (c.device, c.lastEdge, c.source) = (now.device, now.lastEdge, now.source)
        return OrientationDecision(circumstances: c, orientation: orientation, basis: .deferred)
    }

    /// What ended the decision before the masks were queried.
    private var reasonNotToQuery: Basis? { basis == .deferred ? .deferred : circumstances.reasonNotToQuery }

    private var edgeSource: String {
        switch circumstances.edgeOrigin {
        case .lock: "the user's lock"
        case .override: "an override"
        case .reading: "a reading"
        case .last: "the last time an edge was up"
        case .nowhere: "none: no edge has been up yet"
        }
    }

    private var locks: [String] {
        let c = circumstances
        return (c.userLock != .off ? ["the user's lock"] : [])
            + (c.isLockedByAppInForce ? ["the app's own lock"] : [])
    }

    private typealias Line = OrientationExplanation.Line

    private var lines: [Line] {
        let c = circumstances
        let lock =
            c.ruleSet == .modern
            ? [Line(source: "the app's own lock", answer: c.isLockedByApp ? "on" : "off")] : []
        let window = c.ruleSet == .legacy ? [] : [Line(source: c.windowMaskSource, answer: "\(c.windowMask)")]
        let follow =
            c.ruleSet == .autorotating ? [Line(source: "shouldAutorotate", answer: "\(c.shouldAutorotate)")] : []
        let answers =
            c.controllerAnswers.isEmpty ? [.init(c.controller, c.controllerMask)] : c.controllerAnswers
        let wish =
            c.isPreferenceQueried
            ? [Line(source: "preferredInterfaceOrientationForPresentation", answer: "\(c.preferred)")] : []
        return [Line(source: "the user's lock", answer: c.userLock == .off ? "off" : "on")] + lock
            + [Line(source: c.deviceMaskSource, answer: "\(c.deviceMask)")] + window + follow
            + answers.map { Line(source: $0.name, answer: "\($0.mask)") } + wish
    }

    /// How many of ``lines`` were queried before the decision was clear: the locks are known without a query of a
    /// program, and `shouldAutorotate` comes after device and window.
    private var queriedCount: Int {
        let c = circumstances
        guard let reason = reasonNotToQuery else { return lines.count }
        return reason == .notAutorotating ? 4 : c.ruleSet == .modern ? 2 : 1
    }

    private var queried: [Line] { Array(lines.prefix(queriedCount)) }

    private var notQueried: [Line] {
        let reason =
            switch reasonNotToQuery {
            case .noEdge: "the device lies flat or its orientation is unknown, so there is nothing to follow"
            case .notAutorotating: "shouldAutorotate is false, so the device is not followed"
            case .screenNotCovered: "the window does not cover its screen, so the device is not followed"
            case .userLock: "the user's lock is on, so the device is not followed"
            case .deferred: "no decision was made since the user's lock was turned off"
            default: "the request was refused before"
            }
        return lines.dropFirst(queriedCount).map { Line(source: $0.source, answer: reason) } + absent
            + circumstances.unqueried.map { Line(source: $0.name, answer: $0.reason) }
    }

    /// The sources that the rule set never queries.
    private var absent: [Line] {
        let why = "the rule set .\(circumstances.ruleSet) does not query it"
        switch circumstances.ruleSet {
        case .modern: return [Line(source: "shouldAutorotate", answer: why)]
        case .autorotating: return [Line(source: "the app's own lock", answer: why)]
        case .legacy:
            return [
                "the app's own lock", "delegate and manifest", "preferredInterfaceOrientationForPresentation",
            ]
            .map { Line(source: $0, answer: why) }
        }
    }

    /// The words of a sentence that differ between an app and a session.
    package struct Words: Sendable {
        /// What turns.
        package var subject = "The interface"
        /// What happened, after "because".
        package var cause: String
        /// The source of ``OrientationCircumstances/manifest``.
        package var manifest = "the manifest"
        /// The source of ``OrientationCircumstances/heldRequest``.
        package var requester = "the program requested it"
        /// Returns the names of orientations.
        package var names: @Sendable ([InterfaceOrientation]) -> String = InterfaceOrientation.names

        package init(cause: String) { self.cause = cause }

        func name(_ orientation: InterfaceOrientation) -> String { names([orientation]) }
    }

    /// One sentence for the user: what happens to the interface, and why.
    public var sentence: String { sentence(Words(cause: circumstances.cause.phrase)) }

    /// Returns the sentence in other words; `turn` is what the subject does if its orientation changes.
    package func sentence(_ words: Words, turn: String = "turns to") -> String {
        let result = words.name(orientation)
        if let error {
            let text = (error as? InvalidInterfaceOrientationError)?.text(words.names) ?? "\(error)"
            return "\(words.subject) stays in \(result): \(text)."
        }
        let verb =
            basis == .screenNotCovered ? "is in" : orientation == circumstances.current ? "stays in" : turn
        let reason = reason(words)
        let why = words.cause == reason ? reason : "\(words.cause) and \(reason)"
        return "\(words.subject) \(verb) \(result) because \(why)\(ruledOut(words))\(otherAnswer)."
    }

    private func reason(_ words: Words) -> String {
        let c = circumstances
        switch basis {
        case .edge: return edgeReason
        case .heldRequest: return heldReason(words)
        case .request: return "it is requested and allowed"
        case .preferred: return "\(c.preferringContent ?? c.controller) prefers it"
        case .lastShown: return "this content was last shown in that orientation"
        case .current: return orientation == c.current ? currentReason(words) : "it is allowed"
        case .manifest: return "it comes first in \(words.manifest) among what is allowed"
        case .order: return "it comes first among what is allowed"
        case .noEdge:
            return c.device == .unknown
                ? "the orientation of the device is unknown"
                : "no edge is up: the device is \(c.device.text(natural: .portrait))"
        case .notAutorotating: return notAutorotating
        case .userLock: return "the device is not followed until the lock is turned off"
        case .deferred: return "the device is not followed until the window is visible and at rest"
        case .screenNotCovered: return "has the orientation of the screen's interface"
        case .nothingAllowed: return "no orientation is allowed"
        case .refused: return "there is an error"
        }
    }

    private var edgeReason: String {
        switch circumstances.edgeOrigin {
        case .lock: "the user's lock holds that edge"
        case .override: "a program overrides the device orientation"
        case .reading: "the device is held that way"
        case .last: "the device was last held that way"
        case .nowhere: "no edge has been up yet"
        }
    }

    /// Why it stays, where a turn to the edge might be expected.
    private func currentReason(_ words: Words) -> String {
        guard let edge = edgeElsewhere else { return "that is allowed" }
        if let obstacle = obstacle(to: edge, words) { return obstacle }
        return circumstances.cause.keepsAllowed
            ? "what arrives keeps an allowed orientation until \(Self.nextReading)" : "that is allowed"
    }

    private static let nextReading = "the next reading of an edge"

    /// The orientation of the edge, unless the interface has it.
    private var edgeElsewhere: InterfaceOrientation? {
        circumstances.edge.map { InterfaceOrientation($0) }.flatMap { $0 == orientation ? nil : $0 }
    }

    /// What keeps the interface from following the device, the first in query order.
    private func obstacle(to edge: InterfaceOrientation, _ words: Words) -> String? {
        let c = circumstances
        if c.isLockedByUser { return "the user's lock is on" }
        if c.isLockedByAppInForce { return "the app's own lock is on" }
        if let source = source(excluding: edge) { return "\(source) does not allow \(words.name(edge))" }
        if c.heldRequest != nil { return heldReason(words) }
        return c.mayFollow ? nil : notAutorotating
    }

    private func heldReason(_ words: Words) -> String { "\(words.requester) and the device has not been turned since" }

    /// R18: what nothing prevents is followed at the next notification that names an edge; a request (R23) holds longer.
    private var waitsFor: String? {
        switch basis {
        case .request, .heldRequest, .screenNotCovered, .deferred, .refused, .nothingAllowed: return nil
        default:
            guard let edge = edgeElsewhere, obstacle(to: edge, Words(cause: "")) == nil else { return nil }
            return Self.nextReading
        }
    }

    private var notAutorotating: String {
        "shouldAutorotate of \(circumstances.autorotatingContent ?? circumstances.controller) is false"
    }

    /// The source that excludes a preferred orientation.
    private func ruledOut(_ words: Words) -> String {
        let c = circumstances
        guard c.isPreferenceQueried, c.preferred != .unknown, orientation != c.preferred,
            let source = source(excluding: c.preferred)
        else { return "" }
        let preferred = words.name(c.preferred)
        return "; \(c.preferringContent ?? c.controller) prefers \(preferred), which \(source) does not allow"
    }

    /// The content that is not queried, if its mask or lock would decide otherwise.
    private var otherAnswer: String {
        guard reasonNotToQuery == nil else { return "" }
        for page in circumstances.unqueried.reversed() {
            var c = circumstances
            c.controllerMask.formIntersection(page.mask)
            c.isLockedByApp = c.isLockedByApp || page.isLocked
            let other = OrientationDecision.decide(c)
            if other.orientation != orientation || other.error != nil {
                return "; \(page.name) would decide otherwise, but \(page.reason)"
            }
        }
        return ""
    }

    /// The first source in query order whose mask lacks an orientation; nil if all contain it.
    func source(excluding orientation: InterfaceOrientation) -> String? {
        let c = circumstances
        if !c.deviceMask.contains(orientation) { return c.deviceMaskSource }
        if c.ruleSet != .legacy, !c.windowMask.contains(orientation) { return c.windowMaskSource }
        if let refusing = c.controller(where: { !$0.contains(orientation) }) { return refusing }
        return c.controllerMask.contains(orientation) ? nil : c.controller
    }
}
