// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel

extension DecisionRow {
    static let following: [DecisionRow] = [
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
            "R17: and the masks are not queried, so nothing is wrong with them", .deviceTurned, .portrait,
            .landscapeLeft, to: .portrait, .notAutorotating
        ) {
            $0.ruleSet = .autorotating
            $0.shouldAutorotate = false
            $0.controllerMask = []
        },
        .init(
            "R27: .modern does not query shouldAutorotate", .deviceTurned, .portrait, .landscapeLeft,
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

    static let masks: [DecisionRow] = [
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

    static let locks: [DecisionRow] = [
        .init(
            "R20: the user's lock stops the turn", .deviceTurned, .portrait, .landscapeLeft, to: .portrait,
            .current
        ) {
            $0.userLock = .on(at: .portrait)
        },
        .init(
            "R20: the app's own lock stops the turn", .deviceTurned, .portrait, .landscapeLeft, to: .portrait,
            .current
        ) {
            $0.isLockedByApp = true
        },
        .init(
            "R20: when the lock is turned off the edge is followed at once", .lockTurnedOff, .portrait, .landscapeLeft,
            to: .landscapeRight, .edge),
        .init(
            "R20: turned off while flat, the last edge is followed", .lockTurnedOff, .portrait, .faceUp,
            to: .landscapeLeft, .edge
        ) {
            $0.lastEdge = .landscapeRight
        },
        .init(
            "R17: turned off, but not autorotating", .lockTurnedOff, .portrait, .landscapeLeft, to: .portrait,
            .notAutorotating
        ) {
            $0.ruleSet = .autorotating
            $0.shouldAutorotate = false
        },
        .init(
            "R20: dismissal acts under the lock, with the locked edge", .dismissed, .landscapeRight,
            .landscapeLeft, to: .portrait, .edge
        ) {
            $0.userLock = .on(at: .portrait)
        },
        .init(
            "R20: what has a lock of its own returns as it was shown last", .windowMadeKey, .portrait, .landscapeLeft,
            to: .landscapeLeft, .lastShown
        ) {
            $0.isLockedByApp = true
            $0.lastShown = .landscapeLeft
        },
        .init(
            "R20: under both locks the user's edge comes first", .windowMadeKey, .landscapeRight, .landscapeLeft,
            to: .portrait, .edge
        ) {
            $0.isLockedByApp = true
            $0.lastShown = .landscapeLeft
            $0.userLock = .on(at: .portrait)
        },
        .init(
            "R20: presentation acts under the lock", .presented, .portrait, .portrait, to: .landscapeRight,
            .preferred
        ) {
            $0.userLock = .on(at: .portrait)
            $0.preferred = .landscapeRight
        },
        .init(
            "R20: a lock never keeps an interface outside its mask", .deviceTurned, .portrait, .portrait,
            to: .landscapeRight, .order
        ) {
            $0.userLock = .on(at: .portrait)
            $0.controllerMask = .landscape
        },
        .init(
            "R20: .autorotating does not query the app's own lock", .deviceTurned, .portrait, .landscapeLeft,
            to: .landscapeRight, .edge
        ) {
            $0.ruleSet = .autorotating
            $0.isLockedByApp = true
        },
    ]
}
