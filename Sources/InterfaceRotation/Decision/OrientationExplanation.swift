// SPDX-License-Identifier: Apache-2.0

public import OrientationModel

/// Why the interface is the way it is: everybody who was asked with the answer, and one sentence for a person.
public struct OrientationExplanation: Hashable, Sendable, CustomStringConvertible {
    /// What happened.
    public let cause: OrientationCause
    /// The edge that counted; nil if none was known.
    public let edge: Edge?
    /// Where the edge came from: "a reading", "the last edge before the device lay flat" …
    public let edgeSource: String
    /// Everybody who was asked, with the answer, in the order of asking.
    public let asked: [Line]
    /// Everybody who was not asked, with the reason.
    public let notAsked: [Line]
    /// The preferred orientation of what was presented; unknown for none.
    public let preferred: InterfaceOrientation
    /// Which locks are closed, by name.
    public let locks: [String]
    /// The orientation of the interface after the decision.
    public let result: InterfaceOrientation
    /// One sentence that a person understands.
    public let sentence: String

    /// Somebody, and what they said or why they were not asked.
    public struct Line: Hashable, Sendable, CustomStringConvertible {
        /// Who.
        public let who: String
        /// The answer, or the reason.
        public let what: String

        /// "who: what".
        public var description: String { "\(who): \(what)" }
    }

    /// The whole explanation, a line for each part.
    public var description: String {
        let lines =
            [sentence, "edge: \(edge.map(\.description) ?? "none"), from \(edgeSource)"]
            + asked.map { "asked \($0)" } + notAsked.map { "not asked \($0)" }
        return lines.joined(separator: "\n")
    }
}

extension OrientationDecision {
    /// The explanation of this decision.
    public var explanation: OrientationExplanation {
        let c = circumstances
        return OrientationExplanation(
            cause: c.cause, edge: c.edge, edgeSource: edgeSource, asked: asked, notAsked: notAsked,
            preferred: c.preferred, locks: locks, result: orientation, sentence: sentence)
    }

    /// This decision; or, when the user's lock was closed after it, that, for nobody is asked then.
    func since(_ lock: OrientationCircumstances.UserLock) -> OrientationDecision {
        guard circumstances.userLock == .open, lock != .open else { return self }
        var c = circumstances
        (c.cause, c.userLock, c.current) = (.lockClosed, lock, orientation)
        return .decide(c)
    }

    private var edgeSource: String {
        switch circumstances.edgeOrigin {
        case .lock: "the user's lock"
        case .override: "an override"
        case .reading: "a reading"
        case .last: "the last time an edge was up"
        case .nowhere: "nowhere: no edge was up yet"
        }
    }

    private var locks: [String] {
        let c = circumstances
        return (c.isLockedByUser ? ["the user's lock"] : [])
            + (c.isLockedByAppInForce ? ["the app's own lock"] : [])
    }

    private typealias Line = OrientationExplanation.Line

    private var lines: [Line] {
        let c = circumstances
        let lock =
            c.ruleSet == .modern
            ? [Line(who: "the app's own lock", what: c.isLockedByApp ? "closed" : "open")] : []
        let window = c.ruleSet == .legacy ? [] : [Line(who: c.windowMaskSource, what: "\(c.windowMask)")]
        let follow =
            c.ruleSet == .autorotating ? [Line(who: "shouldAutorotate", what: "\(c.shouldAutorotate)")] : []
        let answers =
            c.controllerAnswers.isEmpty ? [.init(c.controller, c.controllerMask)] : c.controllerAnswers
        let wish =
            c.cause == .presented && c.ruleSet != .legacy
            ? [Line(who: "preferredInterfaceOrientationForPresentation", what: "\(c.preferred)")] : []
        return [Line(who: "the user's lock", what: c.isLockedByUser ? "closed" : "open")] + lock
            + [Line(who: "the device", what: "\(c.deviceMask)")] + window + follow
            + answers.map { Line(who: $0.name, what: "\($0.mask)") } + wish
    }

    /// How many of ``lines`` were asked before the decision was clear: the locks are known without asking a program,
    /// and `shouldAutorotate` comes after device and window.
    private var askedCount: Int {
        let c = circumstances
        guard let reason = c.reasonNotToAsk else { return lines.count }
        return reason == .notAutorotating ? 4 : c.ruleSet == .modern ? 2 : 1
    }

    private var asked: [Line] { Array(lines.prefix(askedCount)) }

    private var notAsked: [Line] {
        let reason =
            switch circumstances.reasonNotToAsk {
            case .noEdge: "the device lies flat or is unknown, so there is nothing to follow"
            case .notAutorotating: "shouldAutorotate is false, so the device is not followed"
            case .userLock: "the user's lock is closed, so the device is not followed"
            default: "the request was refused before"
            }
        return lines.dropFirst(askedCount).map { Line(who: $0.who, what: reason) } + absent
    }

    /// Whom the rule set never asks.
    private var absent: [Line] {
        let why = "the rule set .\(circumstances.ruleSet) does not ask"
        switch circumstances.ruleSet {
        case .modern: return [Line(who: "shouldAutorotate", what: why)]
        case .autorotating: return [Line(who: "the app's own lock", what: why)]
        case .legacy:
            return [
                "the app's own lock", "delegate and manifest", "preferredInterfaceOrientationForPresentation",
            ]
            .map { Line(who: $0, what: why) }
        }
    }
}
