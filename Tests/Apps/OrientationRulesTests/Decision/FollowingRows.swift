// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationRules

extension DecisionRow {
    static let following: [DecisionRow] = [
        .init(
            "R18: turned left, the interface goes right", .deviceTurned, .portrait, .landscapeLeft, to: .landscapeRight,
            .edge),
        .init(
            "R18: turned right, the interface goes left", .deviceTurned, .portrait, .landscapeRight, to: .landscapeLeft,
            .edge),
        .init(
            "R18: upside down is an edge like any", .deviceTurned, .portrait, .portraitUpsideDown,
            to: .portraitUpsideDown, .edge),
        .init("R18: back upright", .deviceTurned, .landscapeLeft, .portrait, to: .portrait, .edge),
        .init(
            "R18: the same edge changes nothing", .deviceTurned, .landscapeRight, .landscapeLeft, to: .landscapeRight,
            .edge),
        .init("R18: face up is no edge", .deviceTurned, .landscapeRight, .faceUp, to: .landscapeRight, .noEdge),
        .init("R18: face down is no edge", .deviceTurned, .portrait, .faceDown, to: .portrait, .noEdge),
        .init("R19: unknown keeps", .deviceTurned, .landscapeLeft, .unknown, to: .landscapeLeft, .noEdge),
        .init(
            "R19: flat keeps even what is not allowed any more", .deviceTurned, .portrait, .faceUp, to: .portrait,
            .noEdge, mask: .landscape),
        .init(
            "R18: a new edge outside the mask is not followed", .deviceTurned, .portrait, .landscapeLeft, to: .portrait,
            .current, mask: .portrait),
        .init(
            "R18: neither the new edge nor the current one allowed: R21", .deviceTurned, .portrait, .portraitUpsideDown,
            to: .landscapeRight, .order, mask: .landscape),
        .init(
            "R17: shouldAutorotate false is not followed", .deviceTurned, .portrait, .landscapeLeft, to: .portrait,
            .notAutorotating, ruleSet: .autorotating, autorotates: false),
        .init(
            "R17: and the masks are not queried, so nothing is wrong with them", .deviceTurned, .portrait,
            .landscapeLeft, to: .portrait, .notAutorotating, ruleSet: .autorotating, autorotates: false, mask: []),
        .init(
            "R27: .modern does not query shouldAutorotate", .deviceTurned, .portrait, .landscapeLeft,
            to: .landscapeRight, .edge, autorotates: false),
        .init(
            "R17: .autorotating follows by default", .deviceTurned, .portrait, .landscapeRight, to: .landscapeLeft,
            .edge, ruleSet: .autorotating),
        .init(
            "R26: an override is followed like a reading", .deviceTurned, .portrait, .landscapeLeft,
            to: .landscapeRight, .edge, source: .override),
    ]

    static let masks: [DecisionRow] = [
        .init(
            "R15: the device rules out what it cannot do", .deviceTurned, .portrait, .portraitUpsideDown, to: .portrait,
            .current, deviceMask: .allButUpsideDown),
        .init(
            "R15: the delegate rules out", .deviceTurned, .portrait, .landscapeLeft, to: .portrait, .current,
            windowMask: .portrait),
        .init(
            "R15: all, landscape and landscapeRight leave landscapeRight", .deviceTurned, .landscapeRight,
            .landscapeRight, to: .landscapeRight, .current, windowMask: .landscape, mask: .landscapeRight),
        .init(
            "R16: nothing in common is an error on a turn", .deviceTurned, .portrait, .landscapeLeft, to: .portrait,
            .refused(.nothingLeft), windowMask: .portrait, mask: .landscape),
        .init(
            "R16: nothing in common is an error on a presentation", .presented, .portrait, .portrait, to: .portrait,
            .refused(.nothingLeft), windowMask: .portrait, mask: .landscape),
        .init(
            "R16: an empty mask is an error", .rootSet, .portrait, .portrait, to: .portrait, .refused(.nothingLeft),
            mask: []),
        .init(
            "R16: a device that can do only landscape and an app only for portrait", .rootSet, .portrait, .portrait,
            to: .portrait, .refused(.nothingLeft), deviceMask: .landscape, windowMask: .portrait),
    ]

    static let locks: [DecisionRow] = [
        .init(
            "R20: the user's lock stops the turn", .deviceTurned, .portrait, .landscapeLeft, to: .portrait, .current,
            userLock: .on(at: .portrait)),
        .init(
            "R20: the app's own lock stops the turn", .deviceTurned, .portrait, .landscapeLeft, to: .portrait, .current,
            isLockedByApp: true),
        .init(
            "R20: when the lock is turned off the edge is followed at once", .lockTurnedOff, .portrait, .landscapeLeft,
            to: .landscapeRight, .edge),
        .init(
            "R20: turned off while flat, the last edge is followed", .lockTurnedOff, .portrait, .faceUp,
            to: .landscapeLeft, .edge, lastEdge: .landscapeRight),
        .init(
            "R17: turned off, but not autorotating", .lockTurnedOff, .portrait, .landscapeLeft, to: .portrait,
            .notAutorotating, ruleSet: .autorotating, autorotates: false),
        .init(
            "R20: dismissal acts under the lock, with the locked edge", .dismissed, .landscapeRight, .landscapeLeft,
            to: .portrait, .edge, userLock: .on(at: .portrait)),
        .init(
            "R20: what has a lock of its own returns as it was shown last", .windowMadeKey, .portrait, .landscapeLeft,
            to: .landscapeLeft, .lastShown, lastShown: .landscapeLeft, isLockedByApp: true),
        .init(
            "R20: under both locks the user's edge comes first", .windowMadeKey, .landscapeRight, .landscapeLeft,
            to: .portrait, .edge, lastShown: .landscapeLeft, userLock: .on(at: .portrait), isLockedByApp: true),
        .init(
            "R20: presentation acts under the lock", .presented, .portrait, .portrait, to: .landscapeRight, .preferred,
            preferred: .landscapeRight, userLock: .on(at: .portrait)),
        .init(
            "R20: a lock never keeps an interface outside its mask", .deviceTurned, .portrait, .portrait,
            to: .landscapeRight, .order, mask: .landscape, userLock: .on(at: .portrait)),
        .init(
            "R20: .autorotating does not query the app's own lock", .deviceTurned, .portrait, .landscapeLeft,
            to: .landscapeRight, .edge, ruleSet: .autorotating, isLockedByApp: true),
    ]
}
