// SPDX-License-Identifier: Apache-2.0

package import Varlink

/// The replies to a method whose subscribers receive changes: the first one to each call, and to subscribers those that
/// differ from their last one.
package struct ReplyTable {
    /// A message for ``ClientTable``.
    package struct Delivery {
        package let client: ClientID
        package let message: EncodedMessage
        /// The number of the change; nil for a client that does not subscribe.
        package let sequence: Int?
        /// Whether it replies to the call in progress; a change otherwise.
        package let isFirst: Bool

        /// The reply to a call of another method.
        package static func reply(_ message: EncodedMessage, to client: ClientID) -> Delivery {
            Delivery(client: client, message: message, sequence: nil, isFirst: true)
        }
    }

    private struct Entry {
        let isSubscriber: Bool
        /// The last reply; nil until the first one.
        var reply: JSONObject?
        /// The number of the change with that reply.
        var sequence = 0
    }

    private var entries: [ClientID: Entry] = [:]
    /// Counts the changes.
    private var sequence = 0

    package init() {}

    /// Whether no client waits for a reply or receives changes.
    package var isEmpty: Bool { entries.isEmpty }

    /// Adds a call; ``publish(_:)`` replies to it.
    package mutating func add(_ client: ClientID, isSubscriber: Bool) {
        entries[client] = Entry(isSubscriber: isSubscriber)
    }

    package mutating func remove(_ client: ClientID) { entries[client] = nil }

    /// Replies to the pending calls, and sends the subscribers what has changed for them.
    package mutating func publish(_ reply: (ClientID) -> JSONObject) -> [Delivery] {
        sequence += 1
        var deliveries: [Delivery] = []
        for (client, entry) in entries {
            let new = reply(client)
            guard new != entry.reply else { continue }
            // A client that does not subscribe is done: a later call of its connection may subscribe elsewhere.
            entries[client] = entry.isSubscriber ? Entry(isSubscriber: true, reply: new, sequence: sequence) : nil
            let message = EncodedMessage(reply: new, continues: entry.isSubscriber)
            deliveries.append(
                Delivery(
                    client: client, message: message, sequence: entry.isSubscriber ? sequence : nil,
                    isFirst: entry.reply == nil))
        }
        return deliveries
    }

    /// Sends the newest reply to a subscriber that has no unsent bytes, unless it was sent already; `sequence` is the number
    /// of the newest change sent to it.
    package func caughtUp(_ client: ClientID, sequence: Int?) -> [Delivery] {
        guard let entry = entries[client], let reply = entry.reply, let sequence, sequence < entry.sequence else {
            return []
        }
        let message = EncodedMessage(reply: reply, continues: true)
        return [Delivery(client: client, message: message, sequence: entry.sequence, isFirst: false)]
    }
}

extension ClientTable {
    package func send(_ delivery: ReplyTable.Delivery) {
        if let sequence = delivery.sequence, !delivery.isFirst {
            broadcast(delivery.message, sequence: sequence, to: [delivery.client])
        } else {
            reply(to: delivery.client, delivery.message, sequence: delivery.sequence)
        }
    }
}
