// SPDX-License-Identifier: Apache-2.0

/// Events that were not handled yet, first in, first out. Event sources append to it; one dispatcher handles them after
/// each callback of the loop.
///
///     let queue = EventQueue<Event>()
///     queue.append(.timer)
///     while let event = queue.popFirst() { … }
///
/// Public for performance: the compiler specializes a generic type of another module only if it is public and inlinable. An
/// event would otherwise cost searches of the runtime's type metadata.
public final class EventQueue<Event> {
    /// The appended events, in their order.
    @usableFromInline var incoming: ContiguousArray<Event> = []
    /// The events to remove next, the oldest last: removing the last one moves it, and keeps the memory.
    @usableFromInline var outgoing: ContiguousArray<Event> = []

    /// The number of events for which memory is kept: more than a turn of the loop causes, apart from bursts such as the
    /// disconnection of all clients.
    @usableFromInline static var keptCapacity: Int { 64 }

    package init() {}

    /// Whether all events have been removed.
    @inlinable public var isEmpty: Bool { outgoing.isEmpty && incoming.isEmpty }

    /// Adds an event behind all others.
    @inlinable public func append(_ event: Event) { incoming.append(event) }

    /// Removes and returns the oldest event; nil if there is none.
    @inlinable public func popFirst() -> Event? {
        if outgoing.isEmpty {
            if outgoing.capacity > Self.keptCapacity { outgoing = [] }
            swap(&incoming, &outgoing)
            outgoing.reverse()
        }
        return outgoing.popLast()
    }
}
