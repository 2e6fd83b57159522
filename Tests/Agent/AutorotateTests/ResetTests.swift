// SPDX-License-Identifier: Apache-2.0

import Displays
import OrientationModel
import Testing

@testable import Autorotate

/// Transforms that other programs set: a reset is replaced once, and what the user sets stays.
@Suite struct ResetTests {
    /// A panel that the agent has rotated from 0° to 90°, long after the start.
    private func rotated() -> PolicyBench {
        var bench = PolicyBench.started()
        bench.turnAndAccept(.portrait)
        bench.now += 60
        return bench
    }

    @Test func `a reload that resets the output to the transform of the configuration is replaced, and reported`() {
        var bench = rotated()
        bench.set(.normal, after: 0)
        #expect(bench.requested == .rotated90)
        #expect(bench.reports == [.reset("eDP-1", .normal)])
        bench.accept()
        #expect(bench.transform == .rotated90 && bench.sentence.hasPrefix("The display is in"))
        // Hyprland reloads at each save.
        bench.set(.normal, after: ResetRule.contestTime)
        #expect(bench.requested == .rotated90)
    }

    @Test func `a profile that is applied after the start of the session is replaced, and restored at the end`() {
        var bench = PolicyBench.started()
        bench.turnAndAccept(.landscapeLeft)
        bench.set(.rotated180, after: 1)
        #expect(bench.requested == .normal)
        bench.accept()
        bench.handle(.end)
        #expect(bench.requested == .rotated180)
    }

    @Test(arguments: [OutputTransform.normal, .rotated180])
    func `a reload that the server announces before or after the transform is replaced`(transform: OutputTransform) {
        var before = rotated()
        before.handle(.display(.reloaded))
        #expect(before.effects == [.alignInput(before.outputs[0])])
        before.set(transform, after: 0.1)
        #expect(before.requested == .rotated90)
        var after = rotated()
        after.set(transform, after: 0)
        after.handle(.display(.reloaded))
        after.accept()
        #expect(after.transform == .rotated90 || after.policy.request.pending?.transform == .rotated90)
    }

    @Test func `an announced reload that ends a rotation by hand is reported before the rotation`() {
        var bench = rotated()
        bench.set(.rotated270, after: 0)
        bench.now += 60
        bench.handle(.display(.reloaded))
        #expect(bench.requested == .rotated90 && bench.reports == [.reloaded("eDP-1", .rotated270)])
    }

    @Test func `a transform that comes back within 10 s stays until the device is turned, and is reported once`() {
        var bench = rotated()
        bench.set(.normal, after: 0)
        bench.accept()
        bench.set(.normal, after: ResetRule.contestTime - 1)
        #expect(bench.applied == nil)
        #expect(bench.reports == [.rotatedByHand("eDP-1", .normal)])
        #expect(bench.sentence.contains("set to 0° by another program"))
        bench.turnAndAccept(.portraitUpsideDown)
        bench.set(.normal, after: 60)
        bench.accept()
        bench.set(.normal, after: 1)
        #expect(bench.applied == nil && bench.reports == [])
    }

    @Test func `a transform of the user stays: at any time but soon after a change of the outputs`() {
        var bench = rotated()
        bench.set(.rotated180, after: 0)
        #expect(bench.applied == nil && bench.reports == [.rotatedByHand("eDP-1", .rotated180)])
        bench.set(.normal, after: 60)
        #expect(bench.applied == nil, "the user goes on")
        var plugged = rotated()
        plugged.outputs.append(PolicyBench.monitor)
        plugged.start()
        plugged.set(.rotated180, after: ResetRule.settlingTime)
        #expect(plugged.applied == nil)
    }

    @Test func `a rotation of the user in laptop mode ends the restore, also soon after a reset`() {
        var bench = PolicyBench.started()
        bench.turnAndAccept(.portrait, tabletMode: true)
        bench.set(.normal, after: 60)
        bench.accept()
        bench.turn(.portrait, tabletMode: false)
        bench.handle(.display(.failed("busy")))
        bench.set(.rotated180, after: 1)
        bench.handle(.timer(.retry))
        bench.outputs.append(PolicyBench.monitor)
        bench.start()
        #expect(bench.applied == nil)
    }

    @Test func `in laptop mode nothing is replaced`() {
        var bench = PolicyBench.started()
        bench.turnAndAccept(.portrait, tabletMode: true)
        bench.turnAndAccept(.portrait, tabletMode: false)
        bench.handle(.display(.reloaded))
        bench.set(.rotated180, after: 0.1)
        #expect(bench.applied == nil)
    }

    @Test(
        arguments: [
            // The transform, the seconds since the change of the outputs and since the replacement, and the answer.
            (OutputTransform.normal, nil, nil, true), (.rotated180, nil, nil, false), (.rotated180, 0.3, nil, true),
            (.rotated180, 4.9, nil, true), (.rotated180, 5, nil, false), (.normal, 5, nil, true),
            (.normal, nil, 9.9, false),
            (.normal, nil, 10, true), (.rotated180, nil, 10, false), (.normal, 2, 1, false), (.rotated180, 1, 2, true),
        ] as [(OutputTransform, Double?, Double?, Bool)])
    func `a reset is the initial transform, or any after a change, and not soon after a replacement`(
        transform: OutputTransform, change: Double?, replacement: Double?, isReset: Bool
    ) {
        var rule = ResetRule()
        let events = [(change, true), (replacement, false)].compactMap { age, isChange in age.map { ($0, isChange) } }
        for (age, isChange) in events.sorted(by: { $0.0 > $1.0 }) {
            if isChange { rule.outputsChanged(at: 100 - age) } else { rule.replaced(at: 100 - age) }
        }
        #expect(rule.isReset(transform, initial: .normal, at: 100) == isReset)
    }
}
