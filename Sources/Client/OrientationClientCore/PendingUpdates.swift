// SPDX-License-Identifier: Apache-2.0

internal import OrientationModel
internal import OrientationWire

/// The updates that the app has not taken yet.
struct PendingUpdates {
    enum Phase {
        case following
        /// Reconnecting cannot resolve the error, which is thrown once.
        case failed(OrientationServiceError)
        case ended
    }

    private let buffering: OrientationBuffering
    private let reportsConnection: Bool
    var phase = Phase.following
    private var updates: [OrientationUpdate] = []
    /// The last added update, taken or not.
    private var last: OrientationUpdate?
    private(set) var lastLoss: OrientationServiceError?

    init(_ buffering: OrientationBuffering, reportsConnection: Bool) {
        (self.buffering, self.reportsConnection) = (buffering, reportsConnection)
    }

    mutating func add(_ update: LibraryUpdate) {
        guard case .following = phase else { return }
        do {
            // A reply that the library has refused gives a better reason.
            if let reply = update.reply { return add(try OrientationState(reply: reply)) }
            if let state = update.state { add(state) }
            if let error = update.error { lose(error, update.reason ?? error.reason) }
        } catch {
            let error = OrientationServiceError(error)
            lose(error, error.reason)
        }
    }

    mutating func take() -> [OrientationUpdate] {
        defer { updates = [] }
        return updates
    }

    /// Forgets all updates: the next state is returned, changed or not.
    mutating func forget() { (updates, last, phase) = ([], nil, .following) }

    private mutating func lose(_ error: OrientationServiceError, _ reason: String) {
        if error.isFinal {
            phase = .failed(error)
            return
        }
        lastLoss = error
        if reportsConnection, last != .notConnected(reason: reason) { put(.notConnected(reason: reason)) }
    }

    /// Adds a state unless the app already has it: after a reconnect the daemon sends the current state, changed or
    /// not.
    private mutating func add(_ state: OrientationState) {
        if case .state(let last)? = last, last.instance == state.instance, last.sequence == state.sequence { return }
        put(.state(state))
    }

    private mutating func put(_ update: OrientationUpdate) {
        last = update
        if buffering == .newest { updates.removeAll(keepingCapacity: true) }
        updates.append(update)
    }
}
