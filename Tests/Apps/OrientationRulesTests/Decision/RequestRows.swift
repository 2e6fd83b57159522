// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationRules

extension DecisionRow {
    static let minds: [DecisionRow] = [
        .init(
            "R22: an update follows the edge, new or not", .answersChanged, .portrait, .landscapeLeft,
            to: .landscapeRight, .edge),
        .init(
            "R22: narrowed, the interface leaves what is no longer allowed", .answersChanged, .landscapeRight,
            .landscapeLeft, to: .portrait, .order, mask: .portrait),
        .init(
            "R22: under the user's lock only what must be", .answersChanged, .portrait, .landscapeLeft, to: .portrait,
            .current, userLock: .on(at: .portrait)),
        .init(
            "R22: not autorotating, only what must be", .answersChanged, .portrait, .landscapeLeft, to: .portrait,
            .current, ruleSet: .autorotating, autorotates: false),
        .init(
            "R22: a new preference counts as in a presentation", .answersChanged, .portrait, .portrait,
            to: .landscapeLeft, .preferred, preferred: .landscapeLeft, hasNewPreference: true),
        .init(
            "R22: a new preference under the app's own lock is not taken", .answersChanged, .portrait, .portrait,
            to: .portrait, .current, preferred: .landscapeLeft, hasNewPreference: true, isLockedByApp: true),
        .init(
            "R22: a new preference outside the controller's mask is an error", .answersChanged, .portrait, .portrait,
            to: .portrait, .refused(.preferredNotSupported), mask: .portrait, preferred: .landscapeLeft,
            hasNewPreference: true),
        .init(
            "R23: a request comes before a new preference", .requested(.landscapeRight), .portrait, .portrait,
            to: .landscapeRight, .request, preferred: .landscapeLeft, hasNewPreference: true),
        .init(
            "R23: a request holds against an update", .answersChanged, .landscapeLeft, .portrait, to: .landscapeLeft,
            .heldRequest, heldRequest: .landscapeLeft),
        .init(
            "R23: and ends with the next new edge", .deviceTurned, .landscapeLeft, .portrait, to: .portrait, .edge,
            heldRequest: .landscapeLeft),
    ]

    static let requests: [DecisionRow] = [
        .init(
            "R23: a request turns to what it names", .requested(.landscapeRight), .portrait, .portrait,
            to: .landscapeRight, .request),
        .init(
            "R23: the edge if it is among them", .requested(.landscape), .portrait, .landscapeRight, to: .landscapeLeft,
            .request),
        .init(
            "R23: the current one if the edge is not", .requested(.landscape), .landscapeLeft, .portrait,
            to: .landscapeLeft, .request),
        .init(
            "R23: the user's lock does not stop it", .requested(.landscape), .portrait, .portrait, to: .landscapeRight,
            .request, userLock: .on(at: .portrait)),
        .init(
            "R23: the app's own lock does", .requested(.landscape), .portrait, .portrait, to: .portrait,
            .refused(.locked), isLockedByApp: true),
        .init(
            "R23: nothing of it is supported", .requested(.landscape), .portrait, .portrait, to: .portrait,
            .refused(.noneSupported), mask: .portrait),
        .init("R23: an empty request", .requested([]), .portrait, .portrait, to: .portrait, .refused(.emptyRequest)),
        .init(
            "R23: a window that does not cover the screen", .requested(.all), .portrait, .portrait, to: .portrait,
            .refused(.notCoveringScreen), coversScreen: false),
        .init(
            "R27: .autorotating has no requests", .requested(.all), .portrait, .landscapeLeft, to: .portrait,
            .refused(.unavailable), ruleSet: .autorotating),
    ]

    static let legacy: [DecisionRow] = [
        .init(
            "R28: the delegate's mask is not asked", .deviceTurned, .portrait, .landscapeLeft, to: .landscapeRight,
            .edge, ruleSet: .legacy, windowMask: .portrait),
        .init(
            "R28: what it refuses is not followed", .deviceTurned, .portrait, .landscapeLeft, to: .portrait, .current,
            ruleSet: .legacy, mask: .portrait),
        .init(
            "R28: nothing allowed stays, and is no error", .rootSet, .portrait, .landscapeLeft, to: .portrait,
            .nothingAllowed, ruleSet: .legacy, mask: []),
        .init(
            "R28: the device still rules out", .deviceTurned, .portrait, .portraitUpsideDown, to: .portrait, .current,
            ruleSet: .legacy, deviceMask: .allButUpsideDown),
        .init(
            "R28: the manifest counts for the launch alone", .deviceTurned, .portrait, .portrait, to: .landscapeRight,
            .order, ruleSet: .legacy, mask: .landscape, manifest: [.landscapeLeft]),
        .init(
            "R27: preferred is not queried", .presented, .portrait, .portrait, to: .portrait, .current,
            ruleSet: .legacy, preferred: .landscapeLeft),
        .init(
            "R14: a push queries again in legacy too", .pushed, .portrait, .landscapeLeft, to: .landscapeRight, .edge,
            ruleSet: .legacy, mask: .landscape),
        .init(
            "R27: the user's lock is the same in all three", .deviceTurned, .portrait, .landscapeLeft, to: .portrait,
            .current, ruleSet: .legacy, userLock: .on(at: .portrait)),
    ]
}
