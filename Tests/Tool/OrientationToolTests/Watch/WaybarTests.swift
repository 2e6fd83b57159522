// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import Testing

@testable import OrientationTool

/// The lines of `watch --waybar`.
@Suite struct WaybarTests {
    private func line(_ state: OrientationState, suggests: Bool = false) -> String? {
        var device = WatchedDevice(settings: .standard)
        device.update(state)
        return WaybarLines.line(device, suggests: suggests)
    }

    private func state(
        _ orientation: DeviceOrientation, last: Edge? = nil, natural: Edge = .portrait, lockedTo: Edge? = nil,
        tabletMode: Bool? = nil, reason: String? = nil
    ) -> OrientationState {
        OrientationState(
            orientation: orientation, lastEdge: last ?? Edge(orientation), natural: natural, isLocked: lockedTo != nil,
            lockedTo: lockedTo, tabletMode: tabletMode, sequence: 1, instance: "one", reason: reason)
    }

    @Test func `a state is a line with text, alt, tooltip and class`() {
        #expect(
            line(state(.portrait))
                == #"{"text":"↑","alt":"portrait","tooltip":"top edge up: display needs no rotation.","class":[]}"#
        )
        #expect(
            line(state(.landscapeLeft, lockedTo: .portraitUpsideDown, tabletMode: true))
                == #"{"text":"↓","alt":"portraitUpsideDown","tooltip":"bottom edge up: display "#
                + #"locked at 180°; tablet mode.","class":["locked","tablet"]}"#)
        #expect(
            line(state(.unknown, last: .portrait, reason: "starting"))
                == #"{"text":"↑","alt":"unknown","tooltip":"unknown: starting.","class":["unknown"]}"#
        )
    }

    @Test func `a suggestion stands while the device is held at another edge than the locked one`() {
        let suggestion =
            #"{"text":"⟳","alt":"landscapeLeft","tooltip":"The rotation is locked. Click to rotate the display to "#
            + #"270° counter-clockwise.","class":["suggestion"]}"#
        #expect(line(state(.landscapeLeft, lockedTo: .portrait), suggests: true) == suggestion)
        let none = #"{"text":"","alt":"none","tooltip":"","class":[]}"#
        for state in [
            state(.portrait, lockedTo: .portrait), state(.landscapeLeft), state(.faceUp, lockedTo: .portrait),
            state(.landscapeLeft, lockedTo: .portrait, tabletMode: false),
        ] { #expect(line(state, suggests: true) == none) }
    }

    @Test(arguments: [
        (Edge.portrait, Edge.portrait, "↑"), (.landscapeLeft, .portrait, "←"), (.portraitUpsideDown, .portrait, "↓"),
        (.landscapeRight, .portrait, "→"), (.landscapeLeft, .landscapeLeft, "↑"),
    ])
    func `the arrow points to the top of the device`(edge: Edge, natural: Edge, text: String) {
        #expect(line(state(.faceUp, last: edge, natural: natural))?.hasPrefix(#"{"text":"\#(text)","#) == true)
    }

    @Test func `before the first edge the text is a question mark`() {
        #expect(line(state(.faceUp))?.hasPrefix(#"{"text":"?","alt":"faceUp","#) == true)
        #expect(WaybarLines.line(WatchedDevice(settings: .standard)) == nil)
    }

    @Test func `a daemon that is away or does not reply is a line with a class`() {
        var device = WatchedDevice(settings: .standard)
        device.update(state(.portrait))
        device.lose("timed out: no state within 5 s")
        #expect(
            WaybarLines.line(device)
                == #"{"text":"?","alt":"disconnected","tooltip":"Not connected to orientationd: timed out: no state "#
                + #"within 5 s.","class":["disconnected"]}"#)
    }

    @Test func `markup and control characters of a reason are not passed on`() {
        let text = line(state(.unknown, reason: "<b>&\u{1B}[2J"))
        #expect(text?.contains("unknown: &lt;b&gt;&amp;·[2J") == true)
    }
}
