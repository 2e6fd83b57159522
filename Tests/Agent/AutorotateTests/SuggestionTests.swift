// SPDX-License-Identifier: Apache-2.0

import Displays
import OrientationModel
import Testing

@testable import Autorotate

/// When `--suggest` suggests a rotation, as a value.
@Suite struct SuggestionTests {
    private var bench: PolicyBench
    private let timer = AutorotatePolicy.Effect.startTimer(.suggestion, after: OrientationState.suggestionDelay)

    init() {
        bench = .started(Settings(suggests: true))
        bench.turnAndAccept(.landscapeLeft)
        bench.turn(.landscapeLeft, lock: .landscapeLeft)
    }

    private mutating func show() {
        bench.turn(.portrait, lock: .landscapeLeft)
        bench.handle(.timer(.suggestion))
        #expect(bench.effects == [.showSuggestion])
    }

    @Test
    mutating func `a device that is held otherwise for a while is suggested, and withdrawn when it is turned back`() {
        #expect(!bench.effects.contains(.follow(.lock)), "the sensor stays on")
        bench.turn(.portrait, lock: .landscapeLeft)
        #expect(bench.effects == [timer])
        bench.turn(.landscapeLeft, lock: .landscapeLeft)
        #expect(bench.effects == [.stopTimer(.suggestion)])
        show()
        bench.turn(.faceUp, lock: .landscapeLeft)
        #expect(bench.effects == [.stopTimer(.suggestion), .withdrawSuggestion])
    }

    @Test mutating func `the next edge shows it again, and is the one that is locked`() {
        show()
        bench.turn(.portraitUpsideDown, lock: .landscapeLeft)
        #expect(bench.effects == [timer])
        bench.handle(.suggestionAnswered(isAccepted: true))
        #expect(
            bench.effects == [.stopTimer(.suggestion), .withdrawSuggestion, .lock(.portraitUpsideDown)])
        bench.turn(.portraitUpsideDown, lock: .portraitUpsideDown)
        #expect(bench.requested == .rotated270)
        bench.accept()
        bench.handle(.suggestionAnswered(isAccepted: true))
        #expect(bench.effects.isEmpty, "a second tap")
    }

    @Test mutating func `each failure to lock is reported, of the notification the first`() {
        for _ in 1...2 {
            bench.handle(.lockFailed("refused"))
            #expect(bench.reports.map(\.text) == ["cannot lock the rotation: refused"])
        }
        bench.handle(.suggestionFailed("no server"))
        #expect(bench.reports.map(\.text) == ["cannot suggest a rotation: no server"])
        bench.handle(.suggestionFailed("timeout"))
        #expect(bench.reports.isEmpty)
    }

    @Test mutating func `a dismissed one returns with the next edge only`() {
        show()
        bench.handle(.suggestionAnswered(isAccepted: false))
        bench.turn(.portrait, lock: .landscapeLeft)
        #expect(bench.effects.isEmpty)
        bench.turn(.portraitUpsideDown, lock: .landscapeLeft)
        #expect(bench.effects == [timer])
    }

    @Test mutating func `the end of the lock, a dark output, a lost daemon, laptop mode and the end withdraw it`() {
        for event in [
            AutorotatePolicy.Event.display(.darkOutputs(["eDP-1"])), .daemonLost(reason: "gone"), .end,
        ] {
            var bench = self
            bench.show()
            bench.bench.handle(event)
            #expect(bench.bench.effects.contains(.withdrawSuggestion), "\(event)")
        }
        var laptop = self
        laptop.show()
        laptop.bench.turn(.portrait, lock: .landscapeLeft, tabletMode: false)
        #expect(laptop.bench.effects.contains(.withdrawSuggestion))
        show()
        bench.turn(.portrait)
        #expect(bench.effects.contains(.withdrawSuggestion))
    }

    @Test mutating func `nothing is suggested without the option, in laptop mode, or past an app`() {
        bench.turn(.portrait, lock: .landscapeLeft, tabletMode: false)
        #expect(!bench.effects.contains(timer))
        var without = PolicyBench.started()
        without.turn(.landscapeLeft, lock: .landscapeLeft)
        without.turn(.portrait, lock: .landscapeLeft)
        #expect(!without.effects.contains(timer))
        var app = PolicyBench.withApps(Settings(suggests: true), held: .landscapeLeft)
        app.show("film")
        app.turn(.landscapeLeft, lock: .landscapeLeft)
        app.turn(.portrait, lock: .landscapeLeft)
        #expect(!app.effects.contains(timer))
    }
}
