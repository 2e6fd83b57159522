// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel
import Testing

/// One row: what happens, in which circumstances, and what the rules make of it.
struct DecisionRow: Sendable, CustomTestStringConvertible {
    let meaning: String
    let circumstances: OrientationCircumstances
    let result: InterfaceOrientation
    let basis: OrientationDecision.Basis

    /// Current and device before the arrow, the result and what decided behind it.
    init(
        _ meaning: String, _ cause: OrientationCause, _ current: InterfaceOrientation,
        _ device: DeviceOrientation, to result: InterfaceOrientation, _ basis: OrientationDecision.Basis,
        _ change: (inout OrientationCircumstances) -> Void = { _ in }
    ) {
        var c = OrientationCircumstances(cause, current: current, device: device)
        change(&c)
        self.meaning = meaning
        self.circumstances = c
        self.result = result
        self.basis = basis
    }

    var testDescription: String { meaning }
}

@Suite struct DecisionTableTests {
    @Test(arguments: following + masks + locks)
    func `R18: the device is followed within what is allowed`(row: DecisionRow) { check(row) }

    @Test(arguments: shown + presented)
    func `R21: a change of what is shown brings the interface into what is allowed`(row: DecisionRow) {
        check(row)
    }

    @Test(arguments: minds + requests)
    func `R23: requests and changed minds`(row: DecisionRow) { check(row) }

    @Test(arguments: legacy)
    func `R28: by the legacy rules shouldAutorotate(to:) decides alone`(row: DecisionRow) { check(row) }

    func check(_ row: DecisionRow) {
        let decision = OrientationDecision.decide(row.circumstances)
        #expect(decision.orientation == row.result, "\(decision.explanation)")
        #expect(decision.basis == row.basis, "\(decision.explanation)")
        var isRefused = false
        if case .refused = row.basis { isRefused = true }
        #expect((decision.error != nil) == isRefused)
    }
}

private let following: [DecisionRow] = [
    .init(
        "R18: turned left, the interface goes right", .deviceTurned, .portrait, .landscapeLeft,
        to: .landscapeRight, .edge),
    .init(
        "R18: turned right, the interface goes left", .deviceTurned, .portrait, .landscapeRight,
        to: .landscapeLeft, .edge),
    .init(
        "R18: upside down is an edge like any", .deviceTurned, .portrait, .portraitUpsideDown,
        to: .portraitUpsideDown, .edge),
    .init("R18: back upright", .deviceTurned, .landscapeLeft, .portrait, to: .portrait, .edge),
    .init(
        "R18: the same edge changes nothing", .deviceTurned, .landscapeRight, .landscapeLeft,
        to: .landscapeRight, .edge),
    .init("R18: face up is no edge", .deviceTurned, .landscapeRight, .faceUp, to: .landscapeRight, .noEdge),
    .init("R18: face down is no edge", .deviceTurned, .portrait, .faceDown, to: .portrait, .noEdge),
    .init("R19: unknown keeps", .deviceTurned, .landscapeLeft, .unknown, to: .landscapeLeft, .noEdge),
    .init(
        "R19: flat keeps even what is not allowed any more", .deviceTurned, .portrait, .faceUp, to: .portrait,
        .noEdge
    ) {
        $0.controllerMask = .landscape
    },
    .init(
        "R18: a new edge outside the mask is not followed", .deviceTurned, .portrait, .landscapeLeft,
        to: .portrait, .current
    ) {
        $0.controllerMask = .portrait
    },
    .init(
        "R18: neither the new edge nor the current one allowed: R21", .deviceTurned, .portrait,
        .portraitUpsideDown, to: .landscapeRight, .order
    ) {
        $0.controllerMask = .landscape
    },
    .init(
        "R17: shouldAutorotate false is not followed", .deviceTurned, .portrait, .landscapeLeft,
        to: .portrait, .notAutorotating
    ) {
        $0.ruleSet = .autorotating
        $0.shouldAutorotate = false
    },
    .init(
        "R17: and the masks are not asked, so nothing is wrong with them", .deviceTurned, .portrait,
        .landscapeLeft, to: .portrait, .notAutorotating
    ) {
        $0.ruleSet = .autorotating
        $0.shouldAutorotate = false
        $0.controllerMask = []
    },
    .init(
        "R27: .modern does not ask shouldAutorotate", .deviceTurned, .portrait, .landscapeLeft,
        to: .landscapeRight, .edge
    ) {
        $0.shouldAutorotate = false
    },
    .init(
        "R17: .autorotating follows by default", .deviceTurned, .portrait, .landscapeRight,
        to: .landscapeLeft, .edge
    ) {
        $0.ruleSet = .autorotating
    },
    .init(
        "R26: an override is followed like a reading", .deviceTurned, .portrait, .landscapeLeft,
        to: .landscapeRight, .edge
    ) {
        $0.source = .override
    },
]

private let masks: [DecisionRow] = [
    .init(
        "R15: the device rules out what it cannot do", .deviceTurned, .portrait, .portraitUpsideDown,
        to: .portrait, .current
    ) {
        $0.deviceMask = .allButUpsideDown
    },
    .init("R15: the delegate rules out", .deviceTurned, .portrait, .landscapeLeft, to: .portrait, .current) {
        $0.windowMask = .portrait
    },
    .init(
        "R15: all, landscape and landscapeRight leave landscapeRight", .deviceTurned, .landscapeRight,
        .landscapeRight, to: .landscapeRight, .current
    ) {
        $0.windowMask = .landscape
        $0.controllerMask = .landscapeRight
    },
    .init(
        "R16: nothing in common is an error on a turn", .deviceTurned, .portrait, .landscapeLeft,
        to: .portrait, .refused(.nothingLeft)
    ) {
        $0.windowMask = .portrait
        $0.controllerMask = .landscape
    },
    .init(
        "R16: nothing in common is an error on a presentation", .presented, .portrait, .portrait,
        to: .portrait, .refused(.nothingLeft)
    ) {
        $0.windowMask = .portrait
        $0.controllerMask = .landscape
    },
    .init(
        "R16: an empty mask is an error", .rootSet, .portrait, .portrait, to: .portrait,
        .refused(.nothingLeft)
    ) {
        $0.controllerMask = []
    },
    .init(
        "R16: a device that can do only landscape and an app only for portrait", .rootSet, .portrait,
        .portrait, to: .portrait, .refused(.nothingLeft)
    ) {
        $0.deviceMask = .landscape
        $0.windowMask = .portrait
    },
]

private let locks: [DecisionRow] = [
    .init(
        "R20: the user's lock stops the turn", .deviceTurned, .portrait, .landscapeLeft, to: .portrait,
        .current
    ) {
        $0.userLock = .closed(at: .portrait)
    },
    .init(
        "R20: the app's own lock stops the turn", .deviceTurned, .portrait, .landscapeLeft, to: .portrait,
        .current
    ) {
        $0.isLockedByApp = true
    },
    .init(
        "R20: when the lock opens the edge is followed at once", .lockOpened, .portrait, .landscapeLeft,
        to: .landscapeRight, .edge),
    .init(
        "R20: opened while flat, the last edge is followed", .lockOpened, .portrait, .faceUp,
        to: .landscapeLeft, .edge
    ) {
        $0.lastEdge = .landscapeRight
    },
    .init(
        "R17: opened, but not autorotating", .lockOpened, .portrait, .landscapeLeft, to: .portrait,
        .notAutorotating
    ) {
        $0.ruleSet = .autorotating
        $0.shouldAutorotate = false
    },
    .init(
        "R20: dismissal acts under the lock, with the locked edge", .dismissed, .landscapeRight,
        .landscapeLeft, to: .portrait, .edge
    ) {
        $0.userLock = .closed(at: .portrait)
    },
    .init(
        "R20: presentation acts under the lock", .presented, .portrait, .portrait, to: .landscapeRight,
        .preferred
    ) {
        $0.userLock = .closed(at: .portrait)
        $0.preferred = .landscapeRight
    },
    .init(
        "R20: a lock never keeps an interface outside its mask", .deviceTurned, .portrait, .portrait,
        to: .landscapeRight, .order
    ) {
        $0.userLock = .closed(at: .portrait)
        $0.controllerMask = .landscape
    },
    .init(
        "R20: .autorotating does not ask for the app's own lock", .deviceTurned, .portrait, .landscapeLeft,
        to: .landscapeRight, .edge
    ) {
        $0.ruleSet = .autorotating
        $0.isLockedByApp = true
    },
]

private let shown: [DecisionRow] = [
    .init(
        "R21: a push keeps what is allowed, whatever the edge", .pushed, .portrait, .landscapeLeft,
        to: .portrait, .current),
    .init(
        "R21: a push of a landscape page goes to the side the device is held on", .pushed, .portrait,
        .landscapeRight, to: .landscapeLeft, .edge
    ) {
        $0.controllerMask = .landscape
    },
    .init(
        "R21: upright, a pushed landscape page takes the first in order", .pushed, .portrait, .portrait,
        to: .landscapeRight, .order
    ) {
        $0.controllerMask = .landscape
    },
    .init("R21: or the manifest's first", .pushed, .portrait, .portrait, to: .landscapeLeft, .manifest) {
        $0.controllerMask = .landscape
        $0.manifest = [.portrait, .landscapeLeft, .landscapeRight]
    },
    .init(
        "R21: or the one it was last shown in", .pushed, .portrait, .portrait, to: .landscapeLeft, .lastShown
    ) {
        $0.controllerMask = .landscape
        $0.lastShown = .landscapeLeft
    },
    .init(
        "R21: a pop brings a portrait page back upright", .popped, .landscapeRight, .landscapeLeft,
        to: .portrait, .order
    ) {
        $0.controllerMask = .portrait
    },
    .init(
        "R21: what is revealed follows the edge", .dismissed, .landscapeRight, .portrait, to: .portrait, .edge
    ),
    .init(
        "R21: flat on the table, revealed as it was last shown", .dismissed, .landscapeRight, .faceUp,
        to: .portrait, .lastShown
    ) {
        $0.lastShown = .portrait
    },
    .init(
        "R21: flat on the table, the last edge comes first", .dismissed, .landscapeRight, .faceUp,
        to: .landscapeLeft, .edge
    ) {
        $0.lastEdge = .landscapeRight
        $0.lastShown = .portrait
    },
    .init(
        "R21: with no edge and no memory the current one stays", .dismissed, .landscapeRight, .unknown,
        to: .landscapeRight, .current),
    .init(
        "R17: not autorotating, what is revealed stays if it may", .dismissed, .landscapeRight, .portrait,
        to: .landscapeRight, .current
    ) {
        $0.ruleSet = .autorotating
        $0.shouldAutorotate = false
    },
    .init(
        "R17: but it never stays outside its mask", .dismissed, .landscapeRight, .unknown, to: .portrait,
        .order
    ) {
        $0.ruleSet = .autorotating
        $0.shouldAutorotate = false
        $0.controllerMask = .portrait
    },
    .init("R21: a tab follows the edge", .tabSelected, .portrait, .landscapeLeft, to: .landscapeRight, .edge),
    .init(
        "R21: a new root follows the edge", .rootSet, .portrait, .landscapeLeft, to: .landscapeRight, .edge),
    .init(
        "R21: a window that comes to the front follows the edge", .windowMadeKey, .portrait, .landscapeRight,
        to: .landscapeLeft, .edge),
    .init(
        "R21: a child that is added does not", .childAdded, .portrait, .landscapeRight, to: .portrait,
        .current),
    .init(
        "R34: with a new edge in the same evaluation, what is presented follows it", .presented, .portrait,
        .landscapeRight, to: .landscapeLeft, .edge
    ) {
        $0.hasNewEdge = true
    },
]

private let presented: [DecisionRow] = [
    .init(
        "R24: a presentation turns to what is preferred", .presented, .portrait, .portrait,
        to: .landscapeLeft, .preferred
    ) {
        $0.preferred = .landscapeLeft
    },
    .init(
        "R24: preferred outside its own mask is an error", .presented, .portrait, .portrait, to: .portrait,
        .refused(.preferredNotSupported)
    ) {
        $0.controllerMask = .portrait
        $0.preferred = .landscapeLeft
    },
    .init(
        "R24: preferred but ruled out has no effect", .presented, .portrait, .portrait, to: .portrait,
        .current
    ) {
        $0.windowMask = .portrait
        $0.preferred = .landscapeRight
    },
    .init("R24: not for a push", .pushed, .portrait, .portrait, to: .portrait, .current) {
        $0.preferred = .landscapeRight
    },
    .init(
        "R24: shouldAutorotate is not consulted", .presented, .portrait, .portrait, to: .landscapeLeft,
        .preferred
    ) {
        $0.ruleSet = .autorotating
        $0.shouldAutorotate = false
        $0.preferred = .landscapeLeft
    },
    .init(
        "R25: presented and not autorotating, it stays when the device turns", .deviceTurned, .landscapeLeft,
        .portrait, to: .landscapeLeft, .notAutorotating
    ) {
        $0.ruleSet = .autorotating
        $0.shouldAutorotate = false
    },
    .init(
        "R21: without a preference a presentation keeps what is allowed", .presented, .landscapeLeft,
        .portrait, to: .landscapeLeft, .current),
]

private let minds: [DecisionRow] = [
    .init(
        "R22: a changed mind follows the edge, new or not", .changedMind, .portrait, .landscapeLeft,
        to: .landscapeRight, .edge),
    .init(
        "R22: narrowed, the interface leaves what is no longer allowed", .changedMind, .landscapeRight,
        .landscapeLeft, to: .portrait, .order
    ) {
        $0.controllerMask = .portrait
    },
    .init(
        "R22: under the user's lock only what must be", .changedMind, .portrait, .landscapeLeft,
        to: .portrait, .current
    ) {
        $0.userLock = .closed(at: .portrait)
    },
    .init(
        "R22: not autorotating, only what must be", .changedMind, .portrait, .landscapeLeft, to: .portrait,
        .current
    ) {
        $0.ruleSet = .autorotating
        $0.shouldAutorotate = false
    },
    .init(
        "R23: a request holds against a changed mind", .changedMind, .landscapeLeft, .portrait,
        to: .landscapeLeft, .heldRequest
    ) {
        $0.heldRequest = .landscapeLeft
    },
    .init(
        "R23: and ends with the next new edge", .deviceTurned, .landscapeLeft, .portrait, to: .portrait, .edge
    ) {
        $0.heldRequest = .landscapeLeft
    },
]

private let requests: [DecisionRow] = [
    .init(
        "R23: a request turns to what is asked", .requested(.landscapeRight), .portrait, .portrait,
        to: .landscapeRight, .request),
    .init(
        "R23: the edge if it is among them", .requested(.landscape), .portrait, .landscapeRight,
        to: .landscapeLeft, .request),
    .init(
        "R23: the current one if the edge is not", .requested(.landscape), .landscapeLeft, .portrait,
        to: .landscapeLeft, .request),
    .init(
        "R23: the user's lock does not stop it", .requested(.landscape), .portrait, .portrait,
        to: .landscapeRight, .request
    ) {
        $0.userLock = .closed(at: .portrait)
    },
    .init(
        "R23: the app's own lock does", .requested(.landscape), .portrait, .portrait, to: .portrait,
        .refused(.locked)
    ) {
        $0.isLockedByApp = true
    },
    .init(
        "R23: nothing of it is supported", .requested(.landscape), .portrait, .portrait, to: .portrait,
        .refused(.noneSupported)
    ) {
        $0.controllerMask = .portrait
    },
    .init(
        "R23: an empty request", .requested([]), .portrait, .portrait, to: .portrait, .refused(.emptyRequest)),
    .init(
        "R23: a window that does not cover the screen", .requested(.all), .portrait, .portrait, to: .portrait,
        .refused(.notCoveringScreen)
    ) {
        $0.coversScreen = false
    },
    .init(
        "R27: .autorotating has no requests", .requested(.all), .portrait, .landscapeLeft, to: .portrait,
        .refused(.unavailable)
    ) {
        $0.ruleSet = .autorotating
    },
]

private let legacy: [DecisionRow] = [
    .init(
        "R28: the delegate's mask is not asked", .deviceTurned, .portrait, .landscapeLeft,
        to: .landscapeRight, .edge
    ) {
        $0.ruleSet = .legacy
        $0.windowMask = .portrait
    },
    .init(
        "R28: what it refuses is not followed", .deviceTurned, .portrait, .landscapeLeft, to: .portrait,
        .current
    ) {
        $0.ruleSet = .legacy
        $0.controllerMask = .portrait
    },
    .init(
        "R28: nothing allowed stays, and is no error", .rootSet, .portrait, .landscapeLeft, to: .portrait,
        .nothingAllowed
    ) {
        $0.ruleSet = .legacy
        $0.controllerMask = []
    },
    .init(
        "R28: the device still rules out", .deviceTurned, .portrait, .portraitUpsideDown, to: .portrait,
        .current
    ) {
        $0.ruleSet = .legacy
        $0.deviceMask = .allButUpsideDown
    },
    .init("R27: preferred is not asked", .presented, .portrait, .portrait, to: .portrait, .current) {
        $0.ruleSet = .legacy
        $0.preferred = .landscapeLeft
    },
    .init(
        "R14: a push asks again in legacy too", .pushed, .portrait, .landscapeLeft, to: .landscapeRight, .edge
    ) {
        $0.ruleSet = .legacy
        $0.controllerMask = .landscape
    },
    .init(
        "R27: the user's lock is the same in all three", .deviceTurned, .portrait, .landscapeLeft,
        to: .portrait, .current
    ) {
        $0.ruleSet = .legacy
        $0.userLock = .closed(at: .portrait)
    },
]
