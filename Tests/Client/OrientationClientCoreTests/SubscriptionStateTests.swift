// SPDX-License-Identifier: Apache-2.0

import OrientationModel
import OrientationWire
import Testing
import Varlink

@testable import OrientationClientCore

@Suite struct SubscriptionStateTests {
    /// A subscription without jitter.
    private func subscription(_ buffering: OrientationBuffering = .all(limit: 9)) -> SubscriptionState {
        SubscriptionState(buffering, reportsConnection: true, jitter: { 0 })
    }

    private func bytes(_ state: OrientationState, continues: Bool = true) -> [UInt8] {
        EncodedMessage(reply: state, continues: continues).withBytes { Array($0) }
    }

    private func state(_ sequence: Int) -> OrientationState { OrientationState(sequence: sequence, instance: "one") }

    private func receive(_ bytes: [UInt8], _ subscription: inout SubscriptionState) {
        bytes.withUnsafeBytes { subscription.receive($0) }
        subscription.takeReplies()
    }

    @Test func `delays double until a connection has worked for a second`() {
        let time = Time()
        var subscription = SubscriptionState(.newest, reportsConnection: true, jitter: { 0 }, now: { time.now })
        for delay in [0.05, 0.1, 0.2, 0.4, 0.4] {
            #expect(subscription.step == .connect)
            subscription.failed(SocketError.notServed(path: "/s"))
            #expect(subscription.step == .wait(seconds: delay))
            subscription.timerFired()
        }
        subscription.connected()
        receive(bytes(state(1)), &subscription)
        time.now += 1
        receive(bytes(state(2)), &subscription)
        subscription.receiveEnd()
        subscription.takeReplies()
        #expect(subscription.step == .wait(seconds: 0.05))
    }

    @Test func `delays double if each connection sends a state and then garbage, or ends`() {
        let time = Time()
        var subscription = SubscriptionState(.newest, reportsConnection: true, jitter: { 0 }, now: { time.now })
        for (sequence, delay) in [0.05, 0.1, 0.2, 0.4, 0.4, 0.4].enumerated() {
            subscription.connected()
            receive(bytes(state(sequence)), &subscription)
            time.now += 0.9
            if sequence.isMultiple(of: 2) { receive([1, 2, 0], &subscription) } else { subscription.receiveEnd() }
            subscription.takeReplies()
            #expect(subscription.step == .wait(seconds: delay))
            subscription.timerFired()
        }
    }

    @Test func `a final error ends the subscription and is returned once`() {
        var subscription = subscription()
        subscription.failed(SocketError.pathUnusable(path: ""))
        #expect(subscription.step == .end && subscription.hasError)
        #expect(subscription.takeError() != nil && subscription.takeError() == nil && !subscription.hasError)
        subscription.timerFired()
        subscription.failed(SocketError.peerGone)
        #expect(subscription.step == .end && subscription.takeUpdate() == nil)
    }

    @Test func `a stopped subscription has no updates and no error`() {
        var subscription = subscription()
        subscription.connected()
        receive(bytes(state(1)), &subscription)
        subscription.stop()
        #expect(subscription.step == .end && subscription.takeUpdate() == nil && subscription.takeError() == nil)
    }
}

/// A clock that the test sets.
private final class Time: @unchecked Sendable {
    var now = 100.0
}
