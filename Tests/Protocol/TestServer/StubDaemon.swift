// SPDX-License-Identifier: Apache-2.0

import Foundation
package import OrientationModel
import OrientationWire
import Varlink

/// A service of `org.orientationd.Orientation` whose state a test sets.
///
/// `@unchecked`: the state is accessed with the lock held.
package final class StubDaemon: @unchecked Sendable {
    private let lock = NSLock()
    private var state: OrientationState
    private let following: OrientationState?
    private var subscriptions = 0
    private var server: PollServer?

    /// Listens at a path, with an initial state; each subscriber receives `following` together with its first one.
    package init(at path: String, state: OrientationState, followedBy following: OrientationState? = nil) throws {
        self.state = state
        self.following = following
        let identity = Service.Identity(vendor: "orientationd", product: "test", version: "0", url: "")
        let service = Service(identity, interfaces: [OrientationInterface.description])
        server = try PollServer(at: path, service: service) { [weak self] call in self?.answer(call) ?? [] }
    }

    deinit {
        server?.stop()
    }

    /// Sets the state and sends it to all subscribers.
    package func publish(_ state: OrientationState) {
        lock.withLock { self.state = state }
        server?.broadcast(EncodedMessage(reply: state, continues: true))
    }

    /// Closes all connections; new ones are accepted.
    package func disconnectAll() { server?.disconnectAll() }

    /// The number of subscriptions so far.
    package var subscriptionCount: Int { lock.withLock { subscriptions } }

    /// The number of connected clients.
    package var peerCount: Int { server?.peerCount ?? 0 }

    private func answer(_ call: Call) -> [EncodedMessage] {
        let state = lock.withLock {
            if call.method == OrientationInterface.monitor { subscriptions += 1 }
            return self.state
        }
        switch call.method {
        case OrientationInterface.monitor, OrientationInterface.get:
            guard call.mode == .more else { return [EncodedMessage(reply: state)] }
            return ([state] + [following].compactMap(\.self)).map { EncodedMessage(reply: $0, continues: true) }
        default:
            return [EncodedMessage(error: OrientationFailure.sensorUnavailable(reason: "none was found").reply)]
        }
    }
}

extension OrientationState {
    /// Returns a state with a sequence number, which determines its orientation.
    package static func number(_ sequence: Int, of instance: String = "one") -> OrientationState {
        OrientationState(
            orientation: DeviceOrientation.allCases[sequence % DeviceOrientation.allCases.count], sequence: sequence,
            instance: instance)
    }
}
