// SPDX-License-Identifier: Apache-2.0

internal import OrientationWire
public import Varlink

/// Why the daemon could not be asked, or what it refused.
public enum OrientationServiceError: Error, Hashable, Sendable {
    /// Nobody answers at the socket, or the connection was lost: try again later. The reason is for a person.
    case notConnected(reason: String)
    /// The daemon accepted the connection and sent no reply in time: it hangs, or the machine is overloaded.
    case timedOut(after: Duration)
    /// The path can never be a socket's: give another.
    case unusablePath(reason: String)
    /// There is no sensor, or it does not work. The reason is for a person.
    case sensorUnavailable(reason: String)
    /// The caller holds as much as it may of what `limit` names, at most `maximum`.
    case limitReached(limit: String, maximum: Int)
    /// The caller may not do this. `needs` says who may, for a person.
    case permissionDenied(needs: String)
    /// The daemon refused the call for another reason, for example because its interface is not there.
    case refused(ErrorReply)
    /// What answers at the socket does not speak as the daemon does. The reason is for a person.
    case notUnderstood(reason: String)
}

extension OrientationServiceError: CustomStringConvertible {
    /// One line for a person.
    public var description: String {
        switch self {
        case .notConnected(let reason): "not connected to orientationd: \(reason)"
        case .timedOut(let timeout): "orientationd: timed out: no reply within \(timeout.inSeconds) s"
        case .unusablePath(let reason): reason
        case .sensorUnavailable(let reason): "no sensor: \(reason)"
        case .limitReached(let limit, let maximum): "orientationd allows at most \(maximum) \(limit)"
        case .permissionDenied(let needs): "orientationd does not allow you to do this; it needs \(needs)"
        case .refused(let error): "orientationd refused: \(error.inWords)"
        case .notUnderstood(let reason): "what answers is not orientationd: \(reason)"
        }
    }
}

extension OrientationServiceError {
    /// Sorts any error that a connection may meet.
    init(_ error: any Error) {
        self =
            switch error {
            case let error as OrientationServiceError: error
            case let error as SocketError: Self(socket: error)
            case let reply as ErrorReply: Self(reply: reply)
            case ClientConnection.Violation.endedEarly: .notConnected(reason: "the connection was closed")
            default: .notUnderstood(reason: "\(error)")
            }
    }

    private init(socket error: SocketError) {
        self =
            switch error {
            case .pathTooLong, .pathUnusable: .unusablePath(reason: error.description)
            default: .notConnected(reason: error.description)
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

    /// Whether another attempt cannot end otherwise.
    var isFinal: Bool {
        switch self {
        case .unusablePath, .permissionDenied, .refused: true
        case .notConnected, .timedOut, .sensorUnavailable, .limitReached, .notUnderstood: false
        }
    }
}

extension ErrorReply {
    /// For a person, without JSON.
    fileprivate var inWords: String {
        if name == "org.varlink.service.InvalidParameter", case .string(let parameter)? = parameters["parameter"] {
            return "invalid value of '\(parameter)'"
        }
        let facts = parameters.map { key, value in
            if case .string(let text) = value { "\(key): \(text)" } else { "\(key): \(value)" }
        }
        return facts.isEmpty ? name : "\(name) (\(facts.joined(separator: ", ")))"
    }
}

extension Duration {
    /// With as many decimals as it has, up to three.
    fileprivate var inSeconds: String {
        let (seconds, attoseconds) = components
        let text = "\((Double(seconds) * 1000 + Double(attoseconds / 1_000_000_000_000_000)) / 1000)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
