// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import OrientationModel
internal import OrientationWire
internal import Varlink

/// Converts what the library reports to the updates that the app has not taken yet.
final class UpdateReceiver {
    private let buffering: OrientationBuffering
    private let reportsConnection: Bool
    private let isDaemonOnly: Bool
    private var updates: [OrientationUpdate] = []
    /// The last added update, taken or not.
    private var last: OrientationUpdate?
    private var lastState: OrientationState?
    /// The number of states of iio-sensor-proxy, which does not count them.
    private var readings = 0
    /// The error in the newest reply: the reason of the loss that follows, unless another service has a state.
    private var refusal: OrientationServiceError?
    /// Why the newest reply has no state, for the library an acceptable one.
    private var mismatch: OrientationServiceError?
    /// The error that has ended the connection, until it is taken.
    private(set) var finalError: OrientationServiceError?
    private(set) var hasEnded = false
    private(set) var lastLoss: OrientationServiceError?

    init(_ buffering: OrientationBuffering, reportsConnection: Bool, isDaemonOnly: Bool) {
        self.buffering = buffering
        self.reportsConnection = reportsConnection
        self.isDaemonOnly = isDaemonOnly
    }

    func receive(_ update: orientation_update) {
        guard !hasEnded else { return }
        switch update.kind {
        case ORIENTATION_REPLIED:
            do {
                let reply = try Library.reply(update.reply, update.length)
                put(try OrientationState(reply: reply.result.get()))
                (refusal, mismatch) = (nil, nil)
            } catch let reply as ErrorReply {
                refusal = OrientationServiceError(reply)
            } catch {
                mismatch = OrientationServiceError(error)
            }
        case ORIENTATION_READ:
            refusal = nil
            readings += 1
            if let state = update.state { put(OrientationState(state.pointee, number: readings)) }
        case ORIENTATION_LOST:
            guard let failure = update.failure?.pointee else { return }
            if let error = refusal ?? mismatch { return lose(error, reason: error.description) }
            let error = OrientationServiceError(failure)
            // The library names the service in the reason if there can be several.
            let isUnnamed = if case .timedOut = error { isDaemonOnly } else { false }
            lose(error, reason: isUnnamed ? error.reason : Library.text(of: failure.reason))
        default: break
        }
    }

    /// Reports a reply without a state that the library has accepted.
    func endPass() {
        if let mismatch { lose(mismatch, reason: mismatch.reason) }
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
        (updates, last, lastState, finalError, hasEnded) = ([], nil, nil, nil, false)
        (refusal, mismatch) = (nil, nil)
    }

    private func lose(_ error: OrientationServiceError, reason: String) {
        (refusal, mismatch) = (nil, nil)
        if error.isFinal {
            (finalError, hasEnded) = (error, true)
            return
        }
        lastLoss = error
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
    fileprivate init(_ state: orientation_state, number: Int) {
        // The library's edges count from 1; 0 is unknown.
        self.init(
            orientation: DeviceOrientation(rawValue: Int(state.pose.rawValue)) ?? .unknown,
            lastPanelEdge: PanelEdge(rawValue: Int(state.edge.rawValue) - 1), sequence: number,
            instance: "net.hadess.SensorProxy", reason: Library.text(of: state.reason))
        hasSensorFailed = state.failed == 1
    }
}
