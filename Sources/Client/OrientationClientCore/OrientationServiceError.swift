// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import OrientationWire
public import Varlink

/// An error of a call to the daemon.
public enum OrientationServiceError: Error, Hashable, Sendable {
    /// The daemon is not running, or the connection was lost: retry later.
    case notConnected(reason: String)
    /// The daemon accepted the connection but sent no reply in time: it hangs, or the machine is overloaded.
    case timedOut(after: Duration)
    /// The service runs as a user that is not trusted at this socket; the reason says what to do.
    case untrusted(reason: String)
    /// The path is not a valid socket path: choose another path.
    case unusablePath(reason: String)
    /// No sensor was found, or it failed.
    case sensorUnavailable(reason: String)
    /// The caller already uses the `maximum` of the resource that `limit` names.
    case limitReached(limit: String, maximum: Int)
    /// The caller has no permission; `needs` names the required one.
    case permissionDenied(needs: String)
    /// The daemon returned another error, for example because it lacks the interface.
    case refused(ErrorReply)
    /// The reply violates the protocol or the interface description: the service may not be orientationd.
    case notUnderstood(reason: String)
}

extension OrientationServiceError: CustomStringConvertible {
    /// The error on one line, for messages.
    public var description: String {
        if case .unusablePath = self { reason } else { "orientationd: \(reason)" }
    }

    /// What failed, without the name of the service.
    package var reason: String {
        switch self {
        case .notConnected(let reason): "not connected: \(reason)"
        case .timedOut(let timeout): "timed out: no reply within \(timeout.inSeconds) s"
        case .unusablePath(let reason), .untrusted(let reason): reason
        case .sensorUnavailable(let reason): "sensor unavailable: \(reason)"
        case .limitReached(let limit, let maximum): "limit reached: at most \(maximum) \(limit)"
        case .permissionDenied(let needs): "permission denied: requires \(needs)"
        case .refused(let error): "call failed: \(error.text)"
        case .notUnderstood(let reason): "invalid reply: \(reason)"
        }
    }
}

extension OrientationServiceError {
    /// Converts a failure of the library; `timeout` is that of the call.
    init(_ failure: orientation_failure, timeout: Duration) {
        let reason = Library.text(of: failure.reason)
        self =
            switch failure.kind {
            case ORIENTATION_UNTRUSTED: .untrusted(reason: reason)
            case ORIENTATION_TIMED_OUT: .timedOut(after: timeout)
            case ORIENTATION_UNUSABLE_PATH: .unusablePath(reason: reason)
            case ORIENTATION_INVALID_REPLY: .notUnderstood(reason: reason)
            default: .notConnected(reason: reason)
            }
    }

    /// Converts an error of a reply.
    package init(_ error: any Error) {
        self =
            switch error {
            case let error as OrientationServiceError: error
            case let reply as ErrorReply: Self(reply: reply)
            default: .notUnderstood(reason: "\(error)")
            }
    }

    private init(reply: ErrorReply) {
        self =
            switch OrientationFailure(reply) {
            case .sensorUnavailable(let reason): .sensorUnavailable(reason: reason)
            case .limitReached(let limit, let maximum): .limitReached(limit: limit, maximum: maximum)
            case nil: reply.permissionNeeds.map { .permissionDenied(needs: $0) } ?? .refused(reply)
            }
    }

    /// Whether reconnecting cannot resolve the error.
    package var isFinal: Bool {
        switch self {
        case .unusablePath, .permissionDenied, .refused: true
        case .notConnected, .timedOut, .untrusted, .sensorUnavailable, .limitReached, .notUnderstood: false
        }
    }
}

extension ErrorReply {
    /// The error without JSON, for messages.
    fileprivate var text: String {
        if serviceError == .invalidParameter, case .string(let parameter)? = parameters["parameter"] {
            return "invalid value of '\(parameter)'"
        }
        let facts = parameters.map { key, value in
            if case .string(let text) = value { "\(key): \(text)" } else { "\(key): \(value)" }
        }
        return facts.isEmpty ? name : "\(name) (\(facts.joined(separator: ", ")))"
    }
}

extension Duration {
    /// The seconds with up to three decimals.
    fileprivate var inSeconds: String {
        let text = "\((self / .milliseconds(1)).rounded(.down) / 1000)"
        return text.utf8.suffix(2).elementsEqual(".0".utf8) ? String(text.dropLast(2)) : text
    }
}
