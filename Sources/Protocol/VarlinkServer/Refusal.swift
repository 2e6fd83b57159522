// SPDX-License-Identifier: Apache-2.0

internal import Varlink

/// Why a client may not connect.
enum Refusal: CustomStringConvertible {
    case limit(ConnectionLimiter.Limit)
    /// Only these users may connect.
    case permission(String)

    /// The reason in the log.
    var description: String {
        switch self {
        case .limit(let limit): "at most \(limit.maximum) \(limit.name)"
        case .permission(let users): "only \(users) may connect"
        }
    }

    /// The error, which the interface declares.
    func reply(of interface: String) -> ErrorReply {
        switch self {
        case .limit(let limit): .limitReached(interface, limit.name, maximum: limit.maximum)
        case .permission(let users): .permissionDenied(interface, needs: users)
        }
    }
}
