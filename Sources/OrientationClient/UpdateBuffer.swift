// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel

/// Updates that the app has not taken yet.
struct UpdateBuffer: Sendable {
    private let buffering: OrientationBuffering
    private let reportsConnection: Bool
    private var updates: [OrientationUpdate] = []
    /// What was last put in, whether it was taken or not.
    private var last: OrientationUpdate?
    private var lastState: OrientationState?

    init(_ buffering: OrientationBuffering, reportsConnection: Bool) {
        self.buffering = buffering
        self.reportsConnection = reportsConnection
    }

    /// Whether there is room for more; while there is none, nothing more should be read.
    var hasRoom: Bool {
        switch buffering {
        case .newest: true
        case .all(let limit): updates.count < max(1, limit)
        }
    }

    /// Puts in a state, unless the app has it already: a daemon that is asked again answers with the state which it had
    /// before, and that is no change.
    mutating func put(_ state: OrientationState) {
        let isKnown = lastState.map { $0.instance == state.instance && $0.sequence == state.sequence } ?? false
        lastState = state
        if case .notConnected? = last {
            put(.state(state))
        } else if !isKnown {
            put(.state(state))
        }
    }

    /// Puts in that the connection is gone, unless the app was told so with the same words.
    mutating func put(notConnected reason: String) {
        guard reportsConnection, last != .notConnected(reason: reason) else { return }
        put(.notConnected(reason: reason))
    }

    /// Takes the oldest.
    mutating func take() -> OrientationUpdate? {
        updates.isEmpty ? nil : updates.removeFirst()
    }

    private mutating func put(_ update: OrientationUpdate) {
        last = update
        if buffering == .newest { updates.removeAll(keepingCapacity: true) }
        updates.append(update)
    }
}
