// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// The orientation of the interface, and why: the rules R14 to R28 as a pure function.
///
/// Call ``decide(_:)``. It is a pure function: whether and why an app rotates can be computed, and tested, from the
/// values alone.
public struct OrientationDecision: Hashable, Sendable {
    /// The circumstances of the decision.
    public let circumstances: OrientationCircumstances
    /// The new orientation of the interface; the current one if the decision is an error.
    public let orientation: InterfaceOrientation
    /// The rule that decided.
    public let basis: Basis

    /// The rule that decided.
    public enum Basis: Hashable, Sendable {
        /// The edge that is up.
        case edge
        /// A request that holds until the next new edge.
        case heldRequest
        /// A granted request.
        case request
        /// The preferred orientation of the presented controller.
        case preferred
        /// The orientation in which the content was last shown.
        case lastShown
        /// The current orientation, which is allowed.
        case current
        /// The order of the manifest.
        case manifest
        /// The raw order, if nothing else decides.
        case order
        /// There is no edge to follow: no mask was queried.
        case noEdge
        /// `shouldAutorotate` is false: the masks were not queried.
        case notAutorotating
        /// The user's lock is on: no mask was queried.
        case userLock
        /// The window does not cover its screen: no mask was queried.
        case screenNotCovered
        /// The user's lock was turned off, but no decision was made since: no mask was queried.
        case deferred
        /// No orientation is allowed by the legacy rules, which is not an error.
        case nothingAllowed
        /// The decision fails with an error.
        case refused(Refusal)
    }

    /// Why the decision fails.
    public enum Refusal: Hashable, Sendable {
        /// The masks have no common orientation.
        case nothingLeft
        /// The preferred orientation is not in the controller's own mask.
        case preferredNotSupported
        /// Nothing requested is allowed.
        case noneSupported
        /// The app's own lock holds.
        case locked
        /// The window does not cover its screen.
        case notCoveringScreen
        /// Nothing was requested.
        case emptyRequest
        /// The rule set has no requests.
        case unavailable
    }

    /// Returns the decision for these circumstances.
    public static func decide(_ c: OrientationCircumstances) -> OrientationDecision {
        let (orientation, basis) = verdict(c)
        return OrientationDecision(circumstances: c, orientation: orientation, basis: basis)
    }

    /// Whether the interface is upright while this edge is up.
    package func follows(_ edge: Edge?) -> Bool { edge.map { InterfaceOrientation($0) } == orientation }

    /// Whether the program wished the orientation.
    package var isWish: Bool { basis == .preferred || basis == .request }

    typealias Verdict = (InterfaceOrientation, Basis)

    static func verdict(_ c: OrientationCircumstances) -> Verdict {
        if let reason = c.reasonNotToQuery { return (c.current, reason) }
        let preferred = c.wish
        if preferred != .unknown, !c.controllerMask.contains(preferred) {
            return (c.current, .refused(.preferredNotSupported))
        }
        let allowed = c.allowed
        if allowed.isEmpty {
            return (c.current, c.ruleSet == .legacy ? .nothingAllowed : .refused(.nothingLeft))
        }
        if case .requested(let mask) = c.cause { return granting(mask.intersection(allowed), c) }
        if allowed.contains(preferred) { return (preferred, .preferred) }
        return following(allowed, c) ?? revealing(allowed, c) ?? bringing(into: allowed, c)
    }

    /// R23.
    private static func granting(_ mask: InterfaceOrientationMask, _ c: OrientationCircumstances) -> Verdict {
        if mask.isEmpty { return (c.current, .refused(.noneSupported)) }
        if let edge = c.edge, mask.contains(InterfaceOrientation(edge)) {
            return (InterfaceOrientation(edge), .request)
        }
        return (bringing(into: mask, c).0, .request)
    }

    /// R18 and R22: the edge, if the interface may follow it and no lock is on.
    private static func following(
        _ allowed: InterfaceOrientationMask, _ c: OrientationCircumstances
    ) -> Verdict? {
        let isNewEdge = c.cause.isTurnOfTheDevice || c.hasNewEdge
        guard isNewEdge || c.cause == .answersChanged || c.hasNewAnswers else { return nil }
        guard c.mayFollow, !c.isLockedByUser, !c.isLockedByAppInForce else { return nil }
        return edgeOrHeld(allowed, c, isNewEdge: isNewEdge)
    }

    /// R21, line 1.
    private static func revealing(
        _ allowed: InterfaceOrientationMask, _ c: OrientationCircumstances
    ) -> Verdict? {
        guard c.cause.reveals else { return nil }
        // R20: content with a lock of its own returns as it was.
        if c.isLockedByAppInForce, !c.isLockedByUser, allowed.contains(c.lastShown) { return (c.lastShown, .lastShown) }
        if c.mayFollow, let verdict = edgeOrHeld(allowed, c, isNewEdge: c.hasNewEdge) { return verdict }
        return allowed.contains(c.lastShown) ? (c.lastShown, .lastShown) : nil
    }

    /// A request holds against an edge that was up before it.
    private static func edgeOrHeld(
        _ allowed: InterfaceOrientationMask, _ c: OrientationCircumstances, isNewEdge: Bool
    ) -> Verdict? {
        if !isNewEdge, let held = c.heldRequest, allowed.contains(held) { return (held, .heldRequest) }
        guard let edge = c.edge, allowed.contains(InterfaceOrientation(edge)) else { return nil }
        return (InterfaceOrientation(edge), .edge)
    }

    /// R21, lines 2 and 3.
    private static func bringing(
        into allowed: InterfaceOrientationMask, _ c: OrientationCircumstances
    ) -> Verdict {
        if allowed.contains(c.current) { return (c.current, .current) }
        if let edge = c.edge, allowed.contains(InterfaceOrientation(edge)) {
            return (InterfaceOrientation(edge), .edge)
        }
        if c.ruleSet != .legacy, allowed.contains(c.preferred) { return (c.preferred, .preferred) }
        if allowed.contains(c.lastShown) { return (c.lastShown, .lastShown) }
        if c.ruleSet != .legacy, let first = c.manifest.first(where: { allowed.contains($0) }) {
            return (first, .manifest)
        }
        return (allowed.first ?? c.current, .order)
    }
}

extension InterfaceOrientationMask {
    /// The first in raw order: portrait, portraitUpsideDown, landscapeRight, landscapeLeft.
    var first: InterfaceOrientation? { orientations.first { _ in true } }
}
