// SPDX-License-Identifier: Apache-2.0

package import OrientationModel

/// The updates that the app has not taken yet.
package struct UpdateBuffer: Sendable {
    private let buffering: OrientationBuffering
    private let reportsConnection: Bool
    private var updates: [OrientationUpdate] = []
    /// The last added update, taken or not.
    private var last: OrientationUpdate?
    private var lastState: OrientationState?

    package init(_ buffering: OrientationBuffering, reportsConnection: Bool) {
        self.buffering = buffering
        self.reportsConnection = reportsConnection
    }

    /// Whether the buffer accepts further updates; if not, stop reading.
    package var hasRoom: Bool {
        switch buffering {
        case .newest: true
        case .all(let limit): updates.count < max(1, limit)
        }
    }

    /// Adds a state unless the app already has it: after a reconnect the daemon sends the current state, changed or
    /// not.
    package mutating func put(_ state: OrientationState) {
        let isKnown = lastState.map { $0.instance == state.instance && $0.sequence == state.sequence } ?? false
        lastState = state
        if case .notConnected? = last {
            put(.state(state))
        } else if !isKnown {
            put(.state(state))
        }
    }

    /// Adds the loss of the connection unless the last update reported the same reason.
    package mutating func put(notConnected reason: String) {
        guard reportsConnection, last != .notConnected(reason: reason) else { return }
        put(.notConnected(reason: reason))
    }

    /// Removes and returns the oldest update.
    package mutating func take() -> OrientationUpdate? {
        updates.isEmpty ? nil : updates.removeFirst()
    }

    private mutating func put(_ update: OrientationUpdate) {
        last = update
        if buffering == .newest { updates.removeAll(keepingCapacity: true) }
        updates.append(update)
    }
}
