// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationRules

extension DecisionRow {
    static let shown: [DecisionRow] = [
        .init(
            "R21: a push keeps what is allowed, whatever the edge", .pushed, .portrait, .landscapeLeft, to: .portrait,
            .current),
        .init(
            "R21: a push of a landscape page goes to the side the device is held on", .pushed, .portrait,
            .landscapeRight, to: .landscapeLeft, .edge, mask: .landscape),
        .init(
            "R21: upright, a pushed landscape page takes the first in order", .pushed, .portrait, .portrait,
            to: .landscapeRight, .order, mask: .landscape),
        .init(
            "R21: or the manifest's first", .pushed, .portrait, .portrait, to: .landscapeLeft, .manifest,
            mask: .landscape, manifest: [.portrait, .landscapeLeft, .landscapeRight]),
        .init(
            "R21: or the one it was last shown in", .pushed, .portrait, .portrait, to: .landscapeLeft, .lastShown,
            mask: .landscape, lastShown: .landscapeLeft),
        .init(
            "R21: a pop brings a portrait page back upright", .popped, .landscapeRight, .landscapeLeft, to: .portrait,
            .order, mask: .portrait),
        .init("R21: what is revealed follows the edge", .dismissed, .landscapeRight, .portrait, to: .portrait, .edge),
        .init(
            "R21: flat on the table, revealed as it was last shown", .dismissed, .landscapeRight, .faceUp,
            to: .portrait, .lastShown, lastShown: .portrait),
        .init(
            "R21: flat on the table, the last edge comes first", .dismissed, .landscapeRight, .faceUp,
            to: .landscapeLeft, .edge, lastShown: .portrait, lastEdge: .landscapeRight),
        .init(
            "R21: with no edge and no memory the current one stays", .dismissed, .landscapeRight, .unknown,
            to: .landscapeRight, .current),
        .init(
            "R17: not autorotating, what is revealed stays if it may", .dismissed, .landscapeRight, .portrait,
            to: .landscapeRight, .current, ruleSet: .autorotating, autorotates: false),
        .init(
            "R21: not autorotating, what is revealed goes back to how it was last shown", .dismissed, .landscapeRight,
            .portrait, to: .portrait, .lastShown, ruleSet: .autorotating, autorotates: false, lastShown: .portrait),
        .init(
            "R21: not autorotating, the edge does not count", .popped, .landscapeRight, .portraitUpsideDown,
            to: .portrait, .lastShown, ruleSet: .autorotating, autorotates: false, lastShown: .portrait),
        .init(
            "R21: not autorotating, what it was last shown in is no longer allowed", .dismissed, .landscapeRight,
            .portrait, to: .landscapeRight, .current, ruleSet: .autorotating, autorotates: false, mask: .landscape,
            lastShown: .portrait),
        .init(
            "R17: but it never stays outside its mask", .dismissed, .landscapeRight, .unknown, to: .portrait, .order,
            ruleSet: .autorotating, autorotates: false, mask: .portrait),
        .init("R21: a tab follows the edge", .tabSelected, .portrait, .landscapeLeft, to: .landscapeRight, .edge),
        .init("R21: a new root follows the edge", .rootSet, .portrait, .landscapeLeft, to: .landscapeRight, .edge),
        .init(
            "R21: a window that comes to the front follows the edge", .windowMadeKey, .portrait, .landscapeRight,
            to: .landscapeLeft, .edge),
        .init("R21: a child that is added does not", .childAdded, .portrait, .landscapeRight, to: .portrait, .current),
        .init(
            "R34: with a new edge in the same evaluation, what is presented follows it", .presented, .portrait,
            .landscapeRight, to: .landscapeLeft, .edge, hasNewEdge: true),
    ]

    static let presented: [DecisionRow] = [
        .init(
            "R24: a presentation turns to what is preferred", .presented, .portrait, .portrait, to: .landscapeLeft,
            .preferred, preferred: .landscapeLeft),
        .init(
            "R24: preferred outside its own mask is an error", .presented, .portrait, .portrait, to: .portrait,
            .refused(.preferredNotSupported), mask: .portrait, preferred: .landscapeLeft),
        .init(
            "R24: preferred but ruled out has no effect", .presented, .portrait, .portrait, to: .portrait, .current,
            windowMask: .portrait, preferred: .landscapeRight),
        .init(
            "R24: not for a push", .pushed, .portrait, .portrait, to: .portrait, .current, preferred: .landscapeRight),
        .init(
            "R24: shouldAutorotate is not consulted", .presented, .portrait, .portrait, to: .landscapeLeft, .preferred,
            ruleSet: .autorotating, autorotates: false, preferred: .landscapeLeft),
        .init(
            "R21: without a preference a presentation keeps what is allowed", .presented, .landscapeLeft, .portrait,
            to: .landscapeLeft, .current),
    ]
}
