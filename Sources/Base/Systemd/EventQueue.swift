// SPDX-License-Identifier: Apache-2.0

/// Events that were not handled yet, first in, first out. Event sources append to it; one dispatcher handles them after
/// each callback of the loop.
///
///     let queue = EventQueue<Event>()
///     queue.append(.timer)
///     while let event = queue.popFirst() { … }
package final class EventQueue<Event> {
    /// The appended events, in their order.
    private var incoming: [Event] = []
    /// The events to remove next, the oldest last.
    private var outgoing: [Event] = []

    package init() {}

    package var isEmpty: Bool { outgoing.isEmpty && incoming.isEmpty }

    /// Adds an event behind all others.
    package func append(_ event: Event) { incoming.append(event) }

    /// Removes and returns the oldest event; nil if there is none.
    package func popFirst() -> Event? {
        if outgoing.isEmpty {
            outgoing = incoming.reversed()
            incoming = []
        }
        return outgoing.popLast()
    }
}
