// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import orientation_tablet_switch

@Suite struct SwitchPolicyTests {
    private typealias Step = (event: SwitchPolicy.Event, effects: [SwitchPolicy.Effect])

    private static let unknown = SwitchPolicy.Effect.log("waiting for a lid angle: none is known")
    private static let closed = SwitchPolicy.Effect.log("waiting for orientationd: closed")
    private static let other = SwitchPolicy.Effect.log("event4 has a tablet switch: no other one is needed")
    private static let following = SwitchPolicy.Effect.log("following the lid angle: tablet")
    private static let tablet: Step = (.tabletMode(true), [.create, following, .set(true)])

    /// Expects the effects of each event in turn.
    private func expect(_ steps: Step..., at location: SourceLocation = #_sourceLocation) {
        var policy = SwitchPolicy()
        for (number, step) in steps.enumerated() {
            #expect(policy.handle(step.event) == step.effects, "step \(number + 1)", sourceLocation: location)
        }
    }

    @Test func `the switch follows tablet mode, and repeated states have no effect`() {
        expect(
            Self.tablet, (.tabletMode(true), []),
            (.tabletMode(false), [.set(false), .log("the switch reports laptop")]),
            (.tabletMode(false), []))
    }

    @Test func `the switch is removed without a lid angle or a connection, and returns with the angle`() {
        expect(
            Self.tablet, (.disconnected("closed"), [Self.closed, .remove]), Self.tablet,
            (.tabletMode(nil), [Self.unknown, .remove]), Self.tablet)
    }

    @Test func `the switch is removed before an exit, after which nothing has an effect`() {
        expect(
            Self.tablet, (.ended(69), [.remove, .exit(69)]), (.tabletMode(true), []), (.otherSwitch("event4"), []),
            (.ended(0), []))
        expect(Self.tablet, (.otherSwitch("event4"), [Self.other, .remove, .exit(0)]), (.tabletMode(true), []))
    }

    @Test func `without a switch the end is at once`() {
        expect((.ended(69), [.exit(69)]), (.tabletMode(true), []))
        expect((.otherSwitch("event4"), [Self.other, .exit(0)]))
    }

    @Test func `a reason is logged once`() {
        expect(
            (.disconnected("closed"), [Self.closed]), (.disconnected("closed"), []), (.tabletMode(nil), [Self.unknown]),
            Self.tablet, (.disconnected("closed"), [Self.closed, .remove]), (.disconnected("closed"), []))
    }
}
