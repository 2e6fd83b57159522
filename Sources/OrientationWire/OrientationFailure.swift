// SPDX-License-Identifier: Apache-2.0

package import Varlink

/// The errors of `org.orientationd.Orientation`.
package enum OrientationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is no sensor, or it does not work; the reason is for a person.
    case sensorUnavailable(reason: String)
    /// This caller holds as much as it may of what `limit` names.
    case limitReached(limit: String, maximum: Int)

    /// The error as its wire form.
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

    /// What is wrong, for a person.
    package var description: String {
        switch self {
        case .sensorUnavailable(let reason): reason
        case .limitReached(let limit, let maximum): "at most \(maximum) \(limit)"
        }
    }

    /// Reads an error; nil where it is none of these, or not in their form.
    package init?(_ reply: ErrorReply) {
        switch reply.name {
        case "\(OrientationInterface.name).SensorUnavailable":
            guard let reason = try? reply.parameters.value("reason", as: String.self) else { return nil }
            self = .sensorUnavailable(reason: reason)
        case "\(OrientationInterface.name).LimitReached":
            guard let limit = try? reply.parameters.value("limit", as: String.self),
                let maximum = try? reply.parameters.value("maximum", as: Int.self)
            else { return nil }
            self = .limitReached(limit: limit, maximum: maximum)
        default: return nil
        }
    }
}
