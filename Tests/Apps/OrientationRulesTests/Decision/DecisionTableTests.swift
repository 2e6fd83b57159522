// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationRules
import Testing

/// A row: a cause, the circumstances, and the expected decision.
struct DecisionRow: Sendable, CustomTestStringConvertible {
    let meaning: String
    let circumstances: OrientationCircumstances
    let result: InterfaceOrientation
    let basis: OrientationDecision.Basis

    /// The current and the device's orientation precede `to:`; the result and its basis follow it, and then the
    /// circumstances that differ from the default.
    init(
        _ meaning: String, _ cause: OrientationCause, _ current: InterfaceOrientation,
        _ device: DeviceOrientation, to result: InterfaceOrientation, _ basis: OrientationDecision.Basis,
        ruleSet: RuleSet = .modern, autorotates: Bool = true, deviceMask: InterfaceOrientationMask = .all,
        windowMask: InterfaceOrientationMask = .all, mask: InterfaceOrientationMask = .all,
        manifest: [InterfaceOrientation] = [], preferred: InterfaceOrientation = .unknown,
        hasNewPreference: Bool = false, lastShown: InterfaceOrientation = .unknown, lastEdge: Edge? = nil,
        hasNewEdge: Bool = false, heldRequest: InterfaceOrientation? = nil,
        userLock: OrientationCircumstances.UserLock = .off, isLockedByApp: Bool = false, coversScreen: Bool = true,
        source: OrientationCircumstances.Source = .reading
    ) {
        var c = OrientationCircumstances(cause, current: current, device: device)
        (c.ruleSet, c.shouldAutorotate) = (ruleSet, autorotates)
        (c.deviceMask, c.windowMask, c.controllerMask) = (deviceMask, windowMask, mask)
        (c.manifest, c.preferred, c.hasNewPreference) = (manifest, preferred, hasNewPreference)
        (c.lastShown, c.lastEdge, c.hasNewEdge, c.heldRequest) = (lastShown, lastEdge, hasNewEdge, heldRequest)
        (c.userLock, c.isLockedByApp, c.coversScreen, c.source) = (userLock, isLockedByApp, coversScreen, source)
        self.meaning = meaning
        self.circumstances = c
        self.result = result
        self.basis = basis
    }

    var testDescription: String { meaning }
}

@Suite struct DecisionTableTests {
    @Test(arguments: DecisionRow.following + DecisionRow.masks + DecisionRow.locks)
    func `R18: the device is followed within what is allowed`(row: DecisionRow) { check(row) }

    @Test(arguments: DecisionRow.shown + DecisionRow.presented)
    func `R21: a change of the hierarchy chooses an orientation from the allowed mask`(row: DecisionRow) {
        check(row)
    }

    @Test(arguments: DecisionRow.minds + DecisionRow.requests)
    func `R23: requests and updates`(row: DecisionRow) { check(row) }

    @Test(arguments: DecisionRow.legacy)
    func `R28: in .legacy shouldAutorotate(to:) decides alone`(row: DecisionRow) { check(row) }

    func check(_ row: DecisionRow) {
        let decision = OrientationDecision.decide(row.circumstances)
        #expect(decision.orientation == row.result, "\(decision.explanation)")
        #expect(decision.basis == row.basis, "\(decision.explanation)")
        var isRefused = false
        if case .refused = row.basis { isRefused = true }
        #expect((decision.error != nil) == isRefused)
    }
}
