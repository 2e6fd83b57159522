// SPDX-License-Identifier: Apache-2.0

package import Varlink

/// The errors of `org.orientationd.Orientation`, and the limit of the same form of `org.orientationd.Display`.
package enum OrientationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// No sensor was found, or it failed.
    case sensorUnavailable(reason: String)
    /// The caller already uses the `maximum` of the resource that `limit` names.
    case limitReached(limit: String, maximum: Int)

    package var reply: ErrorReply {
        switch self {
        case .sensorUnavailable(let reason):
            ErrorReply("\(OrientationInterface.name).SensorUnavailable", ["reason": .string(reason)])
        case .limitReached(let limit, let maximum):
            .limitReached(OrientationInterface.name, limit, maximum: maximum)
        }
    }

    /// The error on one line, for messages.
    package var description: String {
        switch self {
        case .sensorUnavailable(let reason): reason
        case .limitReached(let limit, let maximum): "at most \(maximum) \(limit)"
        }
    }

    /// Parses an error reply; nil for other errors and invalid parameters, which the caller reports as they are.
    package init?(_ reply: ErrorReply) {
        func isNamed(_ name: String, of interface: String) -> Bool {
            reply.name.utf8.elementsEqual("\(interface).\(name)".utf8)
        }
        // An error with invalid parameters is another error.
        if isNamed("SensorUnavailable", of: OrientationInterface.name),
            let reason = try? reply.parameters.value("reason", as: String.self)
        {
            self = .sensorUnavailable(reason: reason)
        } else if isNamed("LimitReached", of: OrientationInterface.name)
            || isNamed("LimitReached", of: DisplayInterface.name),
            let limit = try? reply.parameters.value("limit", as: String.self),
            let maximum = try? reply.parameters.value("maximum", as: Int.self)
        {
            self = .limitReached(limit: limit, maximum: maximum)
        } else {
            return nil
        }
    }
}
