// SPDX-License-Identifier: Apache-2.0

package import Varlink

/// An event of ``ClientTable``.
package enum ClientEvent {
    case call(Call, from: Caller)
    /// The connection is closed; its id is never used again.
    case left(ClientID)
    /// A subscriber has read nothing since this time, in seconds of the boot clock, while bytes are unsent.
    case fellBehind(ClientID, since: Double)
    /// A subscriber has no unsent bytes; `sequence` is the number of the newest change sent to it, if any.
    case caughtUp(ClientID, sequence: Int?)
}

/// Identifies one connection for as long as the service runs.
package struct ClientID: Hashable, Sendable {
    /// Counts the connections since the start.
    package let serial: Int
}

/// The client that made a call.
package struct Caller: Hashable, Sendable {
    package let client: ClientID
    package let user: UInt32
    /// Whether it has all permissions; see ``Authority``.
    package let isTrusted: Bool
    /// The process that connected, for messages only; 0 if it is unknown or in another PID namespace.
    package var process: Int32 = 0
}

package struct UserCount: Equatable {
    package let user: UInt32
    package var connections = 0
    package var subscribers = 0
}
