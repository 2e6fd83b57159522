// SPDX-License-Identifier: Apache-2.0

import InterfaceRotation
import OrientationModel

extension DecisionRow {
    static let shown: [DecisionRow] = [
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
            "R21: not autorotating, what is revealed goes back to how it was last shown", .dismissed, .landscapeRight,
            .portrait, to: .portrait, .lastShown
        ) {
            $0.ruleSet = .autorotating
            $0.shouldAutorotate = false
            $0.lastShown = .portrait
        },
        .init(
            "R21: not autorotating, the edge does not count", .popped, .landscapeRight, .portraitUpsideDown,
            to: .portrait, .lastShown
        ) {
            $0.ruleSet = .autorotating
            $0.shouldAutorotate = false
            $0.lastShown = .portrait
        },
        .init(
            "R21: not autorotating, what it was last shown in is no longer allowed", .dismissed, .landscapeRight,
            .portrait, to: .landscapeRight, .current
        ) {
            $0.ruleSet = .autorotating
            $0.shouldAutorotate = false
            $0.controllerMask = .landscape
            $0.lastShown = .portrait
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

    static let presented: [DecisionRow] = [
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
}
