// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import orientation_tablet_switch

@Suite struct SwitchPolicyTests {
    private typealias Step = (event: SwitchPolicy.Event, effects: [SwitchPolicy.Effect])

    private static let unknown = SwitchPolicy.Effect.log("no lid angle is known: waiting for one")
    private static let closed = SwitchPolicy.Effect.log("closed: waiting for orientationd")
    private static let other = SwitchPolicy.Effect.log("event4 has a tablet switch: no other one is needed")
    private static let following = SwitchPolicy.Effect.log("following the lid angle: tablet")
    private static let tablet: Step = (.tabletMode(true), [.create, following, .set(true)])

    /// Expects the effects of each event in turn.
    private func expect(isPresent: Bool = false, _ steps: Step..., at location: SourceLocation = #_sourceLocation) {
        var policy = SwitchPolicy(isPresent: isPresent)
        for (number, step) in steps.enumerated() {
            #expect(policy.handle(step.event) == step.effects, "step \(number + 1)", sourceLocation: location)
        }
    }

    @Test func `the switch follows tablet mode, and repeated states have no effect`() {
        expect(
            Self.tablet, (.tabletMode(true), []), (.tabletMode(false), [.set(false), .log("laptop")]),
            (.tabletMode(false), []))
    }

    @Test func `each removal waits, also if the switch reports laptop already`() {
        let laptop: Step = (.tabletMode(false), [.set(false), .log("laptop")])
        expect(Self.tablet, (.disconnected("closed"), [.set(false), .wait, Self.closed]), (.waited, [.remove]))
        expect(Self.tablet, laptop, (.tabletMode(nil), [.wait, Self.unknown]), (.waited, [.remove]))
        expect(Self.tablet, laptop, (.ended(0), [.wait]), (.waited, [.remove, .exit(0)]))
        expect(
            Self.tablet, (.otherSwitch("event4"), [.set(false), .wait, Self.other]), (.waited, [.remove, .exit(0)]))
    }

    @Test func `the removal of a switch that was taken over waits`() {
        expect(isPresent: true, (.disconnected("closed"), [.wait, Self.closed]), (.waited, [.remove]))
        expect(isPresent: true, (.tabletMode(nil), [.wait, Self.unknown]), (.waited, [.remove]))
        expect(isPresent: true, (.otherSwitch("event4"), [.wait, Self.other]), (.waited, [.remove, .exit(0)]))
        expect(isPresent: true, (.ended(0), [.wait]), (.waited, [.remove, .exit(0)]))
    }

    @Test func `a lid angle during the wait keeps the switch`() {
        expect(
            isPresent: true, (.tabletMode(nil), [.wait, Self.unknown]),
            (.tabletMode(true), [Self.following, .set(true)]), (.waited, []),
            (.tabletMode(nil), [.set(false), .wait, Self.unknown]), (.waited, [.remove]), Self.tablet)
    }

    @Test func `an end during the wait comes after it, and nothing else has an effect`() {
        expect(
            Self.tablet, (.tabletMode(nil), [.set(false), .wait, Self.unknown]), (.ended(69), []),
            (.tabletMode(true), []), (.otherSwitch("event4"), []), (.ended(0), []), (.waited, [.remove, .exit(69)]),
            (.tabletMode(true), []))
    }

    @Test func `without a switch the end is at once`() {
        expect((.ended(69), [.exit(69)]), (.tabletMode(true), []))
        expect((.otherSwitch("event4"), [Self.other, .exit(0)]))
    }

    @Test func `a reason is logged once`() {
        expect(
            (.disconnected("closed"), [Self.closed]), (.disconnected("closed"), []), (.tabletMode(nil), [Self.unknown]),
            Self.tablet, (.disconnected("closed"), [.set(false), .wait, Self.closed]), (.disconnected("closed"), []))
    }
}
