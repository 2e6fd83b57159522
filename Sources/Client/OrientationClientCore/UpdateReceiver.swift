// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import OrientationModel
internal import OrientationWire
internal import Varlink

/// Converts what the library reports to the updates that the app has not taken yet.
final class UpdateReceiver {
    private let buffering: OrientationBuffering
    private let reportsConnection: Bool
    private var updates: [OrientationUpdate] = []
    /// The last added update, taken or not.
    private var last: OrientationUpdate?
    private var lastState: OrientationState?
    /// Why the newest reply has no state: the reason of the loss that follows.
    private var replyError: OrientationServiceError?
    /// The error that has ended the connection, until it is taken.
    private(set) var finalError: OrientationServiceError?
    private(set) var hasEnded = false
    private(set) var lastLoss: OrientationServiceError?

    init(_ buffering: OrientationBuffering, reportsConnection: Bool) {
        self.buffering = buffering
        self.reportsConnection = reportsConnection
    }

    func receive(_ update: orientation_update) {
        guard !hasEnded else { return }
        switch update.kind {
        case ORIENTATION_REPLIED:
            do {
                let reply = try Library.reply(update.reply, update.length)
                put(try OrientationState(reply: reply.result.get()))
                replyError = nil
            } catch {
                replyError = OrientationServiceError(error)
            }
        case ORIENTATION_READ: if let state = update.state { put(OrientationState(state.pointee)) }
        case ORIENTATION_LOST:
            guard let failure = update.failure else { return }
            lose(replyError ?? OrientationServiceError(failure.pointee))
        default: break
        }
    }

    /// Reports a reply without a state that the library accepts.
    func endPass() {
        if let replyError { lose(replyError) }
    }

    func takeUpdates() -> [OrientationUpdate] {
        defer { updates = [] }
        return updates
    }

    func takeError() -> OrientationServiceError? {
        defer { finalError = nil }
        return finalError
    }

    /// Forgets all updates: the next state is returned, changed or not.
    func forget() {
        (updates, last, lastState, replyError, finalError, hasEnded) = ([], nil, nil, nil, nil, false)
    }

    private func lose(_ error: OrientationServiceError) {
        replyError = nil
        if error.isFinal {
            (finalError, hasEnded) = (error, true)
            return
        }
        lastLoss = error
        let reason = if case .notConnected(let reason) = error { reason } else { error.description }
        guard reportsConnection, last != .notConnected(reason: reason) else { return }
        put(.notConnected(reason: reason))
    }

    /// Adds a state unless the app already has it: after a reconnect the daemon sends the current state, changed or
    /// not.
    private func put(_ state: OrientationState) {
        let isKnown = lastState.map { $0.instance == state.instance && $0.sequence == state.sequence } ?? false
        lastState = state
        if case .notConnected? = last {
            put(.state(state))
        } else if !isKnown {
            put(.state(state))
        }
    }

    private func put(_ update: OrientationUpdate) {
        last = update
        if buffering == .newest { updates.removeAll(keepingCapacity: true) }
        updates.append(update)
    }
}

extension OrientationState {
    /// Converts a state of iio-sensor-proxy.
    fileprivate init(_ state: orientation_state) {
        // The library's edges count from 1; 0 is unknown.
        self.init(
            orientation: DeviceOrientation(rawValue: Int(state.pose.rawValue)) ?? .unknown,
            lastPanelEdge: PanelEdge(rawValue: Int(state.edge.rawValue) - 1), sequence: Int(clamping: state.sequence),
            instance: Library.text(of: state.backend), reason: Library.text(of: state.reason))
        hasSensorFailed = state.failed == 1
    }
}
