// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationRules
import Testing

@testable import Autorotate
@testable import Displays

@Suite struct AutorotateDisplayTests {
    @Test func `the outputs of --output turn as one body, and back`() {
        var settings = Settings()
        settings.output = "eDP-1,eDP-2"
        var second = PolicyBench.panel
        (second.name, second.position) = ("eDP-2", LayoutPoint(x: 0, y: 1080))
        let outputs = [PolicyBench.panel, second]
        var bench = PolicyBench.started(settings, outputs: outputs)
        bench.turnAndAccept(.portrait)
        #expect(bench.outputs.map(\.transform) == [.rotated90, .rotated90])
        #expect(bench.outputs.map(\.position.x) == [1080, 0])
        bench.turnAndAccept(.landscapeLeft)
        #expect(bench.outputs == outputs)
        bench.turnAndAccept(.portrait)
        bench.handle(.end)
        #expect(bench.applied == outputs)
    }

    private var bench = PolicyBench.started()

    // MARK: Other programs

    @Test mutating func `a rotation by hand stays until the next turn of the device`() {
        bench.turnAndAccept(.portrait)
        bench.setByHand(.rotated180)
        #expect(bench.applied == nil)
        #expect(bench.reports == [.rotatedByHand("eDP-1", .rotated180)])
        bench.turn(.portrait)
        bench.turn(.faceUp)
        #expect(bench.applied == nil)
        bench.turn(.portraitUpsideDown)
        #expect(bench.requested == .rotated270)
    }

    @Test mutating func `a rotation that is lost when outputs change is applied again`() {
        bench.turnAndAccept(.portrait)
        bench.outputs[0].transform = .normal
        bench.outputs.append(PolicyBench.monitor)
        bench.start()
        #expect(bench.requested == .rotated90)
        bench.accept()
        bench.outputs.removeFirst()
        bench.start()
        #expect(bench.effects.contains(.follow(.nothing)))
        bench.outputs.insert(PolicyBench.panel, at: 0)
        bench.start()
        #expect(bench.effects.contains(.follow(.device)))
        #expect(bench.applied == nil)
        bench.turn(.portrait)
        #expect(bench.requested == .rotated90)
    }

    @Test func `a rotation by hand survives a change of another output's scale`() {
        var bench = PolicyBench.started(outputs: [PolicyBench.panel, PolicyBench.monitor])
        bench.turnAndAccept(.portrait)
        bench.setByHand(.rotated180)
        bench.outputs[1].scale = 2
        bench.outputs.reverse()
        bench.start()
        #expect(bench.applied == nil)
    }

    @Test func `turning there and back gives the former layout`() {
        var below = PolicyBench.monitor
        below.position = LayoutPoint(x: 1500, y: 1080)
        var bench = PolicyBench.started(outputs: [PolicyBench.panel, below])
        bench.turnAndAccept(.portrait)
        #expect(bench.outputs[1].position == LayoutPoint(x: 0, y: 1920))
        bench.turnAndAccept(.portraitUpsideDown)
        bench.turnAndAccept(.landscapeLeft)
        #expect(bench.outputs == [PolicyBench.panel, below])
    }

    @Test func `a mirrored output keeps its transform and is reported once`() {
        var bench = PolicyBench()
        bench.outputs[0].transform = .flipped
        bench.start()
        #expect(bench.reports == [.flipped("eDP-1", .flipped)])
        bench.turn(.portrait)
        #expect(bench.applied == nil)
        bench.start()
        #expect(bench.reports == [])
        bench.setByHand(.normal)
        bench.turn(.portraitUpsideDown)
        #expect(bench.requested == .rotated270)
    }

    /// A policy with a mirrored output; the device is upright.
    private func mirroredBench() -> PolicyBench {
        var bench = PolicyBench.started()
        bench.turnAndAccept(.portrait)
        bench.setByHand(.flipped)
        return bench
    }

    @Test func `a hold that begins while the output is mirrored applies when it no longer is`() {
        var bench = mirroredBench()
        bench.hold(OrientationHold(id: 1, supported: .landscapeRight))
        #expect(bench.transform == .flipped)
        bench.setByHand(.rotated90)
        bench.accept()
        #expect(bench.transform == .normal && bench.orientation == .landscapeRight)
    }

    @Test func `the sentence names the orientation that the display has after it was mirrored`() {
        var bench = mirroredBench()
        bench.turnAndAccept(.landscapeLeft)
        bench.setByHand(.normal)
        bench.accept()
        #expect(bench.orientation == .landscapeRight)
        #expect(bench.sentence.contains("in landscape-primary because the outputs changed"))
    }

    // MARK: Failures

    @Test mutating func `a refused configuration is tried again with growing delays, reported once, and then given up`()
    {
        bench.turn(.portrait)
        var delays: [Double] = []
        for attempt in 1...AutorotatePolicy.maximumAttempts {
            #expect(bench.requested == .rotated90)
            bench.handle(.display(.failed("not supported")))
            let last: [AgentMessage] = attempt == AutorotatePolicy.maximumAttempts ? [.gaveUp("eDP-1", .rotated90)] : []
            #expect(bench.reports == (attempt == 1 ? [.failed("eDP-1", .rotated90, "not supported")] : last))
            for case .startTimer(.retry, let delay) in bench.effects { delays.append(delay) }
            bench.handle(.timer(.retry))
        }
        #expect(bench.applied == nil)
        #expect(delays == [0.5, 1, 2, 4])
        bench.turn(.landscapeRight)
        #expect(bench.requested == .rotated180)
    }

    @Test func `an outdated configuration is built again from the newest outputs`() {
        var bench = PolicyBench.started(outputs: [PolicyBench.panel, PolicyBench.monitor])
        bench.turn(.portrait)
        bench.handle(.display(.outdated))
        #expect(bench.reports == [])
        bench.outputs[1].scale = 2
        bench.start()
        #expect(bench.applied?[1].scale == 2)
        #expect(bench.requested == .rotated90)
    }

    @Test mutating func `a configuration without a result is tried again, and a late result has no effect`() {
        bench.turn(.portrait)
        #expect(bench.effects.contains(.startTimer(.result, after: AutorotatePolicy.resultTimeout)))
        bench.handle(.timer(.result))
        #expect(bench.reports == [.failed("eDP-1", .rotated90, "the display server did not reply")])
        #expect(bench.handle(.display(.applied)) == [])
        bench.handle(.timer(.retry))
        #expect(bench.requested == .rotated90)
        bench.accept()
        #expect(bench.effects.contains(.stopTimer(.result)))
        #expect(bench.handle(.timer(.result)) == [])
    }

    @Test mutating func `a late result is not taken for a rotation by hand`() {
        bench.turnAndAccept(.landscapeLeft)
        bench.turn(.portrait)
        bench.handle(.timer(.result))
        bench.turn(.landscapeLeft)
        #expect(bench.applied == nil)
        bench.setByHand(.rotated90)
        #expect(bench.reports == [])
        #expect(bench.requested == .normal)
    }

    @Test mutating func `outputs that change at each attempt are reported once`() {
        bench.turn(.portrait)
        var reports: [AgentMessage] = []
        for _ in 1...AutorotatePolicy.maximumAttempts {
            bench.handle(.display(.outdated))
            reports += bench.reports
            bench.handle(.timer(.retry))
        }
        #expect(
            reports == [.failed("eDP-1", .rotated90, "its outputs keep changing"), .gaveUp("eDP-1", .rotated90)])
        #expect(bench.applied == nil)
    }

    @Test mutating func `a server that sets another transform than the requested one is retried at most five times`() {
        bench.turn(.portrait)
        var attempts = 0
        while bench.applied != nil {
            attempts += 1
            bench.handle(.display(.applied))
            bench.handle(.timer(.retry))
        }
        #expect(attempts == AutorotatePolicy.maximumAttempts)
    }

    @Test func `an output that is removed while it is turned is ignored`() {
        var bench = PolicyBench.started(outputs: [PolicyBench.panel, PolicyBench.monitor])
        bench.turn(.portrait)
        bench.outputs.removeFirst()
        bench.start()
        bench.handle(.display(.failed("no such output")))
        bench.handle(.timer(.retry))
        #expect(bench.applied == nil)
    }

    @Test
    func `a lost daemon is reported once, whatever fails next, keeps the rotation, and its return is reported`() {
        var bench = PolicyBench.started()
        bench.turnAndAccept(.portrait)
        bench.handle(.daemonLost(reason: "not running"))
        #expect(bench.reports == [.daemonLost("not running")])
        bench.handle(.daemonLost(reason: "cannot connect"))
        #expect(bench.effects == [])
        bench.turn(.portrait)
        #expect(bench.reports == [.daemonFound])
        bench.handle(.daemonLost(reason: "not running"))
        #expect(bench.reports == [.daemonLost("not running")])
    }

    // MARK: Dry run, end

    @Test func `a dry run reports each rotation once and applies none`() {
        var bench = PolicyBench.started(Settings(isDryRun: true))
        bench.turn(.portrait)
        #expect(bench.effects.contains(.report(.rotated("eDP-1", .rotated90, isDryRun: true))))
        bench.start()
        #expect(bench.applied == nil)
        #expect(bench.reports == [])
        bench.turn(.landscapeLeft)
        #expect(bench.reports == [.rotated("eDP-1", .normal, isDryRun: true)])
        bench.handle(.end)
        #expect(bench.effects == [.exit])
    }

    @Test func `the end restores the rotation from before the start, and exits when it is in effect`() {
        var bench = PolicyBench()
        bench.outputs[0].transform = .rotated180
        bench.start()
        bench.turnAndAccept(.portrait)
        bench.handle(.end)
        #expect(bench.requested == .rotated180)
        #expect(!bench.effects.contains(.exit))
        bench.accept()
        #expect(bench.effects.suffix(2) == [.removeRestoreRecord, .exit])
    }

    @Test func `a rotation that cannot be restored stays recorded for the next agent`() {
        for isHanging in [true, false] {
            var bench = PolicyBench.started()
            bench.turnAndAccept(.portrait)
            bench.handle(.end)
            #expect(bench.requested == .normal)
            bench.handle(isHanging ? .timer(.exit) : .display(.failed("refused")))
            #expect(bench.effects.last == .exit && !bench.effects.contains(.removeRestoreRecord))
        }
    }

    @Test
    func `the transform before the first rotation is saved once; after a crash the next agent restores it at its end`()
    {
        var bench = PolicyBench.started()
        let saved = SavedTransform(output: "eDP-1", transform: .normal)
        bench.turn(.portrait)
        #expect(bench.effects.contains(.writeRestoreRecord(saved)))
        bench.accept()
        bench.turn(.landscapeRight)
        #expect(!bench.effects.contains(.writeRestoreRecord(saved)) && bench.requested == .rotated180)
        bench.accept()
        var next = PolicyBench.started(outputs: bench.outputs, initial: saved)
        next.turnAndAccept(.portrait)
        #expect(next.transform == .rotated90)
        next.handle(.end)
        #expect(next.requested == .normal)
    }

    @Test mutating func `the end waits for the pending configuration before it restores`() {
        bench.turn(.portrait)
        let pending = bench.applied
        bench.handle(.end)
        #expect(bench.effects == [.startTimer(.exit, after: AutorotatePolicy.exitTimeout)])
        bench.outputs = pending ?? []
        bench.start()
        bench.handle(.display(.applied))
        #expect(bench.requested == .normal)
        bench.handle(.timer(.exit))
        #expect(bench.effects == [.exit])
    }

    @Test func `with --on-exit keep, without a rotation, or at a second signal, the end exits at once`() {
        var bench = PolicyBench.started(Settings(restoresOnExit: false))
        bench.turnAndAccept(.portrait)
        #expect(bench.handle(.end) == [.removeRestoreRecord, .exit])
        var unrotated = PolicyBench.started()
        #expect(unrotated.handle(.end) == [.exit])
        var twice = PolicyBench.started()
        twice.turnAndAccept(.portrait)
        twice.handle(.end)
        #expect(twice.handle(.end) == [.exit])
    }

    @Test mutating func `the end of the display server exits with its reason`() {
        #expect(
            bench.handle(.display(.ended("closed"))) == [.report(.displayEnded("closed")), .removeRestoreRecord, .exit])
    }

    @Test mutating func `a lost connection is made again with growing delays, and reported if it lasts`() {
        for delay in [0.25, 0.5, 1, 2, 4, 8, 8] {
            bench.handle(.displayLost(reason: "no memory"))
            #expect(bench.effects.last == .startTimer(.reopen, after: delay))
            #expect(bench.reports == (delay == 0.5 ? [.displayLost("no memory")] : []))
            #expect(bench.handle(.timer(.reopen)) == [.reopenDisplay])
            bench.now += 5
        }
        bench.start()
        #expect(bench.effects == [.report(.displayFound("no memory")), .alignInput(PolicyBench.panel)])
        bench.now += DisplayLink.stableTime + 1
        #expect(bench.handle(.displayLost(reason: "again")) == [.startTimer(.reopen, after: 0.25)])
    }

    @Test mutating func `a rotation that the lost connection has not made follows on the next one`() {
        bench.turn(.portrait)
        #expect(bench.requested == .rotated90)
        bench.handle(.displayLost(reason: "no memory"))
        // Nothing is sent meanwhile, whatever happens.
        bench.handle(.timer(.result))
        bench.turn(.landscapeRight)
        #expect(bench.requested == nil)
        bench.start()
        #expect(bench.requested == .rotated180)
        bench.accept()
        #expect(bench.transform == .rotated180)
    }

    @Test mutating func `a rotation by hand survives a lost connection`() {
        bench.turnAndAccept(.portrait)
        bench.setByHand(.normal)
        bench.handle(.displayLost(reason: "no memory"))
        bench.start()
        #expect(bench.requested == nil && bench.transform == .normal)
    }

    @Test mutating func `without its display server the agent ends, with the reason of the loss`() {
        bench.handle(.displayLost(reason: "closed"))
        #expect(
            bench.handle(.display(.ended("no compositor")))
                == [.report(.displayEnded("closed")), .removeRestoreRecord, .exit])
    }

    @Test func `an end restores the display over a new connection, before its timeout`() {
        for isLostFirst in [false, true] {
            var bench = PolicyBench.started()
            bench.turnAndAccept(.portrait)
            let rotated = bench.outputs
            if !isLostFirst { bench.handle(.end) }
            let lost = bench.handle(.displayLost(reason: "no memory"))
            #expect(lost.contains { if case .startTimer(.reopen, _) = $0 { true } else { false } })
            if isLostFirst {
                let timers: [AutorotatePolicy.Effect] = [
                    .startTimer(.reopen, after: 0), .startTimer(.exit, after: AutorotatePolicy.exitTimeout),
                ]
                #expect(bench.handle(.end) == timers)
            }
            #expect(bench.handle(.timer(.reopen)) == [.reopenDisplay])
            bench.handle(.display(.outputs(rotated)))
            #expect(bench.requested == .normal)
            #expect(bench.handle(.timer(.exit)) == [.exit])
        }
    }

    @Test mutating func `input is mapped again when devices change and after each rotation`() {
        #expect(bench.handle(.display(.inputChanged)) == [.alignInput(PolicyBench.panel)])
        bench.turnAndAccept(.portrait)
        #expect(
            bench.effects.contains {
                if case .alignInput(let output) = $0 { output.transform == .rotated90 } else { false }
            })
    }
}
