// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import SeededRandomness
import Testing

@testable import OrientationRules

/// Decides all combinations of circumstances and checks the invariants of the results.
///
/// Counts the violations of some million decisions instead of an expectation for each, which would take minutes.
@Suite struct DecisionInvariantTests {
    static let causes: [OrientationCause] = [
        .deviceTurned, .lockTurnedOff, .presented, .dismissed, .pushed, .answersChanged,
        .requested(.landscape), .requested(.portrait),
    ]
    static let windowMasks: [InterfaceOrientationMask] = [[], .portrait, .landscape, .allButUpsideDown, .all]
    static let four: [InterfaceOrientation] = [
        .portrait, .portraitUpsideDown, .landscapeRight, .landscapeLeft,
    ]

    @Test(arguments: RuleSet.allCases)
    func `R15: every decision is allowed, stable and explained by the rules`(ruleSet: RuleSet) {
        var tally = Tally()
        for cause in Self.causes {
            var c = OrientationCircumstances(cause, current: .portrait, device: .portrait)
            c.ruleSet = ruleSet
            c.lastEdge = .landscapeRight
            for lock in 0..<4 {
                c.userLock = lock & 1 == 0 ? .off : .on(at: .portraitUpsideDown)
                c.isLockedByApp = lock & 2 != 0
                for window in Self.windowMasks {
                    c.windowMask = window
                    tally.sweep(&c)
                }
            }
        }
        #expect(tally.rows == 8 * 4 * 5 * 16 * 2 * 5 * 4 * 7)
        #expect(tally.broken.isEmpty, "\(tally.broken)")
    }

    @Test(arguments: RuleSet.allCases)
    func `R15: every decision respects pending edges, requests and last orientations`(ruleSet: RuleSet) {
        var dice = SeededGenerator(seed: 6)
        var tally = Tally()
        for _ in 0..<100_000 { tally.check(.random(ruleSet, using: &dice)) }
        #expect(tally.broken.isEmpty, "\(tally.broken)")
    }
}

extension OrientationCircumstances {
    /// Returns random circumstances.
    fileprivate static func random(_ ruleSet: RuleSet, using dice: inout SeededGenerator) -> OrientationCircumstances {
        func mask() -> InterfaceOrientationMask {
            InterfaceOrientationMask(rawValue: UInt.random(in: 0...15, using: &dice) << 1)
        }
        func one<Value>(of values: [Value]) -> Value { values[Int.random(in: values.indices, using: &dice)] }
        let interfaces = InterfaceOrientation.allCases
        let four = DecisionInvariantTests.four
        var causes = DecisionInvariantTests.causes
        causes += [
            .lockTurnedOn, .popped, .tabSelected, .rootSet, .childAdded, .childRemoved, .windowMadeKey,
            .requested(mask()),
        ]
        var c = OrientationCircumstances(
            one(of: causes), current: one(of: four), device: one(of: DeviceOrientation.allCases))
        c.ruleSet = ruleSet
        c.lastEdge = one(of: Edge.allCases + [nil])
        c.hasNewEdge = Bool.random(using: &dice)
        c.hasNewAnswers = Bool.random(using: &dice)
        c.hasNewPreference = Bool.random(using: &dice)
        c.heldRequest = one(of: four + [nil])
        c.userLock = one(of: [.off, .on(at: one(of: Edge.allCases + [nil]))])
        c.isLockedByApp = Bool.random(using: &dice)
        c.coversScreen = Bool.random(using: &dice)
        c.deviceMask = mask()
        c.windowMask = mask()
        c.controllerMask = mask()
        c.shouldAutorotate = Bool.random(using: &dice)
        c.preferred = one(of: interfaces)
        c.lastShown = one(of: interfaces)
        c.manifest = [one(of: four), one(of: four)]
        return c
    }
}

/// Counts the rows and keeps the first violation of each invariant.
private struct Tally {
    var rows = 0
    var broken: [String: OrientationCircumstances] = [:]

    mutating func sweep(_ c: inout OrientationCircumstances) {
        var bits: UInt = 0
        while bits <= 30 {
            c.controllerMask = InterfaceOrientationMask(rawValue: bits)
            for follows in [true, false] {
                c.shouldAutorotate = follows
                for preferred in InterfaceOrientation.allCases {
                    c.preferred = preferred
                    for current in DecisionInvariantTests.four {
                        c.current = current
                        for device in DeviceOrientation.allCases {
                            c.device = device
                            check(c)
                        }
                    }
                }
            }
            bits += 2
        }
    }

    mutating func check(_ c: OrientationCircumstances) {
        rows += 1
        // Prime to the numbers of values in the sweep: each value is among the rows that run.
        guard runsAllRows || rows.isMultiple(of: 11) else { return }
        let (result, basis) = OrientationDecision.verdict(c)
        if result == .unknown { broken["unknown is no answer"] = c }
        var refused = false
        if case .refused = basis { refused = true }
        let queriesNothing = basis == .noEdge || basis == .notAutorotating || basis == .userLock
        if refused || queriesNothing || basis == .nothingAllowed {
            if result != c.current { broken["unchanged without an answer"] = c }
        } else if !c.allowed.contains(result) {
            broken["in allowed"] = c
        }
        if refused, c.ruleSet == .legacy, c.earlyRefusal == nil { broken["legacy has no errors"] = c }
        if case .requested(let mask) = c.cause, !refused, !mask.contains(result) { broken["a request is kept"] = c }
        if !refused, !queriesNothing, c.allowed.contains(c.wish), result != c.wish {
            broken["a preference that is allowed is taken"] = c
        }
        if c.cause == .presented, c.ruleSet != .legacy, c.wish != c.preferred {
            broken["a presentation has a wish"] = c
        }
        if c.cause == .deviceTurned, c.wish == .unknown { checkTurn(c, result, basis, refused) }
        if result != c.current {
            var again = c
            again.current = result
            if OrientationDecision.verdict(again).0 != result { broken["deciding twice"] = c }
        }
    }

    /// Checks the invariants of a turn of the device.
    mutating func checkTurn(
        _ c: OrientationCircumstances, _ result: InterfaceOrientation, _ basis: OrientationDecision.Basis,
        _ refused: Bool
    ) {
        let isFlat = c.device.rawValue > 4 || c.device == .unknown
        if isFlat, !c.hasNewEdge, !c.hasNewAnswers, result != c.current { broken["flat turns"] = c }
        if isFlat, c.hasNewEdge, basis == .noEdge { broken["an edge that waited is forgotten"] = c }
        let isLocked = c.isLockedByUser || c.isLockedByAppInForce
        if !isLocked, c.mayFollow, let edge = Edge(c.device).map({ InterfaceOrientation($0) }),
            c.allowed.contains(edge), !refused, result != edge
        {
            broken["an edge that is allowed is followed"] = c
        }
        if isLocked, c.allowed.contains(c.current), result != c.current { broken["a lock holds"] = c }
        // A lock, unlike shouldAutorotate, does not keep an orientation outside the controller's mask.
        if isLocked, !refused, basis != .noEdge, basis != .notAutorotating, basis != .nothingAllowed,
            !c.controllerMask.contains(result)
        {
            broken["a lock leaves a controller in a foreign mask"] = c
        }
    }
}
