// SPDX-License-Identifier: Apache-2.0

package import Varlink

/// The errors of `org.orientationd.Orientation`, and the limit of the same form of `org.orientationd.Interface`.
package enum OrientationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// No sensor was found, or it failed.
    case sensorUnavailable(reason: String)
    /// The caller already uses the `maximum` of the resource that `limit` names.
    case limitReached(limit: String, maximum: Int)

    /// The error reply.
    package var reply: ErrorReply {
        switch self {
        case .sensorUnavailable(let reason):
            ErrorReply("\(OrientationInterface.name).SensorUnavailable", ["reason": .string(reason)])
        case .limitReached(let limit, let maximum):
            ErrorReply(
                "\(OrientationInterface.name).LimitReached",
                ["limit": .string(limit), "maximum": .integer(Int64(maximum))])
        }
    }

    /// The error on one line, for messages.
    package var description: String {
        switch self {
        case .sensorUnavailable(let reason): reason
        case .limitReached(let limit, let maximum): "at most \(maximum) \(limit)"
        }
    }

    /// Parses an error reply; nil for other errors and invalid parameters.
    package init?(_ reply: ErrorReply) {
        switch reply.name {
        case "\(OrientationInterface.name).SensorUnavailable":
            guard let reason = try? reply.parameters.value("reason", as: String.self) else { return nil }
            self = .sensorUnavailable(reason: reason)
        case "\(OrientationInterface.name).LimitReached", "\(SessionInterface.name).LimitReached":
            guard let limit = try? reply.parameters.value("limit", as: String.self),
                let maximum = try? reply.parameters.value("maximum", as: Int.self)
            else { return nil }
            self = .limitReached(limit: limit, maximum: maximum)
        default: return nil
        }
    }
}
