// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel

extension DecisionRow {
    static let minds: [DecisionRow] = [
        .init(
            "R22: an update follows the edge, new or not", .answersChanged, .portrait, .landscapeLeft,
            to: .landscapeRight, .edge),
        .init(
            "R22: narrowed, the interface leaves what is no longer allowed", .answersChanged, .landscapeRight,
            .landscapeLeft, to: .portrait, .order
        ) {
            $0.controllerMask = .portrait
        },
        .init(
            "R22: under the user's lock only what must be", .answersChanged, .portrait, .landscapeLeft,
            to: .portrait, .current
        ) {
            $0.userLock = .on(at: .portrait)
        },
        .init(
            "R22: not autorotating, only what must be", .answersChanged, .portrait, .landscapeLeft, to: .portrait,
            .current
        ) {
            $0.ruleSet = .autorotating
            $0.shouldAutorotate = false
        },
        .init(
            "R22: a new preference counts as in a presentation", .answersChanged, .portrait, .portrait,
            to: .landscapeLeft, .preferred
        ) {
            $0.preferred = .landscapeLeft
            $0.hasNewPreference = true
        },
        .init(
            "R22: a new preference under the app's own lock is not taken", .answersChanged, .portrait, .portrait,
            to: .portrait, .current
        ) {
            $0.preferred = .landscapeLeft
            $0.hasNewPreference = true
            $0.isLockedByApp = true
        },
        .init(
            "R22: a new preference outside the controller's mask is an error", .answersChanged, .portrait, .portrait,
            to: .portrait, .refused(.preferredNotSupported)
        ) {
            $0.preferred = .landscapeLeft
            $0.hasNewPreference = true
            $0.controllerMask = .portrait
        },
        .init(
            "R23: a request comes before a new preference", .requested(.landscapeRight), .portrait, .portrait,
            to: .landscapeRight, .request
        ) {
            $0.preferred = .landscapeLeft
            $0.hasNewPreference = true
        },
        .init(
            "R23: a request holds against an update", .answersChanged, .landscapeLeft, .portrait,
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

    static let requests: [DecisionRow] = [
        .init(
            "R23: a request turns to what it names", .requested(.landscapeRight), .portrait, .portrait,
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
            $0.userLock = .on(at: .portrait)
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

    static let legacy: [DecisionRow] = [
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
        .init(
            "R28: the manifest counts for the launch alone", .deviceTurned, .portrait, .portrait,
            to: .landscapeRight, .order
        ) {
            $0.ruleSet = .legacy
            $0.controllerMask = .landscape
            $0.manifest = [.landscapeLeft]
        },
        .init("R27: preferred is not queried", .presented, .portrait, .portrait, to: .portrait, .current) {
            $0.ruleSet = .legacy
            $0.preferred = .landscapeLeft
        },
        .init(
            "R14: a push queries again in legacy too", .pushed, .portrait, .landscapeLeft, to: .landscapeRight, .edge
        ) {
            $0.ruleSet = .legacy
            $0.controllerMask = .landscape
        },
        .init(
            "R27: the user's lock is the same in all three", .deviceTurned, .portrait, .landscapeLeft,
            to: .portrait, .current
        ) {
            $0.ruleSet = .legacy
            $0.userLock = .on(at: .portrait)
        },
    ]
}
