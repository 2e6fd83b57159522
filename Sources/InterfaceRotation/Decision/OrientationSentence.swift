// SPDX-License-Identifier: Apache-2.0

import OrientationModel

extension OrientationDecision {
    /// One sentence that a person understands: what happens to the interface, and why.
    public var sentence: String {
        if let error { return "The interface stays in \(orientation): \(error)." }
        let verb = orientation == circumstances.current ? "stays in" : "turns to"
        return
            "The interface \(verb) \(orientation) because \(circumstances.cause.phrase) and \(reason)\(ruledOut)."
    }

    private var reason: String {
        let c = circumstances
        switch basis {
        case .edge: return edgeReason
        case .heldRequest: return "the program requested it and the device was not turned since"
        case .request: return "it is the best that the request and everybody's answers allow"
        case .preferred: return "\(c.controller) prefers it"
        case .lastShown: return "it was last shown so"
        case .current: return orientation == c.current ? currentReason : "it is allowed"
        case .manifest: return "it comes first in the manifest among what is allowed"
        case .order: return "it comes first among what is allowed"
        case .noEdge: return "no edge is up: the device is \(c.device)"
        case .notAutorotating: return "shouldAutorotate of \(c.controller) is false"
        case .userLock: return "the device is not followed until it is opened"
        case .nothingAllowed: return "nobody allows any orientation"
        case .refused: return "there is an error"
        }
    }

    private var edgeReason: String {
        switch circumstances.edgeOrigin {
        case .lock: "the user's lock holds that edge"
        case .override: "a program lets the device seem to be held so"
        case .reading: "the device is held so"
        case .last: "the device was last held so"
        case .nowhere: "no edge was up yet"
        }
    }

    /// Why it stays, where one might have expected a turn to the edge: the first obstacle in the order of asking.
    private var currentReason: String {
        let c = circumstances
        guard let edge = c.edge.map({ InterfaceOrientation($0) }), edge != c.current else {
            return "that is allowed"
        }
        if c.isLockedByUser { return "the user's lock is closed" }
        if c.isLockedByAppInForce { return "the app's own lock is closed" }
        if let who = whoRulesOut(edge) { return "\(who) does not allow \(edge)" }
        if !c.mayFollow { return "shouldAutorotate of \(c.controller) is false" }
        return "that is allowed"
    }

    /// That a preferred orientation had no effect, and by whom.
    private var ruledOut: String {
        let c = circumstances
        guard c.cause == .presented, c.ruleSet != .legacy, c.preferred != .unknown,
            orientation != c.preferred,
            let who = whoRulesOut(c.preferred)
        else { return "" }
        return "; \(c.controller) prefers \(c.preferred), which \(who) does not allow"
    }

    /// The first in the order of asking whose mask lacks an orientation; nil if everybody allows it.
    func whoRulesOut(_ orientation: InterfaceOrientation) -> String? {
        let c = circumstances
        if !c.deviceMask.contains(orientation) { return "the device" }
        if c.ruleSet != .legacy, !c.windowMask.contains(orientation) { return c.windowMaskSource }
        if let answer = c.controllerAnswers.first(where: { !$0.mask.contains(orientation) }) {
            return answer.name
        }
        return c.controllerMask.contains(orientation) ? nil : c.controller
    }
}
