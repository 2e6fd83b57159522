// SPDX-License-Identifier: Apache-2.0

package import Varlink

/// An event of ``ClientTable``.
package enum ClientEvent {
    /// A client called a method.
    case call(Call, from: Caller)
    /// The connection is closed; its id is never used again.
    case left(ClientID)
    /// A subscriber has read nothing since this time, in seconds of the boot clock, while bytes are unsent.
    case fellBehind(ClientID, since: Double)
    /// A subscriber has no unsent bytes; `sequence` is that of the newest change sent to it, if any.
    case caughtUp(ClientID, sequence: Int?)
}

/// Identifies one connection for as long as the service runs.
package struct ClientID: Hashable, Sendable {
    /// The index in the table of connections, which a later connection reuses.
    package let slot: Int
    /// Counts the connections since the start.
    package let serial: Int

    package init(slot: Int, serial: Int) {
        self.slot = slot
        self.serial = serial
    }
}

/// The client that made a call.
package struct Caller: Hashable, Sendable {
    package let client: ClientID
    package let user: UInt32
    /// Whether it has all permissions; see ``Authority``.
    package let isTrusted: Bool
    /// The process that connected, for messages only; 0 if it is unknown or in another PID namespace.
    package let process: Int32

    package init(client: ClientID, user: UInt32, isTrusted: Bool, process: Int32 = 0) {
        self.client = client
        self.user = user
        self.isTrusted = isTrusted
        self.process = process
    }
}

/// A list of clients in contiguous memory, because each change iterates over all of them. The last client takes the
/// place of a removed one.
package struct ClientList {
    package private(set) var all: ContiguousArray<ClientID> = []
    private var places: [ClientID: Int] = [:]

    package init() {}

    package var isEmpty: Bool { all.isEmpty }

    package func contains(_ client: ClientID) -> Bool { places[client] != nil }

    package mutating func insert(_ client: ClientID) {
        guard places[client] == nil else { return }
        places[client] = all.count
        all.append(client)
    }

    package mutating func remove(_ client: ClientID) {
        guard let place = places.removeValue(forKey: client) else { return }
        let last = all.removeLast()
        if last != client {
            all[place] = last
            places[last] = place
        }
    }
}

/// The connections of one user.
package struct UserCount: Equatable {
    package let user: UInt32
    package var connections = 0
    package var subscribers = 0

    package init(user: UInt32, connections: Int = 0, subscribers: Int = 0) {
        self.user = user
        self.connections = connections
        self.subscribers = subscribers
    }
}
